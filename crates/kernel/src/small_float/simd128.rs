//! Computes 16 numbers at a time: with exponent and mantissa moved to where binary32 has them, a code is the same number
//! times a power of two, also if it is subnormal.

use super::{Format, Widener};
use crate::vector::{in_steps, load, store};
use core::arch::wasm32::*;

/// Converts each code of `source` to a binary32 in `target`.
pub fn widen(format: Format, source: &[u8], target: &mut [u8]) {
    let widener = Widener::new(format);
    in_steps(source, target, |source, target| {
        widen_steps(widener, source, target)
    });
}

#[inline(never)]
fn widen_steps(widener: Widener, source: &[[u8; 16]], target: &mut [[u8; 64]]) {
    let factor = f32x4_splat(widener.factor);
    let [largest, nan, special, zero] =
        [widener.largest, widener.nan, widener.special, widener.zero].map(|bits| u32x4_splat(bits));
    let widened = |codes: v128| {
        let moved = u32x4_shl(codes, widener.left);
        let sign = v128_and(moved, u32x4_splat(1 << 31));
        let magnitude = u32x4_shr(v128_xor(moved, sign), widener.right);
        let finite = v128_or(
            f32x4_mul(magnitude, factor),
            v128_and(zero, i32x4_eq(magnitude, u32x4_splat(0))),
        );
        let is_special = v128_or(i32x4_gt(magnitude, largest), i32x4_eq(moved, nan));
        let bits = v128_bitselect(v128_or(magnitude, special), finite, is_special);
        v128_or(bits, sign)
    };
    for (to, from) in target.iter_mut().zip(source) {
        let codes = load(from);
        let [low, high] = [
            u16x8_extend_low_u8x16(codes),
            u16x8_extend_high_u8x16(codes),
        ];
        let quarters = [
            u32x4_extend_low_u16x8(low),
            u32x4_extend_high_u16x8(low),
            u32x4_extend_low_u16x8(high),
            u32x4_extend_high_u16x8(high),
        ];
        for (to, codes) in to.as_chunks_mut().0.iter_mut().zip(quarters) {
            store(to, widened(codes));
        }
    }
}
