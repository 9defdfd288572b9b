//! The kernel for WebAssembly without SIMD, and for its translation to JavaScript: sparse multiples
//! (see [`super::sparse`]) on words of 4 bytes, with the offsets of six terms multiplied by 4 so that words stay whole.

use super::{sparse::SIX_TERMS, table};

type Word = u32;
const SIZE: usize = size_of::<Word>();
/// Words that are left of a message, and that are needed of the past.
const WINDOW: usize = SIX_TERMS.window();
/// Words that are eliminated before the past is moved back to the start of the buffer.
const BLOCK: usize = 4 * WINDOW;

/// Below this many bytes the tables alone are faster.
const SHORTEST: usize = 4 * WINDOW * SIZE;

/// The CRC-32C of what `crc` is of, followed by `bytes`.
pub fn update(crc: u32, bytes: &[u8]) -> u32 {
    if bytes.len() < SHORTEST {
        return table::update(crc, bytes);
    }
    let (words, odd) = bytes.as_chunks::<SIZE>();
    let (eliminated, left) = words.split_at(words.len() - WINDOW);

    // The past, followed by the words of a block.
    let mut buffer = [0; WINDOW + BLOCK];
    let mut register = !crc;
    for block in eliminated.chunks(BLOCK) {
        for (i, word) in block.iter().enumerate() {
            buffer[WINDOW + i] = Word::from_le_bytes(*word) ^ register ^ past(&buffer, i);
            register = 0;
        }
        buffer.copy_within(block.len()..block.len() + WINDOW, 0);
    }
    // The words that are left are not eliminated, so they are not added to later ones.
    buffer[WINDOW..].fill(0);
    let mut rest = [0; WINDOW * SIZE];
    let (rest_words, _) = rest.as_chunks_mut::<SIZE>();
    for (i, (rest, word)) in rest_words.iter_mut().zip(left).enumerate() {
        *rest = (Word::from_le_bytes(*word) ^ past(&buffer, i)).to_le_bytes();
    }
    !table::register(table::register(0, &rest), odd)
}

/// What the terms add to the word at `i` of the block.
fn past(buffer: &[Word; WINDOW + BLOCK], i: usize) -> Word {
    SIX_TERMS
        .0
        .iter()
        .fold(0, |sum, offset| sum ^ buffer[WINDOW + i - offset])
}
