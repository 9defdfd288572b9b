//! Eight bytes of a plane at a time, as one word.

use super::transposed;

/// Joins the bits of `bytes` bytes in each plane.
pub fn gather_planes(bytes: usize, source: &[u8], target: &mut [u8]) {
    if bytes == 0 {
        return;
    }
    let planes = source.chunks_exact(bytes);
    for (plane, target) in planes.zip(target.chunks_exact_mut(bytes)) {
        gather_plane(plane, target, 0);
    }
}

/// Joins the bits of a plane, from the byte `first` of the rows on.
pub fn gather_plane(plane: &[u8], target: &mut [u8], first: usize) {
    let length = plane.len() / 8;
    let (words, _) = target.as_chunks_mut();
    for (column, word) in words.iter_mut().enumerate().skip(first) {
        let rows = core::array::from_fn(|row| plane[row * length + column]);
        *word = transposed(u64::from_le_bytes(rows)).to_le_bytes();
    }
}
