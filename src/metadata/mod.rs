//! Zarr metadata: JSON values with their paths, and the rules of the core specification.
//!
//! Specification: [core, "Array metadata"](https://zarr-specs.readthedocs.io/en/latest/v3/core/#array-metadata).

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
use alloc::vec::Vec;

/// The metadata of a codec chain. Each part has its path in the user's metadata.
#[derive(Clone, Copy, Debug)]
pub struct ChainMetadata<'a> {
    /// The data type: a name or an extension object.
    pub data_type: Located<'a>,
    /// The shape of one chunk.
    pub shape: Located<'a>,
    /// The codecs, in the order of encoding.
    pub codecs: Located<'a>,
    /// The value of elements that are not stored; may be absent where all are.
    pub fill_value: Located<'a>,
}

impl<'a> ChainMetadata<'a> {
    /// Locates the parts of `{ dataType, shape, codecs, fillValue? }`, where `shape` is the shape of a chunk.
    ///
    /// # Errors
    /// Returns [`Error::InvalidMetadata`] for anything but an object with these members.
    pub fn from_parts(metadata: &'a Json) -> Result<Self, Error> {
        let parts = Located::root(metadata);
        let Some(Json::Object(_)) = parts.value else {
            return Err(parts.invalid("{ dataType, shape, codecs }"));
        };
        parts.check_members(&["dataType", "shape", "codecs", "fillValue"])?;
        let part = |name| Located::at(name, metadata.member(name));
        Ok(Self {
            data_type: part("dataType"),
            shape: part("shape"),
            codecs: part("codecs"),
            fill_value: part("fillValue"),
        })
    }

    /// Locates the parts in the metadata of an array, the content of its `zarr.json`. Ignores members that do not
    /// concern codecs. `chunk_shape` is the shape of a chunk where the grid is not regular.
    ///
    /// # Errors
    /// Returns [`Error::InvalidMetadata`] for groups, other versions of Zarr, irregular grids without `chunk_shape`,
    /// regular ones with another, and storage transformers.
    pub fn from_array(metadata: &'a Json, chunk_shape: Option<&'a Json>) -> Result<Self, Error> {
        let array = Located::root(metadata);
        let Some(Json::Object(_)) = array.value else {
            return Err(array.invalid("the metadata of an array (the content of its zarr.json)"));
        };
        for (name, expected) in [("zarr_format", "3"), ("node_type", "\"array\"")] {
            let member = array.member(name);
            if member
                .value
                .is_some_and(|value| value.describe() != expected)
            {
                return Err(member.invalid(expected));
            }
        }
        let grid = array.member("chunk_grid");
        let grid = Extension::read(&grid, "a chunk grid")?;
        let is_regular = grid.name == "regular";
        if !is_regular && chunk_shape.is_none() {
            return Err(grid.invalid_name("\"regular\", or the option chunkShape"));
        }
        // They transform encoded chunks on their way to the store, so stored bytes could not be decoded.
        let transformers = array.member("storage_transformers");
        match transformers.value {
            None => {}
            Some(Json::Array(items)) if items.is_empty() => {}
            Some(_) => return Err(transformers.invalid("none (not supported)")),
        }
        let part = |name| Located::at(name, metadata.member(name));
        let inner = |value: Option<&'a Json>, name| value.and_then(|value| value.member(name));
        let configuration = inner(metadata.member("chunk_grid"), "configuration");
        let regular = Located::at(
            "chunk_grid.configuration.chunk_shape",
            inner(configuration, "chunk_shape"),
        );
        let option = Located::at("options.chunkShape", chunk_shape);
        let differ = || read_shape(&option).ok() != read_shape(&regular).ok();
        if is_regular && chunk_shape.is_some() && regular.value.is_some() && differ() {
            return Err(option.invalid("the chunk_shape of the regular grid"));
        }
        Ok(Self {
            data_type: part("data_type"),
            shape: if is_regular { regular } else { option },
            codecs: part("codecs"),
            fill_value: part("fill_value"),
        })
    }
}

/// Reads the shape of a chunk: an array of positive integers, empty for a chunk of one element.
///
/// # Errors
/// Returns [`Error::InvalidMetadata`].
pub fn read_shape(shape: &Located) -> Result<Vec<u64>, Error> {
    let lengths = shape.items("the shape of a chunk (an array of integers)")?;
    lengths
        .map(|length| read_integer(&length, 1, "a positive integer"))
        .collect()
}

/// Reads an integer of at least `least`. `expected` describes it for the message.
///
/// # Errors
/// Returns [`Error::InvalidMetadata`].
pub fn read_integer(located: &Located, least: u64, expected: &str) -> Result<u64, Error> {
    /// `Number.MAX_SAFE_INTEGER`: larger integers may have been rounded by JavaScript.
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    match located.value {
        Some(&Json::Number(n)) if (least as f64..=LARGEST).contains(&n) && n == n as u64 as f64 => {
            Ok(n as u64)
        }
        _ => Err(located.invalid(expected)),
    }
}
