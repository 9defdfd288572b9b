//! Reverses bitshuffle, which groups the bits of elements by their place: first the lowest bit of the first byte of all
//! elements, then the next, and so on. Compressors find more in that order.
//!
//! Contract: `gather_planes(bytes, source, target)` joins the bits of bytes that have the same place in all elements. `source` is
//! planes one after another, each of 8 rows of `bytes / 8` bytes, one row for each bit; bit `i` of byte `k` of a row belongs
//! to byte `8 * k + i` of the plane. `target` has the same length, a multiple of `bytes`, which is a multiple of 8.
//!
//! Format: `bitshuffle_core.c` of bitshuffle.

pub mod portable;
#[cfg(target_feature = "simd128")]
pub mod simd128;

#[cfg(not(target_feature = "simd128"))]
pub use portable::gather_planes;
#[cfg(target_feature = "simd128")]
pub use simd128::gather_planes;

use crate::shuffle;

/// Reverses bitshuffle for elements of `size` bytes, whose number is a multiple of 8. All slices have the same length.
pub fn unshuffle_bits(size: usize, source: &[u8], target: &mut [u8], planes: &mut [u8]) {
    let count = source.len() / size;
    if size == 1 {
        return gather_planes(count, source, target);
    }
    gather_planes(count, source, planes);
    shuffle::unshuffle(size, planes, target);
}

/// Transposes a matrix of 8 x 8 bits whose rows are the bytes of a word: bit `i` of byte `b` becomes bit `b` of byte `i`.
#[inline(always)]
fn transposed(mut word: u64) -> u64 {
    for (shift, mask) in STEPS {
        let moved = (word ^ (word >> shift)) & mask;
        word ^= moved ^ (moved << shift);
    }
    word
}

/// Exchanges bits of a word whose places differ by a number, at the places of a mask: within pairs of rows, of two, of four.
const STEPS: [(u32, u64); 3] = [
    (7, 0x00aa_00aa_00aa_00aa),
    (14, 0x0000_cccc_0000_cccc),
    (28, 0x0000_0000_f0f0_f0f0),
];
