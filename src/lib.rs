//! Zarr v3 chunk codecs: `transpose`, `reshape`, `bytes` (legacy name `endian`), `sharding_indexed`, `crc32c`, and those
//! of numcodecs that shuffle bytes or store checksums.
//!
//! The modules, in the order in which a chunk needs them:
//!
//! 1. Once per array: [`metadata`] locates the parts of the user's metadata, [`data_type`] and [`codec`] validate
//!    them, and [`chain::CodecChain`] holds the result. All errors in metadata are found here.
//! 2. Once per chunk: [`kernel`] converts and verifies its bytes, piece by piece. If a checksum is wrong, [`diagnosis`]
//!    looks for the cause. [`guard`] checks what codecs of others decode.
//! 3. For JavaScript: `wasm` exports both, and streams each chunk through a fixed window of memory.
//!
//! All but `wasm` is plain Rust that runs natively:
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
//! let encoded = chain.encode(&[1, 0, 2, 0])?; // 1 and 2 on a little-endian host
//! assert_eq!(encoded[..4], [0, 1, 0, 2]);
//! assert_eq!(chain.decode(&encoded)?, [1, 0, 2, 0]);
//! # Ok::<(), zarr_codecs::Error>(())
//! ```

#![cfg_attr(not(test), no_std)]
#![cfg_attr(
    all(target_arch = "wasm32", feature = "exports", not(test)),
    warn(clippy::disallowed_macros)
)]

extern crate alloc;

#[macro_use]
mod text;

pub mod chain;
pub mod codec;
pub mod data_type;
pub mod diagnosis;
pub mod error;
pub mod guard;
pub mod metadata;
pub mod stream;
#[cfg(all(target_arch = "wasm32", feature = "exports"))]
pub mod wasm;

pub use error::Error;
pub use zarr_codecs_kernel as kernel;
