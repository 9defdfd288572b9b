//! The fuzz targets: functions that panic on a fault, whatever the bytes. cargo-fuzz searches for such bytes
//! (`fuzz/fuzz_targets/`), and the property tests of the crate pass it random and slightly changed ones (`tests/rust/fuzz.rs`).

mod chain;
mod choices;
mod diagnosis;
mod guard;
mod kernels;
mod metadata;
mod shards;

pub use chain::chain;
pub use diagnosis::diagnosis;
pub use guard::guard;
pub use kernels::kernels;
pub use metadata::metadata;
#[allow(unused_imports)] // As for `TARGETS`: the corpus is for the property tests.
pub use shards::{LAYOUTS, shards};

use choices::Choices;
use serde_json::Value;
use zarr_codecs::{
    Error,
    chain::{CodecChain, Options},
    metadata::{ChainMetadata, Json},
};

/// A function that panics on a fault.
pub type Target = fn(&[u8]);

/// All targets, by name.
#[allow(dead_code)] // Each target of cargo-fuzz is a program that uses one of them.
pub const TARGETS: [(&str, Target); 6] = [
    ("metadata", metadata),
    ("chain", chain),
    ("guard", guard),
    ("shards", shards),
    ("kernels", kernels),
    ("diagnosis", diagnosis),
];

/// Resolves `{ dataType, shape, codecs }`.
fn resolve(metadata: Value, options: &Options) -> Result<CodecChain, Error> {
    let json = json(metadata);
    CodecChain::resolve(&ChainMetadata::from_parts(&json)?, options)
}

/// Converts JSON to the type that the crate reads.
fn json(value: Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(value),
        Value::Number(number) => Json::Number(number.as_f64().unwrap_or(f64::INFINITY)),
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
