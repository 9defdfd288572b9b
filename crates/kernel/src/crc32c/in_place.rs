//! The kernel for long input that may be overwritten: sparse multiples (see [`super::sparse`]) with four terms. Each
//! byte is replaced by its value at the time of its elimination, so the earlier bytes that four terms need are in the
//! buffer. Serves any CRC of 32 bits that has such a multiple.
//!
//! The kernel is one loop that adds earlier bytes to later ones. It runs over spans shorter than the shortest offset,
//! so that no byte of a span depends on another.
//!
//! A message may come in pieces, one after another in the same buffer. The history that the next piece needs is kept in
//! front of it, and only the last piece pays for finishing.

use super::sparse::FOUR_TERMS;

/// The offsets of a sparse multiple with four terms, in ascending order.
pub type Offsets = [usize; 3];

/// Bytes at the start of a buffer that hold the history, before the bytes of the message. Their initial content does
/// not matter. Rounded up, to keep the message aligned to cache lines. No offset of a multiple is longer.
pub const HISTORY: usize = FOUR_TERMS.window().next_multiple_of(64);

/// Below this many bytes the kernels that do not overwrite their input are faster; at 24 KiB they are equal (Node 20).
pub const SHORTEST: usize = 24 * 1024;

/// Bytes that one iteration of the loop adds, to reduce its overhead.
const STEP: usize = 64;

/// Prepares a buffer that holds the first piece: clears the history and adds the register to the first bytes.
pub fn begin(register: u32, buffer: &mut [u8]) {
    let (history, bytes) = buffer.split_at_mut(HISTORY);
    history.fill(0);
    for (byte, add) in bytes.iter_mut().zip(register.to_le_bytes()) {
        *byte ^= add;
    }
}

/// Eliminates a piece that is not the last, of at least [`HISTORY`] bytes, and keeps the history for the next.
pub fn eliminate_piece(buffer: &mut [u8], offsets: &Offsets) {
    let end = buffer.len();
    eliminate(buffer, end, offsets);
    buffer.copy_within(end - HISTORY.., 0);
}

/// Eliminates the last piece, of at least [`HISTORY`] bytes. Returns its last bytes, to which the message has been
/// reduced: as many as the longest offset.
pub fn eliminate_last<'a>(buffer: &'a mut [u8], offsets: &Offsets) -> &'a [u8] {
    let end = buffer.len() - offsets[2];
    eliminate(buffer, end, offsets);
    // The bytes that are left are not eliminated, so they are not added to later ones.
    let (history, left) = buffer.split_at_mut(end);
    for &offset in offsets {
        add_term(&mut left[..offset], &history[end - offset..]);
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

/// Replaces the bytes from the history to `end` by their values at the time of their elimination.
fn eliminate(buffer: &mut [u8], end: usize, offsets: &Offsets) {
    // Bytes that do not depend on each other: whole steps, no more than the shortest offset.
    let span = offsets[0] / STEP * STEP;
    for start in (HISTORY..end).step_by(span) {
        let length = span.min(end - start);
        let (history, now) = buffer.split_at_mut(start);
        let (steps, rest) = now[..length].as_chunks_mut();
        let [(a, a_rest), (b, b_rest), (c, c_rest)] =
            offsets.map(|offset| history[start - offset..][..length].as_chunks());
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

/// Adds the bytes of each term to those of a step. Native compilers vectorize the loop.
#[cfg(not(target_feature = "simd128"))]
#[inline(always)]
fn add_step<const TERMS: usize>(step: &mut [u8; STEP], terms: [&[u8; STEP]; TERMS]) {
    add(step, terms.map(|term| &term[..]));
}

/// Adds the bytes of each term to others of the same length.
#[inline(always)]
fn add<const TERMS: usize>(bytes: &mut [u8], terms: [&[u8]; TERMS]) {
    for term in terms {
        for (byte, add) in bytes.iter_mut().zip(term) {
            *byte ^= add;
        }
    }
}
