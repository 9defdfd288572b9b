//! Safe loads and stores of WebAssembly's vectors of 16 bytes, so that the kernels need no `unsafe`.

use core::arch::wasm32::{v128, v128_load, v128_store, v128_store64_lane};

/// Loads a vector.
#[inline(always)]
pub fn load(bytes: &[u8; 16]) -> v128 {
    // SAFETY: `bytes` is a reference to 16 bytes, and the load needs no alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

/// Stores a vector.
#[inline(always)]
pub fn store(bytes: &mut [u8; 16], vector: v128) {
    // SAFETY: `bytes` is a unique reference to 16 bytes, and the store needs no alignment.
    unsafe { v128_store(bytes.as_mut_ptr().cast(), vector) }
}

/// Converts `source` to `target` in steps of `FROM` bytes to `TO` bytes, with a function that converts any number of
/// steps. A shorter step at the end is padded with zeros.
#[inline(always)]
pub fn in_steps<const FROM: usize, const TO: usize>(
    source: &[u8],
    target: &mut [u8],
    convert: impl Fn(&[[u8; FROM]], &mut [[u8; TO]]),
) {
    let (steps, rest) = source.as_chunks();
    let (target_steps, target_rest) = target.as_chunks_mut();
    convert(steps, target_steps);
    if !rest.is_empty() {
        let (mut from, mut to) = ([0; FROM], [0; TO]);
        from[..rest.len()].copy_from_slice(rest);
        convert(&[from], core::array::from_mut(&mut to));
        target_rest.copy_from_slice(&to[..target_rest.len()]);
    }
}

/// Loads vectors whose addresses are `step` bytes apart, the first at `start`.
#[inline(always)]
pub fn load_steps<const COUNT: usize>(bytes: &[u8], start: usize, step: usize) -> [v128; COUNT] {
    check_steps(bytes.len(), start, step, COUNT, 16);
    core::array::from_fn(|i| {
        // SAFETY: `check_steps` has compared the end of the last vector with the length, and no earlier one ends after it.
        unsafe { v128_load(bytes.as_ptr().add(start + i * step).cast()) }
    })
}

/// Stores vectors whose addresses are `step` bytes apart, the first at `start`.
#[inline(always)]
pub fn store_steps<const COUNT: usize>(
    bytes: &mut [u8],
    start: usize,
    step: usize,
    vectors: [v128; COUNT],
) {
    check_steps(bytes.len(), start, step, COUNT, 16);
    for (i, vector) in vectors.into_iter().enumerate() {
        // SAFETY: as above.
        unsafe { v128_store(bytes.as_mut_ptr().add(start + i * step).cast(), vector) }
    }
}

/// Checks that `count` times `size` bytes, `step` bytes apart from `start` on, are within `length` bytes. Computes in 64 bits,
/// where the end cannot overflow: one check for all.
#[inline(always)]
fn check_steps(length: usize, start: usize, step: usize, count: usize, size: u64) {
    let end = start as u64 + (count as u64 - 1) * step as u64 + size;
    assert!(end <= length as u64);
}

/// Stores the halves of vectors, one after another, at addresses that are `step` bytes apart, the first at `start`.
#[inline(always)]
pub fn store_halves<const COUNT: usize>(
    bytes: &mut [u8],
    start: usize,
    step: usize,
    vectors: [v128; COUNT],
) {
    check_steps(bytes.len(), start, step, 2 * COUNT, 8);
    for (i, vector) in vectors.into_iter().enumerate() {
        let first = start + 2 * i * step;
        // SAFETY: `check_steps` as above, with halves of 8 bytes.
        unsafe {
            v128_store64_lane::<0>(vector, bytes.as_mut_ptr().add(first).cast());
            v128_store64_lane::<1>(vector, bytes.as_mut_ptr().add(first + step).cast());
        }
    }
}
