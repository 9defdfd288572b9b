//! Vectors that are transposed in registers.
//!
//! Where rows and columns are at least as long as a vector, tiles are square. One step interleaves the first half of a tile's
//! vectors with the other half. It moves the unit at each position to the one whose binary digits are rotated by one, so
//! after as many steps as the number of a row has digits, rows and columns have changed places.
//!
//! Where either is shorter, but contiguous (the channels of an image), as many vectors as it has units hold whole rows and
//! columns, and lookups find the bytes of each vector in all of them.

use super::{Matrix, SAME_PLACE};
use crate::{
    byteswap::simd128::Reversed,
    vector::{PANEL, Panel, load, load_steps, map_tiles, store_steps},
};
use core::arch::wasm32::*;

/// The bytes of a vector.
const VECTOR: usize = 16;

/// The bytes of a row that are transposed together: a cache line.
const BLOCK: usize = 64;

/// Transposes a matrix of units of any size.
pub fn transpose(matrix: &Matrix, swap: usize, source: &[u8], target: &mut [u8]) {
    let (rows, columns) = (matrix.rows, matrix.columns);
    // Units of 1, 2, 4 or 8 bytes fill vectors.
    let side = if matrix.unit.is_power_of_two() {
        VECTOR / matrix.unit
    } else {
        0
    };
    if side < 2 {
        units(matrix, swap, source, target);
    } else if rows >= side.min(8) && columns >= side {
        let steps = [matrix.source_step, matrix.target_step];
        if steps.iter().any(|step| step.is_multiple_of(SAME_PLACE)) {
            packed(matrix, swap, source, target);
        } else {
            square(matrix, BLOCK / VECTOR, swap, source, target);
        }
    } else if rows >= LONG * side && matrix.source_step == columns * matrix.unit {
        Lookup::new(matrix, swap, true).run(rows, source, target);
    } else if columns >= LONG * side && matrix.target_step == rows * matrix.unit {
        Lookup::new(matrix, swap, false).run(columns, source, target);
    } else {
        units(matrix, swap, source, target);
    }
}

/// The largest number of rows of a panel.
const PANEL_ROWS: usize = 64;

/// The largest number of bytes of such a row.
const PANEL_WIDTH: usize = PANEL / PANEL_ROWS;

/// Transposes a matrix whose rows or columns are at the same place of the cache, where they evict each other: copies its
/// rows to a panel, in which they follow each other, and writes whole cache lines of a column. (Chunks of 32 x 32 x 64 float32
/// take a fifth less time.)
#[inline(never)]
fn packed(matrix: &Matrix, swap: usize, source: &[u8], target: &mut [u8]) {
    let &Matrix {
        unit,
        source_step,
        target_step,
        ..
    } = matrix;
    let side = VECTOR / unit;
    let mut panel = Panel::new();
    let mut column = 0;
    while column < matrix.columns {
        let left = matrix.columns - column;
        let columns = (left / side * side).clamp(side, PANEL_WIDTH / unit);
        let first_column = column.min(matrix.columns - columns); // The last panels overlap those before.
        let mut row = 0;
        while row < matrix.rows {
            let rows = (matrix.rows - row).clamp(side.min(8), PANEL_ROWS);
            let first_row = row.min(matrix.rows - rows);
            let from = first_row * source_step + first_column * unit;
            let to = first_column * target_step + first_row * unit;
            let part = Matrix {
                unit,
                rows,
                columns,
                source_step: columns * unit,
                target_step,
            };
            let source = panel.pack(&source[from..], source_step, rows, part.source_step);
            square(&part, 1, swap, source, &mut target[to..]);
            row += rows;
        }
        column += columns;
    }
}

/// Transposes a matrix with at least as many columns as a vector has units, and as many rows, or 8, in tiles of which `across`
/// side by side come before those below them.
#[inline(never)]
fn square(matrix: &Matrix, across: usize, swap: usize, source: &[u8], target: &mut [u8]) {
    let reversed = Reversed::new(swap);
    let same = |vector| vector;
    let other = |vector| reversed.apply(vector);
    let sides = (source, target);
    // Without swizzles, units of 2 and 4 bytes take a fifth less time. Those of 8 bytes do not.
    match (matrix.unit, swap) {
        (1, _) => map_tiles(matrix, across, sides, true, rotated::<1, 8, 3>(same)),
        (2, 1) => map_tiles(matrix, across, sides, false, rotated::<2, 8, 3>(same)),
        (2, _) => map_tiles(matrix, across, sides, false, rotated::<2, 8, 3>(other)),
        (4, 1) => map_tiles(matrix, across, sides, false, rotated::<4, 4, 2>(same)),
        (4, _) => map_tiles(matrix, across, sides, false, rotated::<4, 4, 2>(other)),
        _ => map_tiles(matrix, across, sides, false, rotated::<8, 2, 1>(other)),
    }
}

/// Returns the function that maps vectors, and interleaves the first half of them with the other half, `STEPS` times.
#[inline(always)]
fn rotated<const UNIT: usize, const COUNT: usize, const STEPS: usize>(
    map: impl Fn(v128) -> v128,
) -> impl Fn([v128; COUNT]) -> [v128; COUNT] {
    let step = |vectors: [v128; COUNT]| {
        let interleave = |i: usize| {
            let (a, b) = (vectors[i / 2], vectors[i / 2 + COUNT / 2]);
            if i.is_multiple_of(2) {
                low::<UNIT>(a, b)
            } else {
                high::<UNIT>(a, b)
            }
        };
        core::array::from_fn(interleave)
    };
    move |vectors| {
        let vectors = vectors.map(&map);
        // Not a loop, which the compiler would not unroll for 16 vectors: they would be in memory.
        match STEPS {
            1 => step(vectors),
            2 => step(step(vectors)),
            _ => step(step(step(vectors))),
        }
    }
}

/// Interleaves the first halves of two vectors.
#[inline(always)]
fn low<const UNIT: usize>(a: v128, b: v128) -> v128 {
    match UNIT {
        1 => u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b),
        2 => u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b),
        4 => u32x4_shuffle::<0, 4, 1, 5>(a, b),
        _ => u64x2_shuffle::<0, 2>(a, b),
    }
}

/// Interleaves the last halves of two vectors.
#[inline(always)]
fn high<const UNIT: usize>(a: v128, b: v128) -> v128 {
    match UNIT {
        1 => u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b),
        2 => u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b),
        4 => u32x4_shuffle::<2, 6, 3, 7>(a, b),
        _ => u64x2_shuffle::<1, 3>(a, b),
    }
}

/// The least number of vectors along a narrow matrix for which it is worth creating a [`Lookup`].
const LONG: usize = 8;

/// The vectors that hold as many rows and columns of a narrow matrix as fit, and where the bytes of those of the target are in
/// those of the source.
struct Lookup {
    /// The number of units that a vector has room for.
    side: usize,
    /// The number of vectors on each side.
    count: usize,
    /// Bytes from one of these vectors to the next in the source and in the target.
    steps: (usize, usize),
    /// Bytes from one unit to the next along the matrix in the source and in the target.
    strides: (usize, usize),
    /// For each vector of the target, the indexes in each of the source, above 15 for bytes that come from another one.
    indexes: [[u8; VECTOR]; (VECTOR - 1) * (VECTOR - 1)],
}

impl Lookup {
    /// Creates the lookup for rows that follow each other directly in the source or, if not `is_source`, for columns that do
    /// in the target.
    fn new(matrix: &Matrix, swap: usize, is_source: bool) -> Self {
        let unit = matrix.unit;
        let side = VECTOR / unit;
        let (count, steps, strides) = if is_source {
            let count = matrix.columns;
            (count, (VECTOR, matrix.target_step), (count * unit, unit))
        } else {
            let count = matrix.rows;
            (count, (matrix.source_step, VECTOR), (unit, count * unit))
        };
        let mut indexes = [[!0; VECTOR]; (VECTOR - 1) * (VECTOR - 1)];
        for vector in 0..count {
            for place in 0..side {
                let (from, at) = if is_source {
                    let at = place * count + vector;
                    (at / side, at % side)
                } else {
                    let at = vector * side + place;
                    (at % count, at / count)
                };
                for byte in 0..unit {
                    indexes[vector * count + from][place * unit + byte] =
                        (at * unit + swapped_byte(byte, swap)) as u8;
                }
            }
        }
        Self {
            side,
            count,
            steps,
            strides,
            indexes,
        }
    }

    /// Transposes a matrix of this length.
    fn run(&self, length: usize, source: &[u8], target: &mut [u8]) {
        let mut vectors = [u8x16_splat(0); VECTOR - 1];
        let vectors = &mut vectors[..self.count];
        for at in (0..length).step_by(self.side) {
            // The last vectors overlap those before.
            let at = at.min(length - self.side);
            for (i, vector) in vectors.iter_mut().enumerate() {
                [*vector] = load_steps(source, at * self.strides.0 + i * self.steps.0, 0);
            }
            let all_indexes = self.indexes.chunks_exact(self.count).take(self.count);
            for (i, indexes) in all_indexes.enumerate() {
                let bytes = vectors.iter().zip(indexes);
                let vector = bytes.fold(u8x16_splat(0), |sum, (vector, indexes)| {
                    v128_or(sum, u8x16_swizzle(*vector, load(indexes)))
                });
                store_steps(target, at * self.strides.1 + i * self.steps.1, 0, [vector]);
            }
        }
    }
}

/// The rows that are copied at a time for each column where units are copied one by one.
const ROWS: usize = 64;

/// Copies units one by one.
#[inline(never)]
fn units(matrix: &Matrix, swap: usize, source: &[u8], target: &mut [u8]) {
    let &Matrix {
        unit,
        rows,
        columns,
        source_step,
        target_step,
    } = matrix;
    let reversed = Reversed::new(swap);
    for first_row in (0..rows).step_by(ROWS) {
        let block_rows = ROWS.min(rows - first_row);
        for column in 0..columns {
            let from = first_row * source_step + column * unit;
            let to = column * target_step + first_row * unit;
            if unit > VECTOR {
                for row in 0..block_rows {
                    let source = &source[from + row * source_step..][..unit];
                    copy_long(
                        source,
                        &mut target[to + row * unit..][..unit],
                        swap,
                        reversed,
                    );
                }
                continue;
            }
            // A vector reads and writes beyond a short unit, where the following units are written next.
            let beyond = (VECTOR - unit).div_ceil(unit);
            let readable = (source.len() - from).saturating_sub(VECTOR) / source_step;
            let fast = block_rows.saturating_sub(beyond).min(readable);
            for row in 0..fast {
                let [vector] = load_steps(source, from + row * source_step, 0);
                store_steps(target, to + row * unit, 0, [reversed.apply(vector)]);
            }
            for row in fast..block_rows {
                let source = &source[from + row * source_step..][..unit];
                let target = &mut target[to + row * unit..][..unit];
                for (byte, slot) in target.iter_mut().enumerate() {
                    *slot = source[swapped_byte(byte, swap)];
                }
            }
        }
    }
}

/// Copies a unit that is longer than a vector.
#[inline(always)]
fn copy_long(source: &[u8], target: &mut [u8], swap: usize, reversed: Reversed) {
    if swap == 1 && source.len() >= LONG_UNIT {
        return target.copy_from_slice(source);
    }
    for vector in 0..source.len().div_ceil(VECTOR) {
        // The last vector overlaps the one before. It splits no component, as units are whole components.
        let at = (vector * VECTOR).min(source.len() - VECTOR);
        let [bytes] = load_steps(source, at, 0);
        store_steps(target, at, 0, [reversed.apply(bytes)]);
    }
}

/// From this many bytes, copying memory is faster than a loop over vectors.
const LONG_UNIT: usize = 256;

/// Returns the index of the byte in a unit that comes to another index when the bytes of components of `swap` bytes are
/// reversed. `swap` is a power of two.
fn swapped_byte(byte: usize, swap: usize) -> usize {
    byte ^ (swap - 1)
}
