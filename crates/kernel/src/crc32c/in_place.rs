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
use crate::byteswap::copy_swapped_by;
#[cfg(target_feature = "simd128")]
use crate::{
    byteswap::simd128::Reversed,
    vector::{load, store},
};
#[cfg(target_feature = "simd128")]
use core::arch::wasm32::v128_xor;

/// The offsets of a sparse multiple with four terms, in ascending order.
pub type Offsets = [usize; 3];

/// Bytes at the start of a buffer that hold the history, before the bytes of the message. Their initial content does
/// not matter. Rounded up, to keep the message aligned to cache lines. No offset of a multiple is longer.
pub const HISTORY: usize = FOUR_TERMS.window().next_multiple_of(64);

/// Below this many bytes the kernels that do not overwrite their input are faster; at 24 KiB they are equal (Node 20).
pub const SHORTEST: usize = 24 * 1024;

/// Bytes that one iteration of the loop adds, to reduce its overhead.
pub(super) const STEP: usize = 64;

/// Prepares a buffer that holds the first piece: clears the history, and puts the register where the longest offset adds
/// it to the first bytes. (The other offsets would add it to bytes before them.)
pub fn begin(register: u32, buffer: &mut [u8], offsets: &Offsets) {
    let history = &mut buffer[..HISTORY];
    history.fill(0);
    let start = HISTORY - offsets[2];
    history[start..][..size_of::<u32>()].copy_from_slice(&register.to_le_bytes());
}

/// Eliminates a piece that is not the last, of at least [`HISTORY`] bytes, and keeps the history for the next.
pub fn eliminate_piece(buffer: &mut [u8], offsets: &Offsets, mut copy: impl PieceCopy) {
    let end = buffer.len();
    eliminate(buffer, end, offsets, &mut copy);
    buffer.copy_within(end - HISTORY.., 0);
}

/// Eliminates the last piece, of at least [`HISTORY`] bytes. Returns its last bytes, to which the message has been
/// reduced: as many as the longest offset.
pub fn eliminate_last<'a>(
    buffer: &'a mut [u8],
    offsets: &Offsets,
    mut copy: impl PieceCopy,
) -> &'a [u8] {
    let end = buffer.len() - offsets[2];
    eliminate(buffer, end, offsets, &mut copy);
    copy.take(&buffer[end..]);
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

/// Replaces the bytes from the history to `end` by their values at the time of their elimination. Copies them before.
#[inline(never)]
fn eliminate(buffer: &mut [u8], end: usize, offsets: &Offsets, copy: &mut impl PieceCopy) {
    // Bytes that do not depend on each other: whole steps, no more than the shortest offset.
    let span = offsets[0] / STEP * STEP;
    for start in (HISTORY..end).step_by(span) {
        let length = span.min(end - start);
        let (history, now) = buffer.split_at_mut(start);
        let terms = offsets.map(|offset| &history[start - offset..][..length]);
        copy.take_then_add(&mut now[..length], terms);
    }
}

/// A copy of the bytes of a piece, which are overwritten.
pub trait PieceCopy {
    /// Takes the next bytes.
    fn take(&mut self, bytes: &[u8]);

    /// Takes the next bytes, and adds the bytes of each term to them.
    fn take_then_add(&mut self, bytes: &mut [u8], terms: [&[u8]; 3]) {
        self.take(bytes);
        add_terms(bytes, terms);
    }
}

/// No copy.
impl PieceCopy for () {
    fn take(&mut self, _: &[u8]) {}
}

/// A copy in which the bytes of each component are reversed.
pub struct SwappedCopy<'a> {
    /// As long as what is left of the piece.
    target: &'a mut [u8],
    /// The size of a component: 2, 4 or 8 bytes.
    size: usize,
}

impl<'a> SwappedCopy<'a> {
    /// Creates a copy to `target`, which is as long as the piece, of components of `size` bytes.
    pub fn new(target: &'a mut [u8], size: usize) -> Self {
        Self { target, size }
    }

    /// Returns the next `length` bytes of the target.
    fn next(&mut self, length: usize) -> &'a mut [u8] {
        self.target.split_off_mut(..length).unwrap_or_default()
    }
}

impl PieceCopy for SwappedCopy<'_> {
    fn take(&mut self, bytes: &[u8]) {
        copy_swapped_by(self.size, bytes, self.next(bytes.len()));
    }

    #[cfg(target_feature = "simd128")]
    fn take_then_add(&mut self, bytes: &mut [u8], terms: [&[u8]; 3]) {
        let whole = bytes.len() / STEP * STEP;
        let (steps, rest) = bytes.split_at_mut(whole);
        let [(a, a_rest), (b, b_rest), (c, c_rest)] = terms.map(|term| term.split_at(whole));
        swap_then_add(steps, self.next(whole), [a, b, c], Reversed::new(self.size));
        self.take(rest);
        add(rest, [a_rest, b_rest, c_rest]);
    }
}

/// Copies whole steps with their components reversed, and adds the bytes of each term to them. Each vector is loaded once
/// for both, which takes 7 % less time than two loops (64 KiB, Node 20).
#[cfg(target_feature = "simd128")]
#[inline(never)]
fn swap_then_add(bytes: &mut [u8], target: &mut [u8], terms: [&[u8]; 3], reversed: Reversed) {
    let (steps, _) = bytes.as_chunks_mut::<STEP>();
    let (targets, _) = target.as_chunks_mut::<STEP>();
    let [a, b, c] = terms.map(|term| term.as_chunks::<STEP>().0);
    for ((((step, target), a), b), c) in steps.iter_mut().zip(targets).zip(a).zip(b).zip(c) {
        let (step, _) = step.as_chunks_mut();
        let (target, _) = target.as_chunks_mut();
        let [a, b, c] = [a, b, c].map(|term| term.as_chunks().0);
        for (i, vector) in step.iter_mut().enumerate() {
            let bytes = load(vector);
            store(&mut target[i], reversed.apply(bytes));
            let sum = v128_xor(load(&a[i]), load(&b[i]));
            store(vector, v128_xor(sum, v128_xor(bytes, load(&c[i]))));
        }
    }
}

/// Adds the bytes of each term to others.
#[inline(never)]
fn add_terms(bytes: &mut [u8], terms: [&[u8]; 3]) {
    let (steps, rest) = bytes.as_chunks_mut();
    let [(a, a_rest), (b, b_rest), (c, c_rest)] = terms.map(|term| term.as_chunks());
    for (((step, a), b), c) in steps.iter_mut().zip(a).zip(b).zip(c) {
        add_step(step, [a, b, c]);
    }
    add(rest, [a_rest, b_rest, c_rest]);
}

/// Adds the bytes of each term to those of a step.
#[cfg(target_feature = "simd128")]
#[inline(always)]
pub(super) fn add_step<const TERMS: usize>(step: &mut [u8; STEP], terms: [&[u8; STEP]; TERMS]) {
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
pub(super) fn add_step<const TERMS: usize>(step: &mut [u8; STEP], terms: [&[u8; STEP]; TERMS]) {
    add(step, terms.map(|term| &term[..]));
}

/// Adds the bytes of each term to others of the same length.
#[inline(always)]
pub(super) fn add<const TERMS: usize>(bytes: &mut [u8], terms: [&[u8]; TERMS]) {
    for term in terms {
        for (byte, add) in bytes.iter_mut().zip(term) {
            *byte ^= add;
        }
    }
}
