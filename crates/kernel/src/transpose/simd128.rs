//! Tiles of vectors that are transposed in registers.
//!
//! One step interleaves the first half of a tile's vectors with the other half. It moves the component at each position
//! to the one whose binary digits are rotated by one, so after as many steps as the number of a row has digits, rows and
//! columns have changed places.

use super::{Matrix, portable};
use crate::vector::{load_steps, store_steps};
use core::{arch::wasm32::*, hint::black_box};

/// The bytes of a vector.
const VECTOR: usize = 16;

/// The bytes of a run on either side of a block of tiles: a cache line.
const BLOCK: usize = 64;

/// Transposes a matrix of units of any size.
pub fn transpose(matrix: &Matrix, swap: usize, source: &[u8], target: &mut [u8]) {
    let is_done = match matrix.unit {
        1 => tiles::<1>(matrix, swap, source, target),
        2 => tiles::<2>(matrix, swap, source, target),
        4 => tiles::<4>(matrix, swap, source, target),
        8 => tiles::<8>(matrix, swap, source, target),
        VECTOR.. => {
            runs(matrix, swap, source, target);
            true
        }
        _ => false,
    };
    if !is_done {
        portable::transpose(matrix, swap, source, target);
    }
}

/// Transposes in tiles, if the matrix has a shape for which there are some.
fn tiles<const UNIT: usize>(
    matrix: &Matrix,
    swap: usize,
    source: &[u8],
    target: &mut [u8],
) -> bool {
    let &Matrix {
        rows,
        columns,
        source_step,
        target_step,
        ..
    } = matrix;
    let side = VECTOR / UNIT;
    let order = black_box(reversed(swap));
    if rows >= side && columns >= side {
        match UNIT {
            1 => square::<UNIT, 16>(matrix, order, source, target),
            2 => square::<UNIT, 8>(matrix, order, source, target),
            4 => square::<UNIT, 4>(matrix, order, source, target),
            _ => square::<UNIT, 2>(matrix, order, source, target),
        }
        return true;
    }
    // Rows that are shorter than a vector, one directly after the other: the vectors are those of the whole source.
    if rows >= side && source_step == columns * UNIT {
        match columns {
            2 => narrow_source::<UNIT, 2>(matrix, order, source, target),
            4 => narrow_source::<UNIT, 4>(matrix, order, source, target),
            8 => narrow_source::<UNIT, 8>(matrix, order, source, target),
            _ => return false,
        }
        return true;
    }
    if columns >= side && target_step == rows * UNIT {
        match rows {
            2 => narrow_target::<UNIT, 2>(matrix, order, source, target),
            4 => narrow_target::<UNIT, 4>(matrix, order, source, target),
            8 => narrow_target::<UNIT, 8>(matrix, order, source, target),
            _ => return false,
        }
        return true;
    }
    false
}

/// Transposes a matrix with at least as many rows and columns as a vector has units.
#[inline(never)]
fn square<const UNIT: usize, const SIDE: usize>(
    &Matrix {
        rows,
        columns,
        source_step,
        target_step,
        ..
    }: &Matrix,
    order: v128,
    source: &[u8],
    target: &mut [u8],
) {
    let block = BLOCK / UNIT;
    for first_column in (0..columns).step_by(block) {
        let end_column = columns.min(first_column + block);
        for row in (0..rows).step_by(SIDE) {
            // The last tile overlaps the one before.
            let row = row.min(rows - SIDE);
            let mut column = first_column;
            while column < end_column {
                let at = column.min(columns - SIDE);
                let rows: [v128; SIDE] =
                    load_steps(source, row * source_step + at * UNIT, source_step);
                let columns = rotated::<UNIT, SIDE>(swapped(rows, order), SIDE.ilog2());
                store_steps(target, at * target_step + row * UNIT, target_step, columns);
                column += SIDE;
            }
        }
    }
}

/// Transposes a matrix of few columns, whose rows follow each other directly in the source.
#[inline(never)]
fn narrow_source<const UNIT: usize, const COLUMNS: usize>(
    &Matrix {
        rows, target_step, ..
    }: &Matrix,
    order: v128,
    source: &[u8],
    target: &mut [u8],
) {
    let side = VECTOR / UNIT;
    for row in (0..rows).step_by(side) {
        let row = row.min(rows - side);
        let vectors: [v128; COLUMNS] = load_steps(source, row * COLUMNS * UNIT, VECTOR);
        let columns = rotated::<UNIT, COLUMNS>(swapped(vectors, order), side.ilog2());
        store_steps(target, row * UNIT, target_step, columns);
    }
}

/// Transposes a matrix of few rows, whose columns follow each other directly in the target.
#[inline(never)]
fn narrow_target<const UNIT: usize, const ROWS: usize>(
    &Matrix {
        columns,
        source_step,
        ..
    }: &Matrix,
    order: v128,
    source: &[u8],
    target: &mut [u8],
) {
    let side = VECTOR / UNIT;
    for column in (0..columns).step_by(side) {
        let column = column.min(columns - side);
        let rows: [v128; ROWS] = load_steps(source, column * UNIT, source_step);
        let vectors = rotated::<UNIT, ROWS>(swapped(rows, order), ROWS.ilog2());
        store_steps(target, column * ROWS * UNIT, VECTOR, vectors);
    }
}

/// Interleaves the first half of the vectors with the other half, `steps` times.
#[inline(always)]
fn rotated<const UNIT: usize, const COUNT: usize>(
    mut vectors: [v128; COUNT],
    steps: u32,
) -> [v128; COUNT] {
    for _ in 0..steps {
        let half = COUNT / 2;
        vectors = core::array::from_fn(|i| {
            let (a, b) = (vectors[i / 2], vectors[i / 2 + half]);
            if i % 2 == 0 {
                low::<UNIT>(a, b)
            } else {
                high::<UNIT>(a, b)
            }
        });
    }
    vectors
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

/// Copies units that are at least as long as a vector.
#[inline(never)]
fn runs(matrix: &Matrix, swap: usize, source: &[u8], target: &mut [u8]) {
    let &Matrix {
        unit,
        rows,
        columns,
        source_step,
        target_step,
    } = matrix;
    let order = black_box(reversed(swap));
    let block = (BLOCK / unit).max(4);
    for first_row in (0..rows).step_by(block) {
        for column in 0..columns {
            for row in first_row..rows.min(first_row + block) {
                let from = &source[row * source_step + column * unit..][..unit];
                let to = &mut target[column * target_step + row * unit..][..unit];
                if swap == 1 && unit >= LONG {
                    to.copy_from_slice(from);
                    continue;
                }
                for at in (0..unit).step_by(VECTOR) {
                    // The last vector overlaps the one before. Components are not split, as a unit is whole components.
                    let at = at.min(unit - VECTOR);
                    let [vector] = load_steps(from, at, 0);
                    store_steps(to, at, 0, [u8x16_swizzle(vector, order)]);
                }
            }
        }
    }
}

/// Above this many bytes, copying memory is faster than a loop over vectors.
const LONG: usize = 256;

#[inline(always)]
fn swapped<const COUNT: usize>(vectors: [v128; COUNT], order: v128) -> [v128; COUNT] {
    vectors.map(|vector| u8x16_swizzle(vector, order))
}

/// Returns the swizzle indices that reverse the bytes of components of `swap` bytes.
fn reversed(swap: usize) -> v128 {
    match swap {
        2 => u8x16(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14),
        4 => u8x16(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12),
        8 => u8x16(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8),
        _ => u8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    }
}
