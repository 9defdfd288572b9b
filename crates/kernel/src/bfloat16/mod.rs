//! Converts bfloat16, the upper half of a binary32, to binary32 and back with rounding to nearest even.
//!
//! Contract: that of [`float16`](crate::float16), except that NaNs stay signalling, and only those without payload in
//! their upper half become quiet.

pub mod portable;
#[cfg(target_feature = "simd128")]
pub mod simd128;

#[cfg(not(target_feature = "simd128"))]
pub use portable::{narrow, widen};
#[cfg(target_feature = "simd128")]
pub use simd128::{narrow, widen};
