//! The two sums that [Adler-32](crate::adler32) and [Fletcher-32](crate::fletcher32) reduce: of the words of a block, and
//! of the sums after each of its words.
//!
//! Contract: an [`Implementation`] takes a block of at most [`BLOCK`] bytes, whole words, and computes exact sums.

pub mod portable;
#[cfg(target_feature = "simd128")]
pub mod simd128;

#[cfg(not(target_feature = "simd128"))]
pub use portable::{of_bytes, of_words};
#[cfg(target_feature = "simd128")]
pub use simd128::{of_bytes, of_words};

/// The sums of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// The sum of the words.
    pub plain: u64,
    /// The sum of all sums of the first 1, 2, 3, ... words.
    pub running: u64,
}

/// A function that computes the sums of a block.
pub type Implementation = fn(&[u8]) -> Sums;

/// The longest block in bytes. 256 vectors: as many bytes as a lane of 16 bits can add, and fewer than 361 words, as
/// many as a lane of 32 bits can add twice.
pub const BLOCK: usize = 4096;
