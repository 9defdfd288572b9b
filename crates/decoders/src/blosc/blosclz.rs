//! Streams of BloscLZ: runs of literals and matches, each of which begins with a control byte.
//!
//! ```text
//! | 000 n         | n + 1 literals                                                        |
//! | l d           | d               match of l + 2 bytes at a distance of 13 bits, less 1 |
//! | 111 d | l ... | d               match of l + 9 bytes, where 255 says that l goes on   |
//! | ...     11111 | 255 | d d       the distance of 16 bits, big endian, less 8192       |
//! ```
//!
//! The first control byte is that of literals, whatever its highest 3 bits. A stream ends with literals.
//!
//! Format: `blosclz.c` of c-blosc 1.21.

use crate::copy::{TOO_EARLY, Target, more};

/// The largest distance of 13 bits, less 1; then one of 16 bits follows.
const FAR: usize = 8191;
/// The longest match whose length the control byte holds.
const LONG: usize = 7;

/// Decodes a stream that has as many bytes as the target.
pub fn decode(stream: &[u8], target: &mut [u8]) -> Result<(), &'static str> {
    let mut target = Target::new(target);
    let mut at = 0;
    let mut control = next(stream, &mut at)? & 0x1f;
    loop {
        if control < 0x20 {
            let count = usize::from(control) + 1;
            target.append(stream, at, count)?;
            at += count;
            if at == stream.len() {
                return target.finish();
            }
        } else {
            let mut length = usize::from(control >> 5);
            if length == LONG {
                length += more(stream, &mut at)?;
            }
            let near = u16::from_be_bytes([control & 0x1f, next(stream, &mut at)?]);
            let distance = match usize::from(near) {
                FAR => {
                    let far = [next(stream, &mut at)?, next(stream, &mut at)?];
                    FAR + usize::from(u16::from_be_bytes(far))
                }
                near => near,
            };
            target.repeat(distance + 1, length + 2)?;
        }
        control = next(stream, &mut at)?;
    }
}

#[inline(always)]
fn next(stream: &[u8], at: &mut usize) -> Result<u8, &'static str> {
    let byte = *stream.get(*at).ok_or(TOO_EARLY)?;
    *at += 1;
    Ok(byte)
}
