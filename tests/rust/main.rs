//! The core, natively: real chunks, metadata and its errors, properties.

#![cfg(not(target_arch = "wasm32"))]

#[path = "../conformance/mod.rs"]
mod conformance;
mod fill_value;
mod kernels;
mod metadata;
mod properties;
mod vectors;

use zarr_codecs::{
    Error,
    codec::{CodecChain, Options},
    json::Json,
    metadata::ChainMetadata,
};

/// Resolves `{ dataType, shape, codecs }` without leniency.
fn resolve(metadata: serde_json::Value) -> Result<CodecChain, Error> {
    resolve_with(metadata, Options::default())
}

fn resolve_with(metadata: serde_json::Value, options: Options) -> Result<CodecChain, Error> {
    let json: Json = serde_json::from_value(metadata).expect("every JSON value is read");
    CodecChain::resolve(&ChainMetadata::from_parts(&json)?, options)
}
