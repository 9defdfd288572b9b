//! Sixteen elements of 2, 4 or 8 bytes at a time: twice as fast as the permutation that they are.

use crate::{
    interleave::Rows,
    vector::{load, store},
};
use core::arch::wasm32::v128;

/// Reverses `shuffle` for elements of `SIZE` bytes, which fill the slices.
pub fn unshuffle<const SIZE: usize>(source: &[u8], target: &mut [u8])
where
    [v128; SIZE]: Rows,
{
    let count = source.len() / SIZE;
    let rows: [&[u8]; SIZE] = core::array::from_fn(|row| &source[row * count..][..count]);
    let vectors: [&[[u8; 16]]; SIZE] = rows.map(|row| row.as_chunks().0);
    let (blocks, rest) = target.split_at_mut(count / 16 * 16 * SIZE);
    for (i, block) in blocks.chunks_exact_mut(16 * SIZE).enumerate() {
        let rows: [v128; SIZE] = core::array::from_fn(|row| load(&vectors[row][i]));
        for (to, column) in block.as_chunks_mut().0.iter_mut().zip(rows.interleaved()) {
            store(to, column);
        }
    }
    for (i, element) in (count / 16 * 16..).zip(rest.as_chunks_mut::<SIZE>().0) {
        *element = core::array::from_fn(|row| rows[row][i]);
    }
}
