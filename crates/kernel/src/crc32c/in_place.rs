//! The kernel for long input that may be overwritten: sparse multiples (see [`super::sparse`]) with four terms, each
//! byte replaced by what it is when its turn comes. Four terms need 7024 bytes of the past, which are there, in place.
//!
//! All of it is one loop that adds earlier bytes to later ones, over spans shorter than the shortest offset, so that no
//! byte of a span depends on another.
//!
//! A message may come in pieces, one after another in the same buffer: what the next one needs of the past is kept in
//! front of it, and only the last piece costs the time of finishing.

use super::sparse::FOUR_TERMS;

const OFFSETS: [usize; 3] = FOUR_TERMS.0;

/// Bytes at the start of a buffer that hold the past, before the bytes of the message. There may be any, at first.
/// A few more than needed keep the message aligned to cache lines.
pub const PAST: usize = FOUR_TERMS.window().next_multiple_of(64);

/// Below this many bytes it is faster to leave a message as it is: at 24 KiB they are equal (Node 20).
pub const SHORTEST: usize = 24 * 1024;

/// Bytes whose addition is written out, so that the loop itself costs little.
const STEP: usize = 64;

/// Bytes that are added to at once: whole steps, and no more than the shortest offset.
const SPAN: usize = OFFSETS[0] / STEP * STEP;

/// Prepares the buffer with the first piece: nothing before it, and the register added to its first bytes.
pub fn begin(register: u32, buffer: &mut [u8]) {
    let (past, bytes) = buffer.split_at_mut(PAST);
    past.fill(0);
    for (byte, add) in bytes.iter_mut().zip(register.to_le_bytes()) {
        *byte ^= add;
    }
}

/// Eliminates a piece that is not the last, and keeps its past for the next. It has at least [`PAST`] bytes.
pub fn eliminate_piece(buffer: &mut [u8]) {
    let end = buffer.len();
    eliminate(buffer, end);
    buffer.copy_within(end - PAST.., 0);
}

/// Eliminates the last piece, which has at least [`PAST`] bytes, but for the bytes that are left in the end. They are
/// the whole message now.
pub fn eliminate_last(buffer: &mut [u8]) -> &[u8] {
    let end = buffer.len() - PAST;
    eliminate(buffer, end);
    // What is left is added to, but not eliminated, so it is not added to anything.
    let (past, left) = buffer.split_at_mut(end);
    for offset in OFFSETS {
        add_term(&mut left[..offset], &past[end - offset..]);
    }
    left
}

/// Adds the bytes of one term.
#[inline(never)]
fn add_term(bytes: &mut [u8], term: &[u8]) {
    let (steps, rest) = bytes.as_chunks_mut();
    let (term_steps, term_rest) = term.as_chunks();
    for (step, term) in steps.iter_mut().zip(term_steps) {
        add_step(step, [term]);
    }
    add(rest, [term_rest]);
}

/// Replaces the bytes behind the past, up to `end`, by what they are when their turn comes.
fn eliminate(buffer: &mut [u8], end: usize) {
    for start in (PAST..end).step_by(SPAN) {
        let length = SPAN.min(end - start);
        let (past, now) = buffer.split_at_mut(start);
        let (steps, rest) = now[..length].as_chunks_mut();
        let [(a, a_rest), (b, b_rest), (c, c_rest)] =
            OFFSETS.map(|offset| past[start - offset..][..length].as_chunks());
        for (((step, a), b), c) in steps.iter_mut().zip(a).zip(b).zip(c) {
            add_step(step, [a, b, c]);
        }
        add(rest, [a_rest, b_rest, c_rest]);
    }
}

/// Adds the bytes of each term to those of a step.
#[cfg(target_feature = "simd128")]
#[inline(always)]
fn add_step<const TERMS: usize>(step: &mut [u8; STEP], terms: [&[u8; STEP]; TERMS]) {
    use crate::vector::{load, store};
    use core::arch::wasm32::v128_xor;
    for (i, vector) in step.as_chunks_mut().0.iter_mut().enumerate() {
        let sum = terms.iter().fold(load(vector), |sum, term| {
            v128_xor(sum, load(&term.as_chunks().0[i]))
        });
        store(vector, sum);
    }
}

/// The same. Native compilers make vector code of it.
#[cfg(not(target_feature = "simd128"))]
#[inline(always)]
fn add_step<const TERMS: usize>(step: &mut [u8; STEP], terms: [&[u8; STEP]; TERMS]) {
    add(step, terms.map(|term| &term[..]));
}

/// The same for fewer bytes.
#[inline(always)]
fn add<const TERMS: usize>(bytes: &mut [u8], terms: [&[u8]; TERMS]) {
    for term in terms {
        for (byte, add) in bytes.iter_mut().zip(term) {
            *byte ^= add;
        }
    }
}
