//! Vectors of 16 bytes in WebAssembly with SIMD, in memory that Rust knows: what makes the kernels safe code.

use core::arch::wasm32::{v128, v128_load, v128_store};

/// The vector with these bytes.
#[inline(always)]
pub fn load(bytes: &[u8; 16]) -> v128 {
    // SAFETY: `bytes` is a reference to 16 bytes, and the load needs no alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

/// Overwrites these bytes with a vector.
#[inline(always)]
pub fn store(bytes: &mut [u8; 16], vector: v128) {
    // SAFETY: `bytes` is a unique reference to 16 bytes, and the store needs no alignment.
    unsafe { v128_store(bytes.as_mut_ptr().cast(), vector) }
}

/// Converts `FROM` bytes to `TO` bytes.
pub type Step<const FROM: usize, const TO: usize> = fn(&[u8; FROM], &mut [u8; TO]);

/// Converts `source` to `target` step by step. What is left at the end is padded to a whole one.
#[inline(always)]
pub fn in_steps<const FROM: usize, const TO: usize>(
    source: &[u8],
    target: &mut [u8],
    step: Step<FROM, TO>,
) {
    let (steps, rest) = source.as_chunks();
    let (target_steps, target_rest) = target.as_chunks_mut();
    for (to, from) in target_steps.iter_mut().zip(steps) {
        step(from, to);
    }
    if !rest.is_empty() {
        last_step(rest, target_rest, step);
    }
}

#[inline(never)]
fn last_step<const FROM: usize, const TO: usize>(
    source: &[u8],
    target: &mut [u8],
    step: Step<FROM, TO>,
) {
    let (mut from, mut to) = ([0; FROM], [0; TO]);
    from[..source.len()].copy_from_slice(source);
    step(&from, &mut to);
    target.copy_from_slice(&to[..target.len()]);
}
