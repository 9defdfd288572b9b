//! Zarr v3 chunk codecs: `bytes` (legacy name `endian`) and `crc32c`.
//!
//! A chunk's way, in the order of the calls:
//!
//! 1. Once per array: [`metadata`] reads what the user wrote, [`data_type`] and [`codec`] say what it means, and
//!    [`chain::CodecChain`] holds the outcome. Whatever can be wrong with metadata is found here.
//! 2. Once per chunk: [`kernel`] converts and verifies its bytes, piece by piece; where a checksum is wrong, [`diagnosis`]
//!    looks for the reason.
//! 3. For JavaScript: `wasm` exports both, streaming each chunk through a fixed window of memory.
//!
//! All but the last is plain Rust that runs natively:
//!
//! ```
//! use zarr_codecs::{chain::{CodecChain, Options}, metadata::{ChainMetadata, Json}};
//!
//! let text = |text: &str| Json::String(text.into());
//! let object = |members: &[(&str, Json)]| {
//!     Json::Object(members.iter().map(|(name, value)| (name.to_string(), value.clone())).collect())
//! };
//! let metadata = object(&[
//!     ("dataType", text("uint16")),
//!     ("shape", Json::Array(vec![Json::Number(2.0)])),
//!     ("codecs", Json::Array(vec![
//!         object(&[("name", text("bytes")), ("configuration", object(&[("endian", text("big"))]))]),
//!         text("crc32c"),
//!     ])),
//! ]);
//! let chain = CodecChain::resolve(&ChainMetadata::from_parts(&metadata)?, &Options::default())?;
//!
//! let encoded = chain.encode(&[1, 0, 2, 0])?; // 1 and 2 as a little-endian host holds them
//! assert_eq!(encoded[..4], [0, 1, 0, 2]);
//! assert_eq!(chain.decode(&encoded)?, [1, 0, 2, 0]);
//! # Ok::<(), zarr_codecs::Error>(())
//! ```

#![cfg_attr(not(test), no_std)]

extern crate alloc;

pub mod chain;
pub mod codec;
pub mod data_type;
pub mod diagnosis;
pub mod error;
pub mod metadata;
#[cfg(target_arch = "wasm32")]
pub mod wasm;

pub use error::Error;
pub use zarr_codecs_kernel as kernel;
