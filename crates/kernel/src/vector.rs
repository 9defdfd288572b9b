//! Safe loads and stores of WebAssembly's vectors of 16 bytes, and memory for them, so that the kernels need no `unsafe`.

use crate::transpose::Matrix;
use core::{
    arch::wasm32::{v128, v128_load, v128_store, v128_store64_lane},
    mem::MaybeUninit,
    slice,
};

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

/// Memory for rows of a matrix that follow each other directly.
pub struct Panel([MaybeUninit<v128>; PANEL / 16]);

/// The size of a panel in bytes: a quarter of a first-level cache.
pub const PANEL: usize = 8 * 1024;

impl Panel {
    /// Creates a panel. Not of zeros: writing them would take a tenth of the time of using it.
    #[inline(always)]
    pub const fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; PANEL / 16])
    }

    /// Copies rows of `width` bytes, whole vectors, which are `step` bytes apart in `source`. Returns them one after another.
    #[inline(always)]
    pub fn pack(&mut self, source: &[u8], step: usize, rows: usize, width: usize) -> &[u8] {
        check_steps(source.len(), 0, step, rows, width as u64);
        let vectors = width / 16;
        let packed = &mut self.0[..rows * vectors];
        let mut slots = packed.iter_mut();
        for row in 0..rows {
            for (i, slot) in (0..vectors).zip(slots.by_ref()) {
                let at = row * step + 16 * i;
                // SAFETY: `check_steps` has compared the end of the last row with the length.
                slot.write(unsafe { v128_load(source.as_ptr().add(at).cast()) });
            }
        }
        // SAFETY: the loop has written all vectors of `packed`, as many as the rows have.
        unsafe { slice::from_raw_parts(packed.as_ptr().cast(), 16 * packed.len()) }
    }
}

/// Transposes a matrix with tiles of `ROWS` rows and as many columns as a vector has units, in pairs of which one is below the
/// other. `map` turns the vectors of a tile's rows into those of its columns; with `halves`, into two columns each. `across`
/// is the number of tiles side by side that come before those below them. The last tiles overlap those before.
#[inline(always)]
pub fn map_tiles<const ROWS: usize>(
    matrix: &Matrix,
    across: usize,
    (source, target): (&[u8], &mut [u8]),
    halves: bool,
    map: impl Fn([v128; ROWS]) -> [v128; ROWS],
) {
    let &Matrix {
        unit,
        rows,
        columns,
        source_step,
        target_step,
    } = matrix;
    let side = 16 / unit;
    // Once for all: checking each tile would take half as long as transposing it.
    let tile_columns = if halves { 2 * ROWS } else { ROWS };
    assert!(side == tile_columns && rows >= ROWS && columns >= side);
    let size = |units| units as u64 * unit as u64;
    check_steps(source.len(), 0, source_step, rows, size(columns));
    check_steps(target.len(), 0, target_step, columns, size(rows));
    for first in (0..columns).step_by(across * side) {
        let end = columns.min(first + across * side);
        for row in (0..rows).step_by(2 * ROWS) {
            let pair = [row, row + ROWS].map(|row| row.min(rows - ROWS));
            for column in (first..end).step_by(side) {
                let column = column.min(columns - side);
                for row in pair {
                    // SAFETY: `check_steps` has compared the ends of the last row and of the last column with the lengths. `ROWS`
                    // rows from `row` on and `side` columns from `column` on are among them, as both are limited by `min`. The
                    // vectors of a tile are these rows, and columns of `ROWS` units: 16 bytes, or 8 with `halves`.
                    unsafe {
                        let from = source.as_ptr().add(row * source_step + column * unit);
                        let to = target.as_mut_ptr().add(column * target_step + row * unit);
                        let tile =
                            core::array::from_fn(|i| v128_load(from.add(i * source_step).cast()));
                        for (i, vector) in map(tile).into_iter().enumerate() {
                            if halves {
                                v128_store64_lane::<0>(vector, to.add(2 * i * target_step).cast());
                                v128_store64_lane::<1>(
                                    vector,
                                    to.add((2 * i + 1) * target_step).cast(),
                                );
                            } else {
                                v128_store(to.add(i * target_step).cast(), vector);
                            }
                        }
                    }
                }
            }
        }
    }
}
