//! Eight elements at a time, without branches: every case is computed, and the right one selected.

use super::portable;
use core::arch::wasm32::*;

/// Converts each binary16 of `source` to a binary32 in `target`.
pub fn widen<const SWAPPED: bool>(source: &[u8], target: &mut [u8]) {
    let (vectors, source) = source.as_chunks::<16>();
    let (target_vectors, target) = target.as_chunks_mut::<32>();
    for (to, from) in target_vectors.iter_mut().zip(vectors) {
        // SAFETY: `from` is a reference to 16 bytes, and the load needs no alignment.
        let halves = order::<SWAPPED>(unsafe { v128_load(from.as_ptr().cast()) });
        let [low, high] = to.as_chunks_mut::<16>().0 else {
            unreachable!("32 bytes are two vectors")
        };
        let [first, others] = widened(halves);
        // SAFETY: `low` and `high` are references to 16 bytes, and the stores need no alignment.
        unsafe {
            v128_store(low.as_mut_ptr().cast(), first);
            v128_store(high.as_mut_ptr().cast(), others);
        }
    }
    portable::widen::<SWAPPED>(source, target);
}

/// Converts each binary32 of `source` to a binary16 in `target`.
pub fn narrow<const SWAPPED: bool>(source: &[u8], target: &mut [u8]) {
    let (vectors, source) = source.as_chunks::<32>();
    let (target_vectors, target) = target.as_chunks_mut::<16>();
    for (to, from) in target_vectors.iter_mut().zip(vectors) {
        let [low, high] = from.as_chunks::<16>().0 else {
            unreachable!("32 bytes are two vectors")
        };
        // SAFETY: `low` and `high` are references to 16 bytes, and the loads need no alignment.
        let (low, high) = unsafe {
            (
                v128_load(low.as_ptr().cast()),
                v128_load(high.as_ptr().cast()),
            )
        };
        let halves = order::<SWAPPED>(u16x8_narrow_i32x4(narrowed(low), narrowed(high)));
        // SAFETY: `to` is a reference to 16 bytes, and the store needs no alignment.
        unsafe { v128_store(to.as_mut_ptr().cast(), halves) }
    }
    portable::narrow::<SWAPPED>(source, target);
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

/// Four binary32 as binary16, in the lower halves of the lanes.
#[inline(always)]
fn narrowed(singles: v128) -> v128 {
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
