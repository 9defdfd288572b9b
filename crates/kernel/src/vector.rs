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
    check_steps(bytes.len(), start as u64, step, COUNT, 16);
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
    check_steps(bytes.len(), start as u64, step, COUNT, 16);
    for (i, vector) in vectors.into_iter().enumerate() {
        // SAFETY: as above.
        unsafe { v128_store(bytes.as_mut_ptr().add(start + i * step).cast(), vector) }
    }
}

/// Checks that `count` times `size` bytes, `step` bytes apart from `start` on, are within `length` bytes. Computes in 64 bits,
/// where the end cannot overflow: one check for all.
#[inline(always)]
fn check_steps(length: usize, start: u64, step: usize, count: usize, size: u64) {
    let end = start + (count as u64 - 1) * step as u64 + size;
    assert!(end <= length as u64);
}

/// Where tiles are on one side: the first, the one below it, and their vectors, which are `step` bytes apart.
#[derive(Clone, Copy)]
pub struct Tiles {
    /// The offset of the first tile.
    pub start: usize,
    /// The number of bytes from a tile to the one below it.
    pub below: usize,
    /// The number of bytes from a vector to the next.
    pub step: usize,
}

impl Tiles {
    /// Checks that the last of `count` vectors of `size` bytes is within `length` bytes.
    #[inline(always)]
    fn check(self, length: usize, count: usize, size: usize) {
        let start = self.start as u64 + self.below as u64;
        check_steps(length, start, self.step, count, size as u64);
    }
}

/// Maps `count` pairs of tiles of `ROWS` vectors, one below the other. In `source`, the next pair follows the vectors directly.
/// In `target`, it follows after as many steps as this one has vectors. With `halves`, results are stored as twice as many
/// halves.
#[inline(always)]
pub fn map_tiles<const ROWS: usize>(
    (source, from): (&[u8], Tiles),
    (target, to): (&mut [u8], Tiles),
    count: usize,
    halves: bool,
    map: impl Fn([v128; ROWS]) -> [v128; ROWS],
) {
    let (columns, size) = if halves { (2 * ROWS, 8) } else { (ROWS, 16) };
    // Once for all: checking each tile would take half as long as transposing it.
    from.check(source.len(), ROWS, 16 * count);
    to.check(target.len(), columns * count, size);
    let mut below = (from.below, to.below);
    let mut next = (
        16_usize.wrapping_sub(from.below),
        (columns * to.step).wrapping_sub(to.below),
    );
    // SAFETY: `check` has compared the end of the last row of the lower tiles, and of their last column, with the lengths.
    // Nothing that is read or written ends after them.
    unsafe {
        let mut source = source.as_ptr().add(from.start);
        let mut target = target.as_mut_ptr().add(to.start);
        for _ in 0..2 * count {
            let tile = core::array::from_fn(|i| v128_load(source.add(i * from.step).cast()));
            for (i, vector) in map(tile).into_iter().enumerate() {
                if halves {
                    v128_store64_lane::<0>(vector, target.add(2 * i * to.step).cast());
                    v128_store64_lane::<1>(vector, target.add((2 * i + 1) * to.step).cast());
                } else {
                    v128_store(target.add(i * to.step).cast(), vector);
                }
            }
            source = source.wrapping_add(below.0);
            target = target.wrapping_add(below.1);
            (below, next) = (next, below);
        }
    }
}
