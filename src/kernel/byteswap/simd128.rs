//! One shuffle for each 16 bytes, four of them at a step: with one, the loop itself takes as long as its work.

use super::portable;
use core::arch::wasm32::*;

const VECTOR: usize = 16;
const STEP: usize = 4 * VECTOR;

/// Copies `source` to `target` with the bytes of each `SIZE`-byte component reversed.
pub fn copy_swapped<const SIZE: usize>(source: &[u8], target: &mut [u8]) {
    let (steps, source) = source.as_chunks::<STEP>();
    let (target_steps, target) = target.as_chunks_mut::<STEP>();
    for (to, from) in target_steps.iter_mut().zip(steps) {
        let (from, _) = from.as_chunks::<VECTOR>();
        let (to, _) = to.as_chunks_mut::<VECTOR>();
        for (to, from) in to.iter_mut().zip(from) {
            // SAFETY: `from` and `to` are references to 16 bytes, and neither access needs alignment.
            unsafe {
                let vector = v128_load(from.as_ptr().cast());
                v128_store(to.as_mut_ptr().cast(), reversed::<SIZE>(vector));
            }
        }
    }
    portable::copy_swapped::<SIZE>(source, target);
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
