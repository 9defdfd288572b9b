//! Zarr v3 chunk codecs: `bytes` (legacy name `endian`) and `crc32c`.
//!
//! The data path, in the order in which it runs:
//!
//! 1. Once per array: [`metadata`] reads what the user wrote ([`json`] is its raw form), [`data_type`] and
//!    [`codec`] say what it means, and [`codec::CodecChain`] holds the outcome. Whatever can be wrong with
//!    the metadata is found here.
//! 2. Once per chunk: [`kernel::Conversion`] and [`kernel::ChunkStream`] take a chunk piece by piece
//!    through the chain.
//! 3. For JavaScript: `wasm` exposes both steps, streaming each chunk through a fixed window of memory.
//!
//! Everything up to step 2 is plain Rust that runs natively:
//!
//! ```
//! use zarr_codecs::{codec::{CodecChain, Options}, json::Json, metadata::ChainMetadata};
//!
//! let metadata: Json = serde_json::from_str(r#"{
//!     "dataType": "uint16",
//!     "shape": [2],
//!     "codecs": [{ "name": "bytes", "configuration": { "endian": "big" } }, "crc32c"]
//! }"#)?;
//! let chain = CodecChain::resolve(&ChainMetadata::from_parts(&metadata)?, Options::default())?;
//!
//! let encoded = chain.encode(&[1, 0, 2, 0])?; // 1 and 2 as a little-endian host holds them
//! assert_eq!(encoded[..4], [0, 1, 0, 2]);
//! assert_eq!(chain.decode(&encoded)?, [1, 0, 2, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), no_std)]

extern crate alloc;

pub mod codec;
pub mod data_type;
pub mod error;
pub mod fill_value;
pub mod json;
pub mod metadata;
#[cfg(target_arch = "wasm32")]
pub mod wasm;

pub use error::Error;
pub use zarr_codecs_kernel as kernel;
