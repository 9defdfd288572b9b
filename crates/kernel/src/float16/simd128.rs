//! Converts 8 or 16 elements at a time. There is one branch, for numbers that are too large or NaN; all other cases
//! share the same instructions.

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

/// Swaps the bytes of each component if `SWAPPED`.
#[inline(always)]
fn order<const SWAPPED: bool>(v: v128) -> v128 {
    match SWAPPED {
        true => i8x16_shuffle::<1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14>(v, v),
        false => v,
    }
}

/// The difference between the exponent biases of binary32 and binary16, at the position of binary32's exponent.
const BIAS: u32 = (127 - 15) << 23;

/// Converts eight binary16 to binary32: the first four, and the last four.
#[inline(always)]
fn widened(halves: v128) -> [v128; 2] {
    let magnitudes = v128_and(halves, u16x8_splat(0x7fff));
    // The upper halves of the bits that are combined with finite magnitudes: the sign, the largest exponent for
    // infinity and NaN, and the quiet bit for NaN.
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

/// Converts four finite binary16 without sign. With exponent and fraction moved to where binary32 has them, a binary16
/// is the same number times 2^-112, also if it is subnormal. Multiplying by 2^112 is exact.
#[inline(always)]
fn finite(magnitudes: v128) -> v128 {
    let factor = f32x4_splat(f32::from_bits((127 + 112) << 23));
    f32x4_mul(u32x4_shl(magnitudes, 13), factor)
}

/// Converts sixteen binary32 to binary16.
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

/// Returns the upper halves of eight binary32: sign, exponent and the first bits of the fraction.
#[inline(always)]
fn upper_halves(low: v128, high: v128) -> v128 {
    i16x8_narrow_i32x4(i32x4_shr(low, 16), i32x4_shr(high, 16))
}

/// Extracts the exponents from upper halves, in place.
#[inline(always)]
fn exponents(upper: v128) -> v128 {
    v128_and(upper, u16x8_splat(0xff << 7))
}

/// Converts eight binary32 below 2^16 to binary16.
#[inline(always)]
fn narrowed_small(low: v128, high: v128, upper: v128) -> v128 {
    // Adding 2^13 times the number's power of two rounds to nearest even at the last bit that binary16 keeps; for
    // subnormal results, adding 1/2 does. The bits that are kept are then the last bits of the sum.
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
    // The fraction of a normal number includes its leading 1, which adds 1 to the exponent.
    let exponents = i16x8_shl(i16x8_sub(powers, i16x8_splat(HALF)), 3);
    v128_or(signs, i16x8_add(exponents, fractions))
}

/// Converts four binary32, some of which are too large for binary16 or NaN. The results are in the lower halves of the
/// lanes.
#[cold]
#[inline(never)]
fn narrowed_large(singles: v128) -> v128 {
    let magnitude = v128_and(singles, i32x4_splat(0x7fff_ffff));
    let sign = v128_and(u32x4_shr(singles, 16), i32x4_splat(0x8000));
    let upper = u32x4_shr(magnitude, 13);

    // Numbers that are too large become 2^16, which binary16 encodes as infinity. Adding just under half of the last
    // bit that is kept, or exactly half if that bit is odd, rounds to nearest even.
    let clamped = i32x4_min(magnitude, u32x4_splat(65536_f32.to_bits()));
    let odd = v128_and(upper, i32x4_splat(1));
    let rounding = u32x4_add(odd, u32x4_splat(0xfff_u32.wrapping_sub(BIAS)));
    let normal = u32x4_shr(u32x4_add(clamped, rounding), 13);
    // The last bit of a binary32 near 1/2 is worth as much as that of a subnormal binary16, so adding 1/2 rounds.
    let half = u32x4_splat(0.5_f32.to_bits());
    let subnormal = u32x4_sub(f32x4_add(magnitude, half), half);
    let is_subnormal = i32x4_gt(u32x4_splat(BIAS + (1 << 23)), magnitude);
    let finite = v128_bitselect(subnormal, normal, is_subnormal);

    // A quiet NaN is infinity combined with the upper bits of the payload, of which the first is set.
    let payload = v128_or(v128_and(upper, i32x4_splat(0x3ff)), i32x4_splat(0x200));
    let quiet = v128_and(i32x4_gt(magnitude, i32x4_splat(0xff << 23)), payload);
    v128_or(v128_or(finite, sign), quiet)
}
