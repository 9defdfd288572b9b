//! The kernel for WebAssembly with SIMD: adds up each position within a vector by itself.
//!
//! Of T vectors of L words, word j of vector t is counted L (T - t) - j times in the sum of sums. A lane that adds its
//! plain sum after each vector counts it T - t times, so `L * running[j] - j * plain[j]`, summed over the lanes j, is
//! the result, without a multiplication in the loop.

use super::{Sums, portable};
use crate::vector::{load, store};
use core::arch::wasm32::*;

const ZERO: v128 = u32x4(0, 0, 0, 0);
/// Bytes per vector.
const SIZE: usize = 16;

/// Computes the sums of bytes.
pub fn of_bytes(block: &[u8]) -> Sums {
    let (vectors, rest) = block.as_chunks::<SIZE>();
    let (mut low, mut high) = (ZERO, ZERO);
    let mut running = [ZERO; 4];
    for bytes in vectors {
        let vector = load(bytes);
        low = u16x8_add(low, u16x8_extend_low_u8x16(vector));
        high = u16x8_add(high, u16x8_extend_high_u8x16(vector));
        for (sum, plain) in running.iter_mut().zip(widened(low, high)) {
            *sum = u32x4_add(*sum, plain);
        }
    }
    let sums = combine(&widened(low, high), &running);
    append(sums, rest.len(), portable::of_bytes(rest))
}

/// Computes the sums of big-endian words of 16 bits.
pub fn of_words(block: &[u8]) -> Sums {
    let (vectors, rest) = block.as_chunks::<SIZE>();
    let mut plain = [ZERO; 2];
    let mut running = [ZERO; 2];
    for bytes in vectors {
        let vector = load(bytes);
        let words =
            u8x16_shuffle::<1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14>(vector, vector);
        plain[0] = u32x4_add(plain[0], u32x4_extend_low_u16x8(words));
        plain[1] = u32x4_add(plain[1], u32x4_extend_high_u16x8(words));
        running[0] = u32x4_add(running[0], plain[0]);
        running[1] = u32x4_add(running[1], plain[1]);
    }
    let sums = combine(&plain, &running);
    append(sums, rest.len() / 2, portable::of_words(rest))
}

/// Returns 16 lanes as four vectors.
#[inline(always)]
fn widened(low: v128, high: v128) -> [v128; 4] {
    [
        u32x4_extend_low_u16x8(low),
        u32x4_extend_high_u16x8(low),
        u32x4_extend_low_u16x8(high),
        u32x4_extend_high_u16x8(high),
    ]
}

/// Combines the sums of lanes.
fn combine(plain: &[v128], running: &[v128]) -> Sums {
    let count = 4 * plain.len() as u64;
    let mut sums = Sums {
        plain: 0,
        running: 0,
    };
    for (lane, (plain, running)) in lanes(plain).zip(lanes(running)).enumerate() {
        sums.plain += plain;
        sums.running += count * running - lane as u64 * plain;
    }
    sums
}

/// Returns the lanes of vectors.
fn lanes(vectors: &[v128]) -> impl Iterator<Item = u64> {
    vectors.iter().flat_map(|vector| {
        let mut bytes = [0; SIZE];
        store(&mut bytes, *vector);
        let (lanes, _) = bytes.as_chunks();
        [0, 1, 2, 3].map(|lane| u64::from(u32::from_le_bytes(lanes[lane])))
    })
}

/// Returns the sums of words followed by `count` more, which are summed in `rest`.
fn append(sums: Sums, count: usize, rest: Sums) -> Sums {
    Sums {
        plain: sums.plain + rest.plain,
        running: sums.running + count as u64 * sums.plain + rest.running,
    }
}
