//! Converts IEEE 754 binary16 to binary32 exactly, and back with rounding to nearest even.
//!
//! Contract: `widen::<SWAPPED>(source, target)` with `target` twice as long, `narrow::<SWAPPED>(source, target)` with
//! `target` half as long. With `SWAPPED`, each binary16 is in the byte order opposite to the host's. NaNs become quiet,
//! and keep their sign and the upper bits of their payload.

pub mod portable;
#[cfg(target_feature = "simd128")]
pub mod simd128;

#[cfg(not(target_feature = "simd128"))]
pub use portable::{narrow, widen};
#[cfg(target_feature = "simd128")]
pub use simd128::{narrow, widen};
