//! The loops over the bytes of chunks: a crate of its own, compiled for speed, while everything else is compiled for
//! size.
//!
//! [`window`] holds a chunk, or a piece of one. [`Conversion`] decodes and encodes its elements, and [`ChunkStream`]
//! verifies it. The loops that they run are the kernels. Each is a folder, in which `mod.rs` contains the contract and
//! the dispatch and each other file one implementation (some, like [`boolean`], are short enough for a single file). Kernels rely on
//! their contract and do not validate their arguments again.

#![cfg_attr(not(test), no_std)]

extern crate alloc;

pub mod adler32;
pub mod bfloat16;
pub mod bitshuffle;
pub mod boolean;
pub mod byteswap;
pub mod checksum;
mod conversion;
pub mod crc32;
pub mod crc32c;
pub mod digest;
pub mod filled;
pub mod fletcher32;
pub mod float16;
#[cfg(target_feature = "simd128")]
mod interleave;
pub mod records;
pub mod shuffle;
pub mod small_float;
pub mod small_int;
mod stream;
pub mod sums;
pub mod transpose;
#[cfg(target_feature = "simd128")]
mod vector;
pub mod window;
pub mod xxh64;

pub use conversion::{Cast, Check, Conversion};
pub use stream::{ChunkStream, InvalidElement, Piece, pieces};
pub use transpose::Permutation;
#[cfg(target_feature = "simd128")]
pub use vector::{load, store};
