//! Zarr metadata as users write it: where its parts stand, and what the core specification says about them.

mod endian;
mod extension;
pub mod fill_value;
mod json;
mod located;
mod number;

pub use endian::Endian;
pub use extension::Extension;
pub use json::{Json, listed, quoted};
pub use located::Located;

use crate::error::Error;
use alloc::{string::ToString, vec::Vec};

/// The metadata of a codec chain, located where the user wrote it.
#[derive(Clone, Debug)]
pub struct ChainMetadata<'a> {
    /// The data type: a name or an extension object.
    pub data_type: Located<'a>,
    /// The shape of one chunk.
    pub shape: Located<'a>,
    /// The codecs, in the order in which encoding applies them.
    pub codecs: Located<'a>,
}

impl<'a> ChainMetadata<'a> {
    /// Takes the parts of `{ dataType, shape, codecs }`, where `shape` is that of a chunk.
    pub fn from_parts(metadata: &'a Json) -> Result<Self, Error> {
        let parts = Located::root(metadata);
        let Some(Json::Object(_)) = parts.value else {
            return Err(parts.invalid("{ dataType, shape, codecs }"));
        };
        parts.only_members(&["dataType", "shape", "codecs"])?;
        Ok(Self {
            data_type: parts.member("dataType"),
            shape: parts.member("shape"),
            codecs: parts.member("codecs"),
        })
    }

    /// Takes them from the metadata of an array, the content of its `zarr.json`. Ignores what does not concern codecs,
    /// but rejects groups, other versions of Zarr, irregular grids and storage transformers.
    pub fn from_array(metadata: &'a Json) -> Result<Self, Error> {
        let array = Located::root(metadata);
        let Some(Json::Object(_)) = array.value else {
            return Err(array.invalid("the metadata of an array (the content of its zarr.json)"));
        };
        for (name, expected) in [("zarr_format", "3"), ("node_type", "\"array\"")] {
            let member = array.member(name);
            if member
                .value
                .is_some_and(|value| value.to_string() != expected)
            {
                return Err(member.invalid(expected));
            }
        }
        let grid = Extension::read(&array.member("chunk_grid"), "a chunk grid")?;
        if grid.name != "regular" {
            return Err(grid.invalid_name("\"regular\""));
        }
        // They stand between the chunk and the store, so that what is stored is not the encoded chunk.
        let transformers = array.member("storage_transformers");
        match transformers.value {
            None => {}
            Some(Json::Array(items)) if items.is_empty() => {}
            Some(_) => return Err(transformers.invalid("none (not supported)")),
        }
        Ok(Self {
            data_type: array.member("data_type"),
            shape: grid.configuration.member("chunk_shape"),
            codecs: array.member("codecs"),
        })
    }
}

/// Reads the shape of a chunk: an array of positive integers, empty for a chunk of one element.
pub fn read_shape(shape: &Located) -> Result<Vec<u64>, Error> {
    /// Beyond 2^53 a JSON number is not exact in JavaScript.
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    let mut lengths = Vec::new();
    for length in shape.items("the shape of a chunk (an array of integers)")? {
        match length.value {
            Some(&Json::Number(n)) if (1.0..=LARGEST).contains(&n) && n == n as u64 as f64 => {
                lengths.push(n as u64);
            }
            _ => return Err(length.invalid("a positive integer")),
        }
    }
    Ok(lengths)
}
