//! A loop over units, in blocks that use whole cache lines on both sides.

use super::Matrix;

/// The number of bytes of a run on either side of a block.
const BLOCK: usize = 64;

/// Transposes a matrix of units of any size.
pub fn transpose(
    &Matrix {
        unit,
        rows,
        columns,
        source_step,
        target_step,
    }: &Matrix,
    swap: usize,
    source: &[u8],
    target: &mut [u8],
) {
    let block = (BLOCK / unit).max(4);
    for first_row in (0..rows).step_by(block) {
        let last_row = rows.min(first_row + block);
        for column in 0..columns {
            for row in first_row..last_row {
                let from = &source[row * source_step + column * unit..][..unit];
                let to = &mut target[column * target_step + row * unit..][..unit];
                match unit {
                    1 => to[0] = from[0],
                    2 => copy::<2>(swap, from, to),
                    4 => copy::<4>(swap, from, to),
                    8 => copy::<8>(swap, from, to),
                    _ => copy_words(swap, from, to),
                }
            }
        }
    }
}

/// Copies a unit of `UNIT` bytes, 8 at most, with the bytes of each component of `swap` bytes reversed.
#[inline(always)]
fn copy<const UNIT: usize>(swap: usize, source: &[u8], target: &mut [u8]) {
    let mut bytes = [0; 8];
    bytes[..UNIT].copy_from_slice(&source[..UNIT]);
    let mut word = u64::from_le_bytes(bytes);
    if swap >= 2 {
        const ODD: u64 = 0xff00_ff00_ff00_ff00;
        word = (word & ODD) >> 8 | (word & !ODD) << 8;
    }
    if swap >= 4 {
        const ODD: u64 = 0xffff_0000_ffff_0000;
        word = (word & ODD) >> 16 | (word & !ODD) << 16;
    }
    if swap >= 8 {
        word = word.rotate_left(32);
    }
    target[..UNIT].copy_from_slice(&word.to_le_bytes()[..UNIT]);
}

/// Copies a unit of any size, with the bytes of each component of `swap` bytes reversed.
#[inline(always)]
fn copy_words(swap: usize, source: &[u8], target: &mut [u8]) {
    let (words, rest) = source.as_chunks::<8>();
    let (target_words, target_rest) = target.as_chunks_mut::<8>();
    for (to, from) in target_words.iter_mut().zip(words) {
        copy::<8>(swap, from, to);
    }
    for (i, to) in target_rest.iter_mut().enumerate() {
        *to = rest[i ^ (swap - 1)];
    }
}
