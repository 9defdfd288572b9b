//! Blocks of LZ4: sequences of literals and a match, each of which begins with the lengths of both. The last has no match.
//!
//! ```text
//! | literals - match | more literals ... | literals ... | distance | more match ... |
//! |    4  bits  4    |    255 goes on    |              |    2     |   255 goes on  |
//! ```
//!
//! The last bytes are always literals.
//!
//! Format: `lz4_Block_format.md` of LZ4.

use crate::{
    Chunk, Decoded, Memory,
    copy::{TOO_EARLY, Target, more},
};
use zarr_codecs::guard::{
    Problem,
    lz4::{self, HEADER},
};

/// The shortest match.
const SHORTEST_MATCH: usize = 4;
/// How many bytes are left where the last match begins, and after it, at least.
const LEFT: (usize, usize) = (12, 5);
/// A length that goes on in the next byte.
const MORE: usize = 15;

/// Decodes a block that follows its length.
pub fn decode<'a>(mut chunk: Chunk, memory: &'a mut Memory) -> Result<Decoded<'a>, Problem> {
    let expected = lz4::check(&mut chunk.reader, chunk.decoded_length)?.byte_length;
    let bytes = memory.of(chunk.size(expected.unwrap_or_default())?);
    decode_block(&chunk.encoded[HEADER..], bytes)
        .map_err(|problem| Problem::Invalid(problem, HEADER as u64))?;
    Ok(Decoded {
        bytes,
        is_covered: false,
    })
}

/// Decodes a block that has as many bytes as the target.
pub fn decode_block(block: &[u8], target: &mut [u8]) -> Result<(), &'static str> {
    let mut target = Target::new(target);
    let mut at = 0;
    loop {
        let token = usize::from(*block.get(at).ok_or(TOO_EARLY)?);
        at += 1;
        let literals = length(block, &mut at, token >> 4)?;
        target.append(block, at, literals)?;
        at += literals;
        if at == block.len() {
            return target.finish();
        }
        let distance = block.get(at..at + 2).ok_or(TOO_EARLY)?;
        let distance = u16::from_le_bytes([distance[0], distance[1]]);
        at += 2;
        let length = length(block, &mut at, token & 0xf)? + SHORTEST_MATCH;
        if distance == 0 {
            return Err("stream with a match at a distance of 0");
        }
        if target.left() < LEFT.0.max(length + LEFT.1) {
            return Err("stream with a match too close to its end");
        }
        target.repeat(distance.into(), length)?;
    }
}

/// Reads a length that begins with these 4 bits.
#[inline(always)]
fn length(block: &[u8], at: &mut usize, bits: usize) -> Result<usize, &'static str> {
    match bits {
        MORE => Ok(bits + more(block, at)?),
        _ => Ok(bits),
    }
}
