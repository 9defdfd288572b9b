//! Groups the bytes of elements by their place: first the first byte of each element, then the second, and so on. Compressors
//! find more in that order.
//!
//! Contract: both slices have the same length. Bytes at the end that are no whole element stay where they are. (numcodecs
//! rejects such chunks; HDF5, whose filter has the same name, copies them.)

#[cfg(target_feature = "simd128")]
pub mod simd128;

use crate::{Permutation, transpose::permute};

/// Groups the bytes of elements of `size` bytes.
pub fn shuffle(size: usize, source: &[u8], target: &mut [u8]) {
    permute_elements(&permutation(size, source.len()), source, target);
}

/// Reverses [`shuffle`].
pub fn unshuffle(size: usize, source: &[u8], target: &mut [u8]) {
    #[cfg(target_feature = "simd128")]
    if source.len().is_multiple_of(size) {
        match size {
            2 => return simd128::unshuffle::<2>(source, target),
            4 => return simd128::unshuffle::<4>(source, target),
            8 => return simd128::unshuffle::<8>(source, target),
            _ => {}
        }
    }
    permute_elements(&permutation(size, source.len()).inverse(), source, target);
}

/// Returns the permutation of the bytes of whole elements that [`shuffle`] applies to `length` bytes. `size` is above 0.
pub fn permutation(size: usize, length: usize) -> Permutation {
    Permutation::new(1, &[(length / size) as u32, size as u32], &[1, 0])
}

fn permute_elements(permutation: &Permutation, source: &[u8], target: &mut [u8]) {
    let (elements, rest) = source.split_at(permutation.byte_length());
    let (target_elements, target_rest) = target.split_at_mut(elements.len());
    permute(permutation, 1, elements, target_elements);
    target_rest.copy_from_slice(rest);
}
