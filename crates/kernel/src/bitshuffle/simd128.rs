//! Sixteen bytes of each row at a time: interleaved, so that each vector holds two words of one byte of every row.

use super::{STEPS, portable::gather_plane};
use crate::{
    interleave::Rows,
    vector::{load, store},
};
use core::arch::wasm32::*;

/// Joins the bits of `bytes` bytes in each plane.
pub fn gather_planes(bytes: usize, source: &[u8], target: &mut [u8]) {
    if bytes == 0 {
        return;
    }
    let planes = source.chunks_exact(bytes);
    for (plane, target) in planes.zip(target.chunks_exact_mut(bytes)) {
        let length = bytes / 8;
        let rows: [&[[u8; 16]]; 8] =
            core::array::from_fn(|row| plane[row * length..][..length].as_chunks().0);
        let (blocks, _) = target.as_chunks_mut::<128>();
        for (i, block) in blocks.iter_mut().enumerate() {
            let rows: [v128; 8] = core::array::from_fn(|row| load(&rows[row][i]));
            for (to, words) in block.as_chunks_mut().0.iter_mut().zip(rows.interleaved()) {
                store(to, transposed(words));
            }
        }
        gather_plane(plane, target, length / 16 * 16);
    }
}

/// Transposes the 8 x 8 bits of each of two words.
#[inline(always)]
fn transposed(mut words: v128) -> v128 {
    for (shift, mask) in STEPS {
        let moved = v128_and(v128_xor(words, u64x2_shr(words, shift)), u64x2_splat(mask));
        words = v128_xor(words, v128_xor(moved, u64x2_shl(moved, shift)));
    }
    words
}
