//! Reverses the bytes of each component while copying.
//!
//! Contract: `copy_swapped::<SIZE>(source, target)`. `SIZE` is 2, 4 or 8. Both slices have the same length, a multiple
//! of `SIZE`.

pub mod portable;
#[cfg(target_feature = "simd128")]
pub mod simd128;

#[cfg(not(target_feature = "simd128"))]
pub use portable::copy_swapped;
#[cfg(target_feature = "simd128")]
pub use simd128::copy_swapped;

/// Copies `source` to `target` with the bytes of each component of `size` bytes reversed. The size may also be 1.
pub fn copy_swapped_by(size: usize, source: &[u8], target: &mut [u8]) {
    match size {
        2 => copy_swapped::<2>(source, target),
        4 => copy_swapped::<4>(source, target),
        8 => copy_swapped::<8>(source, target),
        _ => target.copy_from_slice(source),
    }
}
