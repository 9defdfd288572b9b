//! The loops over bytes. Each folder's `mod.rs` holds the contract and the dispatch, and each sibling file is one
//! implementation. Kernels are total: they check nothing that their callers know.

pub mod boolean;
pub mod byteswap;
pub mod crc32;
pub mod crc32c;
pub mod float16;
