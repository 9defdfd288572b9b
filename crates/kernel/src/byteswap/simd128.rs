//! One swizzle per 16 bytes, four of them per step: with one, the overhead of the loop is as large as its work.
//!
//! A shuffle would do the same, but on x86-64 V8 compiles a constant shuffle to three to five instructions and a
//! swizzle to two: 10 % less time for 4 and 8 bytes, no more for 2 (Node 20).

use crate::vector::{in_steps, load, store};
use core::{arch::wasm32::*, hint::black_box};

const STEP: usize = 64;

/// Copies `source` to `target` with the bytes of each `SIZE`-byte component reversed.
pub fn copy_swapped<const SIZE: usize>(source: &[u8], target: &mut [u8]) {
    in_steps(source, target, copy_steps_swapped::<SIZE>);
}

/// Copies whole steps with the bytes of each component reversed.
#[inline(never)]
fn copy_steps_swapped<const SIZE: usize>(source: &[[u8; STEP]], target: &mut [[u8; STEP]]) {
    let reversed = Reversed::new(SIZE);
    for (to, from) in target.iter_mut().zip(source) {
        for (to, from) in to.as_chunks_mut().0.iter_mut().zip(from.as_chunks().0) {
            store(to, reversed.apply(load(from)));
        }
    }
}

/// The swizzle indices that reverse the bytes of each component in a vector.
#[derive(Clone, Copy)]
pub struct Reversed(v128);

impl Reversed {
    /// Creates the indices for components of `size` bytes: 1, 2, 4 or 8.
    #[inline(always)]
    pub fn new(size: usize) -> Self {
        // LLVM turns a swizzle with constant indices into a shuffle.
        Self(black_box(match size {
            2 => u8x16(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14),
            4 => u8x16(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12),
            8 => u8x16(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8),
            _ => u8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
        }))
    }

    /// Returns `vector` with the bytes of each component reversed.
    #[inline(always)]
    pub fn apply(self, vector: v128) -> v128 {
        u8x16_swizzle(vector, self.0)
    }
}
