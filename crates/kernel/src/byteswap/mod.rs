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
