//! Streams of zlib: a header of 2 bytes, deflated data, and the Adler-32 of the decoded bytes, big endian.
//!
//! Format: RFC 1950.

use super::{Expected, Problem, Reader, Stored};
use crate::kernel::digest::Algorithm;

/// The length of the header.
pub const HEADER: usize = 2;
/// The shortest deflated data.
pub(super) const SHORTEST: usize = 2;
/// The length of the checksum after the deflated data.
pub const TRAILER: usize = 4;

/// Checks a stream.
pub fn check(encoded: &mut Reader, decoded_length: Option<u64>) -> Result<Expected, Problem> {
    // All of the shortest stream.
    let least = encoded.bytes(0, HEADER + SHORTEST + TRAILER)?;
    let (method, flags) = (least[0], least[1]);
    let has_dictionary = flags & 0x20 != 0;
    let is_valid = method & 0x0f == 8
        && method >> 4 <= 7
        && !has_dictionary
        && u16::from_be_bytes([method, flags]).is_multiple_of(31);
    if !is_valid {
        return Err(encoded.invalid("invalid header", 0));
    }
    let stored = encoded.number(encoded.length() - TRAILER as u64, TRAILER)?;
    Ok(Expected {
        byte_length: decoded_length,
        checksum: Some(Stored {
            algorithm: Algorithm::Adler32,
            value: (stored as u32).swap_bytes(),
            covered: None,
        }),
        ..Expected::default()
    })
}
