//! One shuffle for each 16 bytes, four of them at a step: with one, the loop itself takes as long as its work.

use crate::vector::{in_steps, load, store};
use core::arch::wasm32::*;

const STEP: usize = 64;

/// Copies `source` to `target` with the bytes of each `SIZE`-byte component reversed.
pub fn copy_swapped<const SIZE: usize>(source: &[u8], target: &mut [u8]) {
    in_steps(source, target, copy_steps_swapped::<SIZE>);
}

#[inline(never)]
fn copy_steps_swapped<const SIZE: usize>(source: &[[u8; STEP]], target: &mut [[u8; STEP]]) {
    for (to, from) in target.iter_mut().zip(source) {
        for (to, from) in to.as_chunks_mut().0.iter_mut().zip(from.as_chunks().0) {
            store(to, reversed::<SIZE>(load(from)));
        }
    }
}

#[inline(always)]
fn reversed<const SIZE: usize>(v: v128) -> v128 {
    match SIZE {
        2 => i8x16_shuffle::<1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14>(v, v),
        4 => i8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(v, v),
        8 => i8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8>(v, v),
        _ => unreachable!("components are 2, 4 or 8 bytes"),
    }
}
