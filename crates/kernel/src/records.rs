//! Records: elements that consist of fields, one after another, without padding.

use crate::transpose::{Matrix, transpose};

/// Consecutive components of one size in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The position of the first byte in the record.
    pub offset: u32,
    /// The size of a component in bytes.
    pub size: u32,
    /// The number of components.
    pub count: u32,
}

/// Reverses the bytes of each component of whole records of `size` bytes.
pub fn swap(size: usize, runs: &[Run], records: &mut [u8]) {
    for record in records.chunks_exact_mut(size) {
        for run in runs {
            let bytes = &mut record[run.offset as usize..][..(run.size * run.count) as usize];
            for component in bytes.chunks_exact_mut(run.size as usize) {
                let (mut first, mut last) = (0, component.len() - 1);
                while first < last {
                    component.swap(first, last);
                    (first, last) = (first + 1, last - 1);
                }
            }
        }
    }
}

/// Copies `size` bytes at `offset` of each record of `record` bytes to `target`, which has room for all: a matrix of one
/// column.
pub fn gather(record: usize, offset: usize, size: usize, records: &[u8], target: &mut [u8]) {
    let matrix = Matrix {
        unit: size,
        rows: records.len() / record,
        columns: 1,
        source_step: record,
        target_step: target.len(),
    };
    transpose(&matrix, 1, &records[offset..], target);
}
