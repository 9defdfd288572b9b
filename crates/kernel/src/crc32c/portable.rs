//! The kernel for WebAssembly without SIMD, and for its translation to JavaScript: sparse multiples (see
//! [`super::sparse`]) on words of 4 bytes, with the offsets of six terms multiplied by 4, so that they count words.

use super::{sparse::SIX_TERMS, table};

type Word = u32;
const SIZE: usize = size_of::<Word>();
/// The number of earlier words that the terms reach back to, and of words that are left of a message.
const WINDOW: usize = SIX_TERMS.window();
/// Words that are eliminated before the history is moved back to the start of the buffer.
const BLOCK: usize = 4 * WINDOW;

/// Below this many bytes the tables alone are faster.
const SHORTEST: usize = 4 * WINDOW * SIZE;

/// Continues the CRC-32C `crc` over `bytes`; start with 0.
pub fn update(crc: u32, bytes: &[u8]) -> u32 {
    if bytes.len() < SHORTEST {
        return table::update(crc, bytes);
    }
    let (words, odd) = bytes.as_chunks::<SIZE>();
    let (eliminated, left) = words.split_at(words.len() - WINDOW);

    // The history, followed by the words of a block.
    let mut buffer = [0; WINDOW + BLOCK];
    let mut register = !crc;
    for block in eliminated.chunks(BLOCK) {
        for (i, word) in block.iter().enumerate() {
            buffer[WINDOW + i] = Word::from_le_bytes(*word) ^ register ^ terms(&buffer, i);
            register = 0;
        }
        buffer.copy_within(block.len()..block.len() + WINDOW, 0);
    }
    // The words that are left are not eliminated, so they are not added to later ones.
    buffer[WINDOW..].fill(0);
    let mut rest = [0; WINDOW * SIZE];
    let (rest_words, _) = rest.as_chunks_mut::<SIZE>();
    for (i, (rest, word)) in rest_words.iter_mut().zip(left).enumerate() {
        *rest = (Word::from_le_bytes(*word) ^ terms(&buffer, i)).to_le_bytes();
    }
    !table::register(table::register(0, &rest), odd)
}

/// Returns the sum of the terms for the word at `i` of the block.
fn terms(buffer: &[Word; WINDOW + BLOCK], i: usize) -> Word {
    SIX_TERMS
        .0
        .iter()
        .fold(0, |sum, offset| sum ^ buffer[WINDOW + i - offset])
}
