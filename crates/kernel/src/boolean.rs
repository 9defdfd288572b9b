//! Checks and normalizes booleans, which are encoded as bytes 0 and 1.

/// Returns the index of the first byte above 1, and that byte.
pub fn first_invalid(bytes: &[u8]) -> Option<(usize, u8)> {
    let mut start = valid_prefix::<LONG_STEP>(bytes);
    start += valid_prefix::<SHORT_STEP>(&bytes[start..]);
    let index = start + bytes[start..].iter().position(|&byte| byte > 1)?;
    Some((index, bytes[index]))
}

/// Bytes that are checked at once, by the bitwise or of all of them. Steps of 64 bytes read 65 GB/s, 128 bytes 101,
/// 256 bytes 105, 512 bytes 99 (Node 20). Without SIMD, longer steps mainly make the code longer.
const LONG_STEP: usize = if cfg!(target_feature = "simd128") {
    256
} else {
    64
};
/// The step for the bytes that are left after the long ones: one vector.
const SHORT_STEP: usize = 16;

/// Returns how many bytes at the start are in steps that contain only 0 and 1.
fn valid_prefix<const STEP: usize>(bytes: &[u8]) -> usize {
    let (steps, _) = bytes.as_chunks::<STEP>();
    STEP * steps.iter().take_while(|step| are_booleans(*step)).count()
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use crate::vector::{in_steps, load, store};
    use core::arch::wasm32::{u8x16_min, u8x16_splat, v128_andnot, v128_any_true, v128_or};

    /// Returns whether whole vectors contain only 0 and 1.
    #[inline(always)]
    pub fn are_booleans(bytes: &[u8]) -> bool {
        let (vectors, _) = bytes.as_chunks();
        let bits = vectors
            .iter()
            .fold(u8x16_splat(0), |bits, vector| v128_or(bits, load(vector)));
        !v128_any_true(v128_andnot(bits, u8x16_splat(1)))
    }

    /// Copies `source` to `target`, with 1 for every byte other than 0. Both have the same length.
    #[inline(never)] // Decoding and encoding share it.
    pub fn copy_normalized(source: &[u8], target: &mut [u8]) {
        in_steps(source, target, |source, target| {
            for (to, from) in target.iter_mut().zip(source) {
                store(to, u8x16_min(load(from), u8x16_splat(1)));
            }
        });
    }
}
#[cfg(target_feature = "simd128")]
use simd128::are_booleans;
#[cfg(target_feature = "simd128")]
pub use simd128::copy_normalized;

/// Returns whether whole words of 8 bytes contain only 0 and 1.
#[cfg(not(target_feature = "simd128"))]
#[inline(always)]
fn are_booleans(bytes: &[u8]) -> bool {
    let (words, _) = bytes.as_chunks();
    let bits = words
        .iter()
        .fold(0, |bits, word| bits | u64::from_ne_bytes(*word));
    bits & !0x0101_0101_0101_0101 == 0
}

/// Copies `source` to `target`, with 1 for every byte other than 0. Both have the same length.
#[cfg(not(target_feature = "simd128"))]
pub fn copy_normalized(source: &[u8], target: &mut [u8]) {
    for (to, from) in target.iter_mut().zip(source) {
        *to = u8::from(*from != 0);
    }
}
