//! The kernel for WebAssembly with SIMD.

use super::{Lanes, SIZE};
use crate::vector::{load, store};
use core::arch::wasm32::*;

/// Sums each byte of vectors.
pub fn lanes(vectors: &[[u8; SIZE]]) -> Lanes {
    const ZERO: v128 = u32x4(0, 0, 0, 0);
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
    Lanes {
        plain: numbers(widened(low, high)),
        running: numbers(running),
    }
}

/// Widens 16 lanes to 32 bits.
#[inline(always)]
fn widened(low: v128, high: v128) -> [v128; 4] {
    [
        u32x4_extend_low_u16x8(low),
        u32x4_extend_high_u16x8(low),
        u32x4_extend_low_u16x8(high),
        u32x4_extend_high_u16x8(high),
    ]
}

/// Returns the lanes of vectors.
fn numbers(vectors: [v128; 4]) -> [u32; SIZE] {
    let mut bytes = [[0; SIZE]; 4];
    for (bytes, vector) in bytes.iter_mut().zip(vectors) {
        store(bytes, vector);
    }
    let (lanes, _) = bytes.as_flattened().as_chunks();
    core::array::from_fn(|lane| u32::from_le_bytes(lanes[lane]))
}
