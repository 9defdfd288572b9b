//! The `reshape` codec: array-to-array. Changes the shape that the following codecs see; elements stay where they are.
//!
//! Specification: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/reshape>
//! Configuration: `{ "shape": [...] }`, required. Each item is a length, `-1` once at most for the length that is left, or a
//!                list of dimensions of the input, whose lengths are multiplied.
//! Encoded size:  the decoded size.
//! Errors:        [`Error::InvalidMetadata`].

use crate::{
    chain::Builder,
    codec::{Codec, Definition, Kind},
    error::Error,
    metadata::{Extension, Json, Located, read_integer},
    text::counted,
};
use alloc::vec::Vec;

/// The length of a dimension of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Length {
    /// This length.
    Fixed(u64),
    /// The length that is left.
    Rest,
    /// The product of the lengths of these dimensions of the input.
    Product(Vec<usize>),
}

impl Length {
    fn to_json(&self) -> Json {
        match self {
            Self::Fixed(length) => Json::Number(*length as f64),
            Self::Rest => Json::Number(-1.0),
            Self::Product(dimensions) => {
                let dimensions: Vec<u64> = dimensions.iter().map(|&at| at as u64).collect();
                Json::numbers(&dimensions)
            }
        }
    }
}

/// The codec.
pub const DEFINITIONS: &[Definition] = &[Definition {
    name: "reshape",
    kind: Kind::ArrayToArray,
    add,
}];

fn add(metadata: &Extension, chain: &mut Builder) -> Result<Codec, Error> {
    let shape = read_shape(metadata)?;
    let lengths = lengths(&shape, &chain.array_codecs.encoded_shape(), metadata)?;
    chain.array_codecs.reshape(&lengths);
    let shape = shape.iter().map(Length::to_json).collect();
    Ok(Codec::new("reshape").with("shape", Json::Array(shape)))
}

/// Reads the shape, whatever that of the array.
fn read_shape(metadata: &Extension) -> Result<Vec<Length>, Error> {
    metadata.check_configuration(&["shape"])?;
    let located = metadata.configuration.member("shape");
    let mut shape = Vec::new();
    // Dimensions of the input, over all lists, come in increasing order.
    let mut next = 0;
    for item in located.items("an array of lengths, -1, or lists of dimensions")? {
        let length = match item.value {
            Some(Json::Array(_)) => Length::Product(read_dimensions(&item, &mut next)?),
            Some(&Json::Number(-1.0)) if !shape.contains(&Length::Rest) => Length::Rest,
            Some(&Json::Number(-1.0)) => {
                return Err(item.expected("-1 only once", "it again".into()));
            }
            _ => Length::Fixed(read_integer(
                &item,
                1,
                "a positive integer, -1, or a list of dimensions",
            )?),
        };
        shape.push(length);
    }
    Ok(shape)
}

fn read_dimensions(list: &Located, next: &mut u64) -> Result<Vec<usize>, Error> {
    let mut dimensions = Vec::new();
    for item in list.items("a list of dimensions")? {
        let expected = "a dimension of the input, in increasing order over all lists";
        let dimension = read_integer(&item, *next, expected)?;
        *next = dimension + 1;
        dimensions.push(dimension as usize);
    }
    Ok(dimensions)
}

/// Returns the shape that an array is given.
///
/// # Errors
/// Returns [`Error::InvalidMetadata`] unless it has as many elements as the array, and each list of dimensions stands where
/// these dimensions are.
fn lengths(shape: &[Length], input: &[u64], metadata: &Extension) -> Result<Vec<u64>, Error> {
    let located = metadata.configuration.member("shape");
    let total: u64 = input.iter().product();
    let mut lengths = Vec::new();
    let mut known: u64 = 1;
    for (item, length) in located.items("an array")?.zip(shape) {
        let length = match length {
            Length::Fixed(length) => *length,
            Length::Rest => 1,
            Length::Product(dimensions) => product(dimensions, input, &item)?,
        };
        lengths.push(length);
        known = known.saturating_mul(length);
    }
    let rest = shape.iter().position(|length| *length == Length::Rest);
    let fits = match rest {
        Some(at) if total.is_multiple_of(known) => {
            lengths[at] = total / known;
            true
        }
        Some(_) => false,
        None => known == total,
    };
    if !fits {
        let multiple = if rest.is_some() { "a divisor of " } else { "" };
        let total = counted(total, "element");
        let expected = text![multiple, total, ", as in the input"];
        return Err(located.expected(&expected, text![known]));
    }
    for (at, item) in located.items("an array")?.enumerate() {
        let Length::Product(dimensions) = &shape[at] else {
            continue;
        };
        let (Some(first), Some(last)) = (dimensions.first(), dimensions.last()) else {
            continue;
        };
        let before = |lengths: &[u64]| lengths.iter().product::<u64>();
        if before(&lengths[..at]) != before(&input[..*first])
            || before(&lengths[at + 1..]) != before(&input[last + 1..])
        {
            let expected = "a list of the dimensions that are at this place of the input";
            return Err(item.invalid(expected));
        }
    }
    Ok(lengths)
}

/// Returns the product of the lengths of dimensions of the input.
fn product(dimensions: &[usize], input: &[u64], list: &Located) -> Result<u64, Error> {
    let mut product = 1;
    for (item, dimension) in list.items("a list of dimensions")?.zip(dimensions) {
        let Some(length) = input.get(*dimension) else {
            let dimensions = counted(input.len() as u64, "dimension");
            let expected = text!["one of the ", dimensions, " of the input"];
            return Err(item.invalid(&expected));
        };
        product *= length;
    }
    Ok(product)
}
