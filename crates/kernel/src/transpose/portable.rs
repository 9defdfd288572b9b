//! A loop over units, in blocks that use whole cache lines on both sides.

use super::Matrix;

/// The number of bytes of a run on either side of a block.
const BLOCK: usize = 64;

/// Transposes a matrix of units of any size.
pub fn transpose(matrix: &Matrix, swap: usize, source: &[u8], target: &mut [u8]) {
    match (matrix.unit, swap) {
        (1, _) => in_blocks(matrix, source, target, copy::<1>),
        (2, 1) => in_blocks(matrix, source, target, copy::<2>),
        (4, 1) => in_blocks(matrix, source, target, copy::<4>),
        (8, 1) => in_blocks(matrix, source, target, copy::<8>),
        (2, _) => in_blocks(matrix, source, target, copy_swapped::<2>),
        (4, 4) => in_blocks(matrix, source, target, copy_swapped::<4>),
        (8, 8) => in_blocks(matrix, source, target, copy_swapped::<8>),
        (_, 2) => in_blocks(matrix, source, target, copy_components::<2>),
        (_, 4) => in_blocks(matrix, source, target, copy_components::<4>),
        (_, 8) => in_blocks(matrix, source, target, copy_components::<8>),
        (unit, _) if unit % 8 == 0 => in_blocks(matrix, source, target, copy_words::<8>),
        (unit, _) if unit % 4 == 0 => in_blocks(matrix, source, target, copy_words::<4>),
        (unit, _) if unit % 2 == 0 => in_blocks(matrix, source, target, copy_words::<2>),
        _ => in_blocks(matrix, source, target, copy_words::<1>),
    }
}

/// Calls `copy` for each unit, with slices that begin with it, or are it.
#[inline(always)]
fn in_blocks(
    &Matrix {
        unit,
        rows,
        columns,
        source_step,
        target_step,
    }: &Matrix,
    source: &[u8],
    target: &mut [u8],
    copy: impl Fn(&[u8], &mut [u8]),
) {
    let block = (BLOCK / unit).max(4);
    for first_row in (0..rows).step_by(block) {
        let last_row = rows.min(first_row + block);
        for first_column in (0..columns).step_by(block) {
            for column in first_column..columns.min(first_column + block) {
                let target = &mut target[column * target_step..];
                for row in first_row..last_row {
                    let from = row * source_step + column * unit;
                    copy(&source[from..][..unit], &mut target[row * unit..][..unit]);
                }
            }
        }
    }
}

#[inline(always)]
fn copy<const UNIT: usize>(source: &[u8], target: &mut [u8]) {
    target[..UNIT].copy_from_slice(&source[..UNIT]);
}

#[inline(always)]
fn copy_swapped<const UNIT: usize>(source: &[u8], target: &mut [u8]) {
    copy::<UNIT>(source, target);
    target[..UNIT].reverse();
}

#[inline(always)]
fn copy_words<const WORD: usize>(source: &[u8], target: &mut [u8]) {
    let words = source.as_chunks::<WORD>().0;
    for (to, from) in target.as_chunks_mut::<WORD>().0.iter_mut().zip(words) {
        *to = *from;
    }
}

#[inline(always)]
fn copy_components<const SWAP: usize>(source: &[u8], target: &mut [u8]) {
    let components = source.as_chunks::<SWAP>().0;
    for (to, from) in target.as_chunks_mut::<SWAP>().0.iter_mut().zip(components) {
        *to = *from;
        to.reverse();
    }
}
