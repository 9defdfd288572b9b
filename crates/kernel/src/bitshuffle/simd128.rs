//! Sixteen bytes of each row at a time: the rows are interleaved, so that each vector holds two words of one byte of every row.

use super::{STEPS, portable::gather_plane};
use crate::vector::{load, store};
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
            let words = interleaved(core::array::from_fn(|row| load(&rows[row][i])));
            for (to, words) in block.as_chunks_mut().0.iter_mut().zip(words) {
                store(to, transposed(words));
            }
        }
        gather_plane(plane, target, length / 16 * 16);
    }
}

/// Returns the columns of eight rows of 16 bytes, two in each vector.
#[inline(always)]
fn interleaved(rows: [v128; 8]) -> [v128; 8] {
    let [a, b, c, d, e, f, g, h] = rows;
    let pairs = [bytes(a, b), bytes(c, d), bytes(e, f), bytes(g, h)];
    let [low, high] = [0, 1].map(|half| {
        let [ab, cd, ef, gh] = pairs.map(|pair| pair[half]);
        let (abcd, efgh) = (units(ab, cd), units(ef, gh));
        let first = words(abcd[0], efgh[0]);
        let second = words(abcd[1], efgh[1]);
        [first[0], first[1], second[0], second[1]]
    });
    let [a, b, c, d] = low;
    let [e, f, g, h] = high;
    [a, b, c, d, e, f, g, h]
}

/// Interleaves bytes.
#[inline(always)]
fn bytes(a: v128, b: v128) -> [v128; 2] {
    [
        u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b),
        u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b),
    ]
}

/// Interleaves units of 2 bytes.
#[inline(always)]
fn units(a: v128, b: v128) -> [v128; 2] {
    [
        u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b),
        u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b),
    ]
}

/// Interleaves words of 4 bytes.
#[inline(always)]
fn words(a: v128, b: v128) -> [v128; 2] {
    [
        u32x4_shuffle::<0, 4, 1, 5>(a, b),
        u32x4_shuffle::<2, 6, 3, 7>(a, b),
    ]
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
