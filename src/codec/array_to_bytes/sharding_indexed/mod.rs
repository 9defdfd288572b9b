//! The `sharding_indexed` codec: array-to-bytes. Splits an array into inner chunks, encodes each by itself, and stores them
//! with an index of their places.
//!
//! Specification: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/>
//! Configuration: `{ "chunk_shape": [...], "codecs": [...], "index_codecs": [...], "index_location": "end" | "start" }`;
//!                only `index_location` is optional. Codecs of the index have a fixed size.
//! Encoded size:  varies: inner chunks that contain only the fill value are missing.
//! Errors:        [`Error::InvalidMetadata`]; [`Error::InvalidEntry`] for entries that contradict each other or the shard.

mod index;
mod step;

pub use index::{Bounds, ENTRY_SIZE, NUMBER, check_places, read_places};
pub use step::ShardStep;

use crate::{
    chain::{Builder, Step},
    codec::{Codec, Definition, Kind, Location, array_to_array::ArrayCodecs},
    error::Error,
    metadata::{Extension, Json, read_shape},
};
use alloc::{boxed::Box, vec::Vec};

/// The codec.
pub const DEFINITIONS: &[Definition] = &[Definition {
    name: NAME,
    kind: Kind::ArrayToBytes,
    add,
}];

/// The name in metadata.
pub const NAME: &str = "sharding_indexed";

/// Adds a step that decodes to all inner chunks, and one that moves their elements to their places in the array.
#[inline(never)] // Compiled at the first call, which few programs make.
fn add(metadata: &Extension, chain: &mut Builder) -> Result<Codec, Error> {
    metadata.check_configuration(&["chunk_shape", "codecs", "index_codecs", "index_location"])?;
    let location = metadata.configuration.member("index_location");
    let index_location = Location::read(&location, Location::End)?;
    let chunk_shape = read_shape(&metadata.configuration.member("chunk_shape"))?;
    let (Some((data_type, shape)), true) = (&chain.array, chain.steps.is_empty()) else {
        // They may change the fill value.
        let rule = "no array-to-array codec of others before it";
        return Err(metadata.located().expected(rule, "one".into()));
    };
    let encoded_shape = chain.array_codecs.encoded_shape();
    let (mut step, codecs, index_codecs) = ShardStep::resolve(
        data_type,
        &encoded_shape,
        (&chunk_shape, index_location),
        metadata,
        chain.metadata,
        chain.options,
    )?;
    let is_plain = chain.array_codecs == ArrayCodecs::new(shape);
    chain.array_codecs.split(&encoded_shape, &chunk_shape);
    let array = ShardStep::array(data_type, shape, &chain.array_codecs, chain.options);
    if is_plain && array.forms[0].permutation.is_some() {
        step.slab = step.resolve_slab(data_type, shape, chain.options);
    }
    chain.add_array_to_bytes([Step::Native(array), Step::Shard(Box::new(step))]);
    Ok(Codec::new(NAME)
        .with("chunk_shape", Json::numbers(&chunk_shape))
        .with("codecs", to_json(codecs))
        .with("index_codecs", to_json(index_codecs))
        .with("index_location", index_location.to_json()))
}

fn to_json(codecs: Vec<Codec>) -> Json {
    Json::Array(codecs.into_iter().map(Codec::into_json).collect())
}
