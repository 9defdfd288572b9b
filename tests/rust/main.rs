//! The native tests of the crate: chunks of other implementations, metadata and its errors, properties, kernels.

#![cfg(not(target_arch = "wasm32"))]

mod array_codecs;
mod array_metadata;
#[path = "../conformance/mod.rs"]
mod conformance;
mod data_types;
mod diagnosis;
mod external;
mod fill_value;
mod fuzz;
mod guard;
mod kernels;
mod lengths;
mod metadata;
mod movement;
mod numcodecs_checksum;
mod properties;
mod resolved;
mod shards;
mod streams;
mod vectors;

use serde_json::Value;
use zarr_codecs::{
    Error,
    chain::{CodecChain, Options},
    metadata::{ChainMetadata, Json},
};

/// Resolves `{ dataType, shape, codecs }` with default options.
fn resolve(metadata: Value) -> Result<CodecChain, Error> {
    resolve_with(metadata, &Options::default())
}

/// Resolves `{ dataType, shape, codecs }` with options.
fn resolve_with(metadata: Value, options: &Options) -> Result<CodecChain, Error> {
    let json = json(metadata);
    CodecChain::resolve(&ChainMetadata::from_parts(&json)?, options)
}

/// Converts JSON to the type that the crate reads.
fn json(value: Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(value),
        Value::Number(number) => Json::Number(number.as_f64().expect("a finite number")),
        Value::String(text) => Json::String(text),
        Value::Array(items) => Json::Array(items.into_iter().map(json).collect()),
        Value::Object(members) => Json::Object(
            members
                .into_iter()
                .map(|(name, value)| (name, json(value)))
                .collect(),
        ),
    }
}
