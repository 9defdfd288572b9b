//! The kernel for long input: sparse multiples (see [`super::sparse`]) with four terms. Serves any CRC of 32 bits that has
//! such a multiple.
//!
//! Each byte is added to three earlier ones: their values at the time of their elimination, which are kept in a ring. The
//! message is only read, and the ring stays in the first-level cache. A message may come in pieces, and only the last one
//! pays for finishing.

use super::sparse::FOUR_TERMS;
#[cfg(target_feature = "simd128")]
use crate::byteswap::simd128::Reversed;
#[cfg(target_feature = "simd128")]
pub(super) use crate::vector::{load, store};
#[cfg(target_feature = "simd128")]
pub(super) use core::arch::wasm32::{v128 as Vector, v128_xor as xor};
#[cfg(target_feature = "simd128")]
use core::array::from_fn;
#[cfg(not(target_feature = "simd128"))]
pub(super) use integer::{Vector, load, store, xor};

/// The offsets of a sparse multiple with four terms, in ascending order.
pub type Offsets = [usize; 3];

/// Bytes that one iteration of a loop adds, to reduce its overhead. Fewer than any offset, so that none of them depends on
/// another.
pub const STEP: usize = 128;

/// A power of two, longer than any offset by more than a step: no value is overwritten before its last use.
const RING: usize = 8192;

/// The most bytes that are left of a message, in whole steps. No multiple has a longer offset.
const LEFT: usize = (FOUR_TERMS.window() + STEP).next_multiple_of(STEP);
const _: () = assert!(LEFT <= RING);

/// The memory of the kernel, whose content before [`History::begin`] does not matter.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct History {
    /// The eliminated bytes. The first step is repeated at the end, so that a term never wraps around within a step.
    ring: [u8; RING + STEP],
    /// The sums of the bytes that are left.
    left: [u8; LEFT],
    /// The number of bytes so far, modulo `RING`.
    end: usize,
}

impl History {
    /// Creates the memory.
    #[allow(clippy::new_without_default)] // For statics.
    pub const fn new() -> Self {
        Self {
            ring: [0; RING + STEP],
            left: [0; LEFT],
            end: 0,
        }
    }

    /// Begins a message: puts the register where the longest offset adds it to the first bytes. (The other offsets would
    /// add it to bytes before them.)
    pub fn begin(&mut self, register: u32, offsets: &Offsets) {
        self.ring.fill(0);
        self.ring[RING - offsets[2]..][..size_of::<u32>()].copy_from_slice(&register.to_le_bytes());
        self.end = 0;
    }

    /// Returns how many of `length` bytes are eliminated: whole steps, and of the last piece all but those left.
    pub const fn eliminated(length: usize, is_last: bool, offsets: &Offsets) -> usize {
        let left = if is_last { offsets[2] } else { 0 };
        (length - left) / STEP * STEP
    }

    /// Eliminates whole steps.
    #[inline(never)]
    pub fn eliminate(&mut self, bytes: &[u8], offsets: &Offsets) {
        let mut end = self.end; // A local variable stays in a register.
        for step in bytes.as_chunks::<STEP>().0 {
            let starts = starts(end, offsets);
            for (lane, vector) in step.as_chunks().0.iter().enumerate() {
                let sum = add_terms(load(vector), &self.ring, starts, lane);
                store(ring_lane(&mut self.ring, end, lane), sum);
            }
            end = next(&mut self.ring, end, STEP);
        }
        self.end = end;
    }

    /// Eliminates whole steps, and copies them to `target` with the bytes of each component of `size` bytes reversed: in one
    /// loop, where each vector is loaded once for both. All sums of half a step come before the first store, which takes 8 %
    /// less time than a store after each, as above; there, it would take 4 % more.
    #[cfg(target_feature = "simd128")]
    #[inline(never)]
    pub fn eliminate_swapped(
        &mut self,
        bytes: &[u8],
        offsets: &Offsets,
        target: &mut [u8],
        size: usize,
    ) {
        let reversed = Reversed::new(size);
        let mut end = self.end;
        let parts = bytes.as_chunks::<PART>().0.iter();
        for (part, target) in parts.zip(target.as_chunks_mut::<PART>().0) {
            let starts = starts(end, offsets);
            let vectors: [Vector; IN_PART] = from_fn(|lane| load(&part.as_chunks().0[lane]));
            let sums: [Vector; IN_PART] =
                from_fn(|lane| add_terms(vectors[lane], &self.ring, starts, lane));
            for (lane, sum) in sums.into_iter().enumerate() {
                store(ring_lane(&mut self.ring, end, lane), sum);
            }
            for (lane, vector) in target.as_chunks_mut().0.iter_mut().zip(vectors) {
                store(lane, reversed.apply(vector));
            }
            end = next(&mut self.ring, end, PART);
        }
        self.end = end;
    }

    /// Adds the terms to the bytes of the message that are left. Returns the sums, to which the message has been reduced.
    #[inline(never)]
    pub fn finish(&mut self, bytes: &[u8], offsets: &Offsets) -> &[u8] {
        self.left[..bytes.len()].copy_from_slice(bytes);
        let length = bytes.len().next_multiple_of(STEP);
        let mut end = self.end;
        for step in self.left[..length].as_chunks_mut::<STEP>().0 {
            let starts = starts(end, offsets);
            for (lane, bytes) in step.as_chunks_mut().0.iter_mut().enumerate() {
                store(bytes, add_terms(load(bytes), &self.ring, starts, lane));
                // It is not eliminated, so it is not added to later ones.
                *ring_lane(&mut self.ring, end, lane) = [0; LANES];
            }
            end = next(&mut self.ring, end, STEP);
        }
        &self.left[..bytes.len()]
    }
}

/// Bytes per vector.
const LANES: usize = 16;
/// The half of a step, whose vectors and sums fit into the registers together.
#[cfg(target_feature = "simd128")]
const PART: usize = 64;
/// Vectors per part.
#[cfg(target_feature = "simd128")]
const IN_PART: usize = PART / LANES;

/// Returns where the terms of the step at `end` start in the ring.
#[inline(always)]
fn starts(end: usize, offsets: &Offsets) -> [usize; 3] {
    offsets.map(|offset| end.wrapping_sub(offset) % RING)
}

/// Adds the terms to a vector of a step.
#[inline(always)]
fn add_terms(vector: Vector, ring: &[u8; RING + STEP], starts: [usize; 3], lane: usize) -> Vector {
    let [a, b, c] = starts.map(|start| load(&ring[start..].as_chunks().0[lane]));
    xor(xor(a, b), xor(c, vector))
}

/// Returns a vector of the step at `end`.
#[inline(always)]
fn ring_lane(ring: &mut [u8; RING + STEP], end: usize, lane: usize) -> &mut [u8; LANES] {
    &mut ring[end % RING..].as_chunks_mut().0[lane]
}

/// Returns the position in the ring after the bytes at `end`, which have been written.
#[inline(always)]
fn next(ring: &mut [u8; RING + STEP], end: usize, length: usize) -> usize {
    let next = (end + length) % RING;
    if next == STEP {
        // By vectors: in front of a call to copy memory, the loop would save its registers.
        let (first, rest) = ring.as_chunks_mut().0.split_at_mut(STEP / LANES);
        let repeated = &mut rest[(RING - STEP) / LANES..];
        for (to, from) in repeated.iter_mut().zip(first) {
            store(to, load(from));
        }
    }
    next
}

/// Vectors as integers, where there are no others.
#[cfg(not(target_feature = "simd128"))]
mod integer {
    pub type Vector = u128;

    pub const fn load(bytes: &[u8; 16]) -> Vector {
        Vector::from_ne_bytes(*bytes)
    }

    pub const fn store(bytes: &mut [u8; 16], vector: Vector) {
        *bytes = vector.to_ne_bytes();
    }

    pub const fn xor(a: Vector, b: Vector) -> Vector {
        a ^ b
    }
}
