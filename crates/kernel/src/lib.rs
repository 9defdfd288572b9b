//! What is done with the bytes of every chunk: a crate of its own, because it is compiled for speed and all else for size.
//!
//! [`window`] holds a chunk, or a piece of one; [`Conversion`] takes it from one form to the other, and [`ChunkStream`]
//! checks it. The loops that they run are the kernels: of each, the folder's `mod.rs` holds the contract and the dispatch,
//! and each sibling file is one implementation ([`boolean`], of few lines, is one file). Kernels are total: they check
//! nothing that their callers know.

#![cfg_attr(not(test), no_std)]

extern crate alloc;

pub mod boolean;
pub mod byteswap;
pub mod checksum;
mod conversion;
pub mod crc32;
pub mod crc32c;
pub mod float16;
mod stream;
#[cfg(target_feature = "simd128")]
mod vector;
pub mod window;

pub use conversion::{Cast, Check, Conversion};
pub use stream::{ChunkStream, InvalidElement, Piece, pieces};
