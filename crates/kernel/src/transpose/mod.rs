//! Permutes the dimensions of an array while copying it, and reverses the bytes of its components if need be.
//!
//! Contract: [`permute`]`(permutation, swap, source, target)`. Both slices have the length of the array. `swap` is the
//! size of a component, or 1 to keep the order of bytes.
//!
//! What moves together is a unit. All other dimensions are a [`Matrix`] of units, once for each index in those that are
//! innermost on neither side: its rows are the runs of the source, its columns become the runs of the target.
//! `transpose(matrix, swap, source, target)` is the loop of which there are several implementations.

mod permutation;
pub mod portable;
#[cfg(target_feature = "simd128")]
pub mod simd128;

pub use permutation::{Dimension, MOST_DIMENSIONS, MOST_WORDS, Permutation};

#[cfg(not(target_feature = "simd128"))]
pub use portable::transpose;
#[cfg(target_feature = "simd128")]
pub use simd128::transpose;

use crate::byteswap;

/// A matrix of units, each row of which is a run of the source and each column of which is a run of the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// The size of a unit in bytes: whole components.
    pub unit: usize,
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// The number of bytes from one row to the next in the source.
    pub source_step: usize,
    /// The number of bytes from one column to the next in the target.
    pub target_step: usize,
}

/// A multiple of this step in bytes is always to the same place of a first-level cache, which has 4 KiB for each way.
pub const SAME_PLACE: usize = 4096;

/// An implementation of the loop over a matrix.
pub type Transpose = fn(&Matrix, usize, &[u8], &mut [u8]);

/// Copies `source` to `target` with its dimensions permuted and, if `swap` is above 1, the bytes of each component of
/// `swap` bytes reversed.
pub fn permute(permutation: &Permutation, swap: usize, source: &[u8], target: &mut [u8]) {
    permute_with(transpose, permutation, swap, source, target);
}

/// Permutes with an implementation of the loop.
pub fn permute_with(
    transpose: Transpose,
    permutation: &Permutation,
    swap: usize,
    source: &[u8],
    target: &mut [u8],
) {
    if permutation.is_identity() || source.is_empty() {
        return copy(swap, source, target);
    }
    let (mut dimensions, rank) = permutation.dimensions(permutation.component());
    let dimensions = &mut dimensions[..rank];
    let mut unit = permutation.component();
    // The innermost dimension, if it is the same on both sides, is part of the unit. There is only one.
    let innermost = &mut dimensions[rank - 1];
    if innermost.target == unit {
        unit *= innermost.length;
        innermost.length = 1;
    }
    let mut matrix = Matrix {
        unit,
        rows: 1,
        columns: 1,
        source_step: 0,
        target_step: 0,
    };
    for dimension in dimensions
        .iter_mut()
        .filter(|dimension| dimension.length > 1)
    {
        if dimension.source == unit {
            (matrix.columns, matrix.target_step) = (dimension.length, dimension.target);
            dimension.length = 1;
        } else if dimension.target == unit {
            (matrix.rows, matrix.source_step) = (dimension.length, dimension.source);
            dimension.length = 1;
        }
    }
    for_each_offset(dimensions, |from, to| {
        transpose(&matrix, swap, &source[from..], &mut target[to..]);
    });
}

/// Copies an array whose dimensions stay where they are.
fn copy(swap: usize, source: &[u8], target: &mut [u8]) {
    match swap {
        2 => byteswap::copy_swapped::<2>(source, target),
        4 => byteswap::copy_swapped::<4>(source, target),
        8 => byteswap::copy_swapped::<8>(source, target),
        _ => target.copy_from_slice(source),
    }
}

/// Calls `f` with the offsets in source and target of each index in these dimensions, the last of which runs fastest.
pub fn for_each_offset(dimensions: &[Dimension], mut f: impl FnMut(usize, usize)) {
    let mut index = [0; MOST_DIMENSIONS];
    let (mut source, mut target) = (0, 0);
    loop {
        f(source, target);
        let mut dimensions = dimensions.iter().zip(&mut index).rev();
        loop {
            let Some((dimension, index)) = dimensions.next() else {
                return;
            };
            *index += 1;
            source += dimension.source;
            target += dimension.target;
            if *index < dimension.length {
                break;
            }
            source -= dimension.source * dimension.length;
            target -= dimension.target * dimension.length;
            *index = 0;
        }
    }
}
