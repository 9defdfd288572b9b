//! The `sharding_indexed` codec: array-to-bytes. Splits an array into inner chunks, encodes each by itself, and stores them
//! with an index of their places.
//!
//! Specification: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/>
//! Configuration: `{ "chunk_shape": [...], "codecs": [...], "index_codecs": [...], "index_location": "end" | "start" }`;
//!                only `index_location` is optional. Codecs of the index have a fixed size.
//! Encoded size:  varies: inner chunks that contain only the fill value are missing.
//! Errors:        [`Error::InvalidMetadata`]; [`Error::InvalidEntry`] for entries that contradict each other or the shard.

use crate::{
    chain::Options,
    codec::Codec,
    data_type::DataType,
    error::Error,
    metadata::{Extension, Json, Located, read_shape},
};
use alloc::{string::String, vec::Vec};
use core::ops::Range;
use serde::Serialize;

/// The name in metadata.
pub const NAME: &str = "sharding_indexed";

/// The validated configuration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Configuration {
    /// The shape of an inner chunk.
    pub chunk_shape: Vec<u64>,
    /// The codecs of inner chunks.
    pub codecs: Vec<Codec>,
    /// The codecs of the index.
    pub index_codecs: Vec<Codec>,
    /// The place of the index.
    pub index_location: IndexLocation,
}

/// The place of the index in a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum IndexLocation {
    /// Before the inner chunks.
    Start,
    /// After them.
    End,
}

/// Validates the metadata of `sharding_indexed`, except its codecs, and that the shape of inner chunks fits the array.
pub fn resolve(metadata: &Extension, _: Option<&DataType>, _: &Options) -> Result<Codec, Error> {
    metadata.check_configuration(&["chunk_shape", "codecs", "index_codecs", "index_location"])?;
    let location = metadata.configuration.member("index_location");
    let index_location = match location.value {
        None => IndexLocation::End,
        Some(Json::String(name)) if name == "end" => IndexLocation::End,
        Some(Json::String(name)) if name == "start" => IndexLocation::Start,
        Some(_) => return Err(location.invalid("\"start\" or \"end\"")),
    };
    Ok(Codec::ShardingIndexed(Configuration {
        chunk_shape: read_shape(&metadata.configuration.member("chunk_shape"))?,
        codecs: Vec::new(),
        index_codecs: Vec::new(),
        index_location,
    }))
}

/// Returns how many inner chunks there are in each dimension of an array.
///
/// # Errors
/// Returns [`Error::InvalidMetadata`] unless inner chunks divide the array evenly. `located` is their shape.
pub fn grid_shape(
    chunk_shape: &[u64],
    shape: &[u64],
    located: &Located,
) -> Result<Vec<u64>, Error> {
    if chunk_shape.len() != shape.len() {
        let expected = text![shape.len(), " lengths, one for each dimension"];
        return Err(located.expected(&expected, text![chunk_shape.len()]));
    }
    let mut grid = Vec::new();
    for (axis, item) in located.items("an array")?.enumerate() {
        if !shape[axis].is_multiple_of(chunk_shape[axis]) {
            let expected = text!["a divisor of ", shape[axis], ", the length of the shard"];
            return Err(item.invalid(&expected));
        }
        grid.push(shape[axis] / chunk_shape[axis]);
    }
    Ok(grid)
}

/// The bytes that an entry of the index takes: two integers of 64 bits.
pub const ENTRY_SIZE: usize = 16;

/// What both numbers of an entry are if the inner chunk is missing.
const MISSING: u64 = u64::MAX;

/// Reads an entry of a decoded index: offset and length.
///
/// # Panics
/// Panics if there are fewer than [`ENTRY_SIZE`] bytes.
pub fn numbers(entry: &[u8]) -> [u64; 2] {
    let number = |at: usize| u64::from_ne_bytes(*entry[at..].first_chunk().expect("8 bytes"));
    [number(0), number(8)]
}

/// What entries of an index are compared with.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The length of the shard in bytes, if known.
    pub shard_length: Option<u64>,
    /// The place of the index in the shard. If that is not known, it is empty.
    pub index: Range<u64>,
    /// The length of encoded inner chunks, if it is fixed.
    pub chunk_length: Option<u64>,
}

impl Bounds {
    /// Describes a shard. `shard_length`, if known, is at least `index_length`.
    pub fn new(
        location: IndexLocation,
        index_length: u64,
        shard_length: Option<u64>,
        chunk_length: Option<u64>,
    ) -> Self {
        let index = match (location, shard_length) {
            (IndexLocation::Start, _) => 0..index_length,
            (IndexLocation::End, Some(length)) => length - index_length..length,
            (IndexLocation::End, None) => u64::MAX..u64::MAX,
        };
        Self {
            shard_length,
            index,
            chunk_length,
        }
    }

    /// Reads an entry of the index: the place of inner chunk `index` in the shard, or none if the chunk is missing. `grid` is
    /// the number of inner chunks in each dimension.
    ///
    /// # Errors
    /// Returns [`Error::InvalidEntry`] if that is not in the shard, overlaps the index, or has the wrong length.
    pub fn place(
        &self,
        index: u64,
        entry: [u64; 2],
        grid: impl Fn() -> Vec<u64>,
    ) -> Result<Option<Range<u64>>, Error> {
        let [offset, length] = entry;
        if entry == [MISSING; 2] {
            return Ok(None);
        }
        // Beyond 2^53 no file is that long, and JavaScript's numbers would be rounded.
        let longest = self.shard_length.unwrap_or(1 << 53);
        let (mut start, mut value) = (INCONSISTENT, offset);
        let problem = match offset.checked_add(length) {
            _ if offset == MISSING || length == MISSING => {
                ": only one of the two says that it is missing".into()
            }
            Some(end) if end <= longest => {
                let is_before = end <= self.index.start || length == 0;
                match self.chunk_length {
                    _ if !is_before && offset < self.index.end => {
                        if self.index.start > 0 {
                            start = UNFIT;
                        }
                        text![", overlaps the index at ", bytes(&self.index)]
                    }
                    Some(expected) if length != expected => {
                        value = length;
                        text![", expected length ", expected]
                    }
                    _ => return Ok(Some(offset..end)),
                }
            }
            _ => {
                start = UNFIT;
                text![", beyond its end (", longest, " bytes)"]
            }
        };
        Err(Error::InvalidEntry {
            problem: text![
                start,
                chunk(index, &grid()),
                " at offset ",
                offset,
                " of the shard, length ",
                length,
                problem
            ],
            index,
            value: value as f64,
        })
    }
}

const INCONSISTENT: &str = "shard index is inconsistent: inner chunk ";
/// The index may be right, and the shard truncated.
const UNFIT: &str = "shard index does not fit the shard: inner chunk ";

/// Names an inner chunk by its coordinates, like `(0, 3)`.
fn chunk(index: u64, grid: &[u64]) -> String {
    let mut rest = index;
    let mut text = String::from(")");
    for (axis, length) in grid.iter().enumerate().rev() {
        let comma = if axis > 0 { ", " } else { "(" };
        text = text![comma, rest % length, text];
        rest /= length;
    }
    text
}

fn bytes(place: &Range<u64>) -> String {
    text!["bytes ", place.start, " to ", place.end - 1]
}

/// Returns the error for inner chunk `index`, which overlaps the inner chunk `other.0` at `other.1`.
pub fn overlap(index: u64, place: Range<u64>, other: (u64, Range<u64>), grid: &[u64]) -> Error {
    Error::InvalidEntry {
        problem: text![
            INCONSISTENT,
            chunk(index, grid),
            " at ",
            bytes(&place),
            " of the shard overlaps inner chunk ",
            chunk(other.0, grid),
            " at ",
            bytes(&other.1)
        ],
        index,
        value: place.start as f64,
    }
}
