//! Blocks of LZ4.

use crate::{Chunk, Decoded};
use lz4_flex::block::{DecompressError, decompress_into};
use zarr_codecs::guard::{
    Problem,
    lz4::{self, HEADER},
};

/// Decodes a block that follows its length.
pub fn decode(mut chunk: Chunk) -> Result<Decoded, Problem> {
    let expected = lz4::check(&mut chunk.reader, chunk.decoded_length)?.byte_length;
    let mut bytes = vec![0; expected.unwrap_or_default() as usize];
    decode_block(&chunk.encoded[HEADER..], &mut bytes)
        .map_err(|problem| Problem::Invalid(problem, HEADER as u64))?;
    Ok(Decoded {
        bytes,
        is_covered: false,
    })
}

/// Decodes a block that has as many bytes as the target.
pub fn decode_block(block: &[u8], target: &mut [u8]) -> Result<(), &'static str> {
    match decompress_into(block, target) {
        Ok(length) if length == target.len() => Ok(()),
        Ok(_) => Err("block with fewer decoded bytes than stated"),
        Err(DecompressError::OutputTooSmall { .. }) => {
            Err("block with more decoded bytes than stated")
        }
        Err(DecompressError::OffsetZero | DecompressError::OffsetOutOfBounds) => {
            Err("block with a match before its start")
        }
        Err(_) => Err("block that ends too early"),
    }
}
