//! A table of all codes.

use super::{Format, Widener};

/// Converts each code of `source` to a binary32 in `target`.
pub fn widen(format: Format, source: &[u8], target: &mut [u8]) {
    let widener = Widener::new(format);
    let table: [u32; 256] = core::array::from_fn(|code| widener.widened(code as u8));
    for (to, &code) in target.as_chunks_mut().0.iter_mut().zip(source) {
        *to = table[usize::from(code)].to_ne_bytes();
    }
}
