//! Streams of zlib: a header of 2 bytes, deflated data, and the Adler-32 of the decoded bytes, big endian.
//!
//! Format: RFC 1950.

use super::{Expected, Problem, Reader, Stored};
use crate::kernel::digest::Algorithm;
use alloc::format;

const HEADER: u64 = 2;
/// The shortest deflated data.
pub(super) const SHORTEST: u64 = 2;
const TRAILER: u64 = 4;

/// Checks a stream.
pub fn check(encoded: &mut Reader, decoded_length: Option<u64>) -> Result<Expected, Problem> {
    let length = encoded.length();
    let (Some([method, flags]), true) = (encoded.bytes(0), length >= HEADER + SHORTEST + TRAILER)
    else {
        return Err(Problem::Invalid(format!(
            "{length} bytes are too short for a stream"
        )));
    };
    let has_dictionary = flags & 0x20 != 0;
    let is_valid = method & 0x0f == 8
        && method >> 4 <= 7
        && !has_dictionary
        && u16::from_be_bytes([method, flags]).is_multiple_of(31);
    if !is_valid {
        return Err(Problem::Invalid(format!(
            "invalid header 0x{method:02x}{flags:02x}"
        )));
    }
    let stored = encoded
        .bytes(length - TRAILER)
        .ok_or_else(|| Problem::truncated("the trailer"))?;
    Ok(Expected {
        byte_length: decoded_length,
        checksum: Some(Stored {
            algorithm: Algorithm::Adler32,
            value: u32::from_be_bytes(stored),
            covered: None,
        }),
    })
}
