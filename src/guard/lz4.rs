//! Blocks of LZ4 as numcodecs stores them: the number of decoded bytes (4 bytes, little endian), and the block.
//!
//! Format: `lz4_Block_format.md` of LZ4; `lz4.pyx` of numcodecs.

use super::{Expected, Problem, Reader, expect_length};

/// The length of the header.
pub const HEADER: usize = 4;
/// How many bytes a byte of a block decodes to at most.
const MOST_PER_BYTE: u64 = 255;

/// Checks a block.
pub fn check(encoded: &mut Reader, decoded_length: Option<u64>) -> Result<Expected, Problem> {
    // A block has at least one byte.
    encoded.bytes(0, HEADER + 1)?;
    let stated = encoded.number(0, HEADER)?;
    expect_length("header says", stated, decoded_length)?;
    if stated > encoded.length() * MOST_PER_BYTE {
        return Err(encoded.invalid("header with an impossible length", 0));
    }
    Ok(Expected {
        byte_length: Some(stated),
        ..Expected::default()
    })
}
