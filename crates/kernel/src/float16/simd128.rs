//! Eight or sixteen elements at a time. Cases are computed alike, without branches, but for what is too large.

use crate::vector::{in_steps, load, store};
use core::arch::wasm32::*;

/// Converts each binary16 of `source` to a binary32 in `target`.
pub fn widen<const SWAPPED: bool>(source: &[u8], target: &mut [u8]) {
    in_steps(source, target, widen_steps::<SWAPPED>);
}

/// Converts each binary32 of `source` to a binary16 in `target`.
pub fn narrow<const SWAPPED: bool>(source: &[u8], target: &mut [u8]) {
    in_steps(source, target, narrow_steps::<SWAPPED>);
}

#[inline(never)]
fn widen_steps<const SWAPPED: bool>(source: &[[u8; 16]], target: &mut [[u8; 32]]) {
    for (to, from) in target.iter_mut().zip(source) {
        let vectors = widened(order::<SWAPPED>(load(from)));
        for (to, vector) in to.as_chunks_mut().0.iter_mut().zip(vectors) {
            store(to, vector);
        }
    }
}

#[inline(never)]
fn narrow_steps<const SWAPPED: bool>(source: &[[u8; 64]], target: &mut [[u8; 32]]) {
    for (to, from) in target.iter_mut().zip(source) {
        let singles = [0, 1, 2, 3].map(|i| load(&from.as_chunks().0[i]));
        for (to, halves) in to.as_chunks_mut().0.iter_mut().zip(narrowed(singles)) {
            store(to, order::<SWAPPED>(halves));
        }
    }
}

#[inline(always)]
fn order<const SWAPPED: bool>(v: v128) -> v128 {
    match SWAPPED {
        true => i8x16_shuffle::<1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14>(v, v),
        false => v,
    }
}

/// What the exponents of binary16 and binary32 differ by, where binary32 has its exponent.
const BIAS: u32 = (127 - 15) << 23;

/// Eight binary16 as binary32: the first four, and the others.
#[inline(always)]
fn widened(halves: v128) -> [v128; 2] {
    let magnitudes = v128_and(halves, u16x8_splat(0x7fff));
    // The upper halves of what is added to finite magnitudes: the sign; for infinity and NaN the largest exponent; and
    // NaN becomes quiet.
    const INFINITY: i16 = 0x1f << 10;
    let is_special = i16x8_gt(magnitudes, i16x8_splat(INFINITY - 1));
    let is_nan = i16x8_gt(magnitudes, i16x8_splat(INFINITY));
    let signs = v128_and(halves, u16x8_splat(0x8000));
    let exponents = v128_and(is_special, u16x8_splat(0xff << 7));
    let quiet = v128_and(is_nan, u16x8_splat(1 << 6));
    let upper = v128_or(v128_or(signs, exponents), quiet);
    let zero = u16x8_splat(0);
    [
        v128_or(
            finite(u32x4_extend_low_u16x8(magnitudes)),
            u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(zero, upper),
        ),
        v128_or(
            finite(u32x4_extend_high_u16x8(magnitudes)),
            u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(zero, upper),
        ),
    ]
}

/// With exponent and fraction where binary32 has them a binary16 is the same number, but for a factor of 2^-112: also
/// where it is subnormal. The product is exact.
#[inline(always)]
fn finite(magnitudes: v128) -> v128 {
    let factor = f32x4_splat(f32::from_bits((127 + 112) << 23));
    f32x4_mul(u32x4_shl(magnitudes, 13), factor)
}

/// Sixteen binary32 as binary16.
#[inline(always)]
fn narrowed([a, b, c, d]: [v128; 4]) -> [v128; 2] {
    let (first, others) = (upper_halves(a, b), upper_halves(c, d));
    let largest = i16x8_max(exponents(first), exponents(others));
    if v128_any_true(i16x8_gt(largest, i16x8_splat((127 + 15) << 7))) {
        let [a, b, c, d] = [a, b, c, d].map(narrowed_large);
        return [u16x8_narrow_i32x4(a, b), u16x8_narrow_i32x4(c, d)];
    }
    [narrowed_small(a, b, first), narrowed_small(c, d, others)]
}

/// Signs, exponents and the first bits of fractions.
#[inline(always)]
fn upper_halves(low: v128, high: v128) -> v128 {
    i16x8_narrow_i32x4(i32x4_shr(low, 16), i32x4_shr(high, 16))
}

#[inline(always)]
fn exponents(upper: v128) -> v128 {
    v128_and(upper, u16x8_splat(0xff << 7))
}

/// Eight binary32 below 2^16 as binary16.
#[inline(always)]
fn narrowed_small(low: v128, high: v128, upper: v128) -> v128 {
    // The last place of 2^13 times the number's power of two is the last place that stays, and beside 1/2 it is that of a
    // subnormal binary16. So adding such a power rounds to nearest even, and what stays is in the last bits of the sum.
    const HALF: i16 = (127 - 1) << 7;
    let powers = i16x8_max(
        i16x8_add(exponents(upper), i16x8_splat(13 << 7)),
        i16x8_splat(HALF),
    );
    let signs = v128_and(upper, u16x8_splat(0x8000));
    let signed = v128_or(powers, signs);
    let zero = u16x8_splat(0);
    let rounded = |singles, powers| v128_and(f32x4_add(singles, powers), u32x4_splat(0xfff));
    let fractions = u16x8_narrow_i32x4(
        rounded(low, u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(zero, signed)),
        rounded(
            high,
            u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(zero, signed),
        ),
    );
    // The fraction of a normal number has its first bit, which counts as one more of the exponent.
    let exponents = i16x8_shl(i16x8_sub(powers, i16x8_splat(HALF)), 3);
    v128_or(signs, i16x8_add(exponents, fractions))
}

/// Four binary32 as binary16, in the lower halves of the lanes, where some are too large for it, or NaN.
#[cold]
#[inline(never)]
fn narrowed_large(singles: v128) -> v128 {
    let magnitude = v128_and(singles, i32x4_splat(0x7fff_ffff));
    let sign = v128_and(u32x4_shr(singles, 16), i32x4_splat(0x8000));
    let upper = u32x4_shr(magnitude, 13);

    // What is too large becomes 2^16, where binary16 has infinity. Half of the last place that stays, less one if that
    // is even, is carried into it: rounds to nearest even.
    let clamped = i32x4_min(magnitude, u32x4_splat(65536_f32.to_bits()));
    let odd = v128_and(upper, i32x4_splat(1));
    let rounding = u32x4_add(odd, u32x4_splat(0xfff_u32.wrapping_sub(BIAS)));
    let normal = u32x4_shr(u32x4_add(clamped, rounding), 13);
    // Beside 1/2 the last place of a binary32 is that of a subnormal binary16, so the addition rounds.
    let half = u32x4_splat(0.5_f32.to_bits());
    let subnormal = u32x4_sub(f32x4_add(magnitude, half), half);
    let is_subnormal = i32x4_gt(u32x4_splat(BIAS + (1 << 23)), magnitude);
    let finite = v128_bitselect(subnormal, normal, is_subnormal);

    // A quiet NaN is infinity with the upper bits of its payload, the first of them set.
    let payload = v128_or(v128_and(upper, i32x4_splat(0x3ff)), i32x4_splat(0x200));
    let quiet = v128_and(i32x4_gt(magnitude, i32x4_splat(0xff << 23)), payload);
    v128_or(v128_or(finite, sign), quiet)
}
