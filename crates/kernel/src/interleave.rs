//! Interleaves vectors: the bytes of several rows become the columns of one.

use core::arch::wasm32::*;

/// Rows of 16 bytes that can be interleaved.
pub trait Rows: Sized {
    /// Returns the columns, one after another, in as many vectors.
    fn interleaved(self) -> Self;
}

impl Rows for [v128; 2] {
    #[inline(always)]
    fn interleaved(self) -> Self {
        bytes(self[0], self[1])
    }
}

impl Rows for [v128; 4] {
    #[inline(always)]
    fn interleaved(self) -> Self {
        let [a, b, c, d] = self;
        let (ab, cd) = (bytes(a, b), bytes(c, d));
        let ([e, f], [g, h]) = (units(ab[0], cd[0]), units(ab[1], cd[1]));
        [e, f, g, h]
    }
}

impl Rows for [v128; 8] {
    #[inline(always)]
    fn interleaved(self) -> Self {
        let [a, b, c, d, e, f, g, h] = self;
        let (first, last) = ([a, b, c, d].interleaved(), [e, f, g, h].interleaved());
        let pairs = [0, 1, 2, 3].map(|i| words(first[i], last[i]));
        let [[a, b], [c, d], [e, f], [g, h]] = pairs;
        [a, b, c, d, e, f, g, h]
    }
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
