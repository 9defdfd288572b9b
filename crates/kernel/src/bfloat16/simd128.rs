//! Widens by a shuffle with zeros, which also swaps bytes; narrows by an addition and a shuffle.

use crate::vector::{in_steps, load, store};
use core::arch::wasm32::*;

/// Converts each bfloat16 of `source` to a binary32 in `target`.
pub fn widen<const SWAPPED: bool>(source: &[u8], target: &mut [u8]) {
    in_steps(source, target, widen_steps::<SWAPPED>);
}

/// Converts each binary32 of `source` to a bfloat16 in `target`.
pub fn narrow<const SWAPPED: bool>(source: &[u8], target: &mut [u8]) {
    in_steps(source, target, narrow_steps::<SWAPPED>);
}

#[inline(never)]
fn widen_steps<const SWAPPED: bool>(source: &[[u8; 16]], target: &mut [[u8; 32]]) {
    let zero = u8x16_splat(0);
    for (to, from) in target.iter_mut().zip(source) {
        let halves = load(from);
        let vectors = if SWAPPED {
            [
                i8x16_shuffle::<0, 0, 17, 16, 0, 0, 19, 18, 0, 0, 21, 20, 0, 0, 23, 22>(
                    zero, halves,
                ),
                i8x16_shuffle::<0, 0, 25, 24, 0, 0, 27, 26, 0, 0, 29, 28, 0, 0, 31, 30>(
                    zero, halves,
                ),
            ]
        } else {
            [
                u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(zero, halves),
                u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(zero, halves),
            ]
        };
        for (to, vector) in to.as_chunks_mut().0.iter_mut().zip(vectors) {
            store(to, vector);
        }
    }
}

#[inline(never)]
fn narrow_steps<const SWAPPED: bool>(source: &[[u8; 32]], target: &mut [[u8; 16]]) {
    for (to, from) in target.iter_mut().zip(source) {
        let [low, high] = [0, 1].map(|i| rounded(load(&from.as_chunks().0[i])));
        store(
            to,
            if SWAPPED {
                i8x16_shuffle::<3, 2, 7, 6, 11, 10, 15, 14, 19, 18, 23, 22, 27, 26, 31, 30>(
                    low, high,
                )
            } else {
                u16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(low, high)
            },
        );
    }
}

/// Rounds four binary32 to bfloat16, in the upper halves of the lanes.
#[inline(always)]
fn rounded(singles: v128) -> v128 {
    let odd = v128_and(u32x4_shr(singles, 16), u32x4_splat(1));
    let sum = u32x4_add(u32x4_add(singles, u32x4_splat(0x7fff)), odd);
    let payload = v128_and(singles, u32x4_splat(0x7f << 16));
    let no_payload = u32x4_eq(payload, u32x4_splat(0));
    let nan = v128_or(singles, v128_and(no_payload, u32x4_splat(0x40 << 16)));
    v128_bitselect(sum, nan, f32x4_eq(singles, singles))
}
