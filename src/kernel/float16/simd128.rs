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
        // SAFETY: `low` and `high` are references to 16 bytes, and the stores need no alignment.
        unsafe {
            v128_store(
                low.as_mut_ptr().cast(),
                widened(u32x4_extend_low_u16x8(halves)),
            );
            v128_store(
                high.as_mut_ptr().cast(),
                widened(u32x4_extend_high_u16x8(halves)),
            );
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

/// Four binary16 in the lower halves of the lanes, as binary32.
#[inline(always)]
fn widened(halves: v128) -> v128 {
    // With exponent and fraction where binary32 has them it is the same number, but for a factor of 2^-112: also where it
    // is subnormal. The product is exact.
    let magnitude = u32x4_shl(v128_and(halves, i32x4_splat(0x7fff)), 13);
    let sign = u32x4_shl(v128_and(halves, i32x4_splat(0x8000)), 16);
    let finite = f32x4_mul(magnitude, f32x4_splat(f32::from_bits((127 + 112) << 23)));
    // Infinity and NaN have the largest exponent in either; NaN becomes quiet.
    const INFINITY: i32 = 0x1f << 23;
    let is_special = i32x4_gt(magnitude, i32x4_splat(INFINITY - 1));
    let is_nan = i32x4_gt(magnitude, i32x4_splat(INFINITY));
    let exponent = v128_and(is_special, i32x4_splat(0xff << 23));
    let quiet = v128_and(is_nan, i32x4_splat(1 << 22));
    v128_or(v128_or(finite, sign), v128_or(exponent, quiet))
}

/// Four binary32 as binary16, in the lower halves of the lanes.
#[inline(always)]
fn narrowed(singles: v128) -> v128 {
    let magnitude = v128_and(singles, i32x4_splat(0x7fff_ffff));
    let sign = v128_and(u32x4_shr(singles, 16), i32x4_splat(0x8000));

    // What is too large becomes 2^16, where binary16 has infinity. Half of the last place that stays, less one if that
    // is even, is carried into it: rounds to nearest even.
    let clamped = i32x4_min(magnitude, u32x4_splat(65536_f32.to_bits()));
    let odd = v128_and(u32x4_shr(clamped, 13), i32x4_splat(1));
    let rounding = u32x4_add(odd, u32x4_splat(0xfff_u32.wrapping_sub(BIAS)));
    let normal = u32x4_shr(u32x4_add(clamped, rounding), 13);
    // Beside 1/2 the last place of a binary32 is that of a subnormal binary16, so the addition rounds.
    let half = u32x4_splat(0.5_f32.to_bits());
    let subnormal = u32x4_sub(f32x4_add(magnitude, half), half);
    let is_subnormal = i32x4_gt(u32x4_splat(BIAS + (1 << 23)), magnitude);
    let finite = v128_bitselect(subnormal, normal, is_subnormal);

    let payload = v128_and(u32x4_shr(magnitude, 13), i32x4_splat(0x3ff));
    let is_nan = i32x4_gt(magnitude, i32x4_splat(0xff << 23));
    let quiet = v128_and(is_nan, v128_or(payload, i32x4_splat(0x200)));
    v128_or(v128_or(finite, sign), quiet)
}
