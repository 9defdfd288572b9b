//! The `transpose` codec: array-to-array. Permutes the dimensions of a chunk.
//!
//! Specification: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/transpose/>
//! Configuration: `{ "order": [...] }`, a permutation of the dimensions, required. Dimension `i` of the encoded array is
//!                dimension `order[i]` of the decoded one. The constants "C" and "F" of early drafts are rejected.
//! Encoded size:  the decoded size.
//! Errors:        [`Error::InvalidMetadata`].

use crate::{
    chain::Builder,
    codec::{Codec, Definition, Kind},
    error::Error,
    metadata::{Extension, Json},
    text::counted,
};
use alloc::vec::Vec;

/// The codec.
pub const DEFINITIONS: &[Definition] = &[Definition {
    name: "transpose",
    kind: Kind::ArrayToArray,
    add,
}];

fn add(metadata: &Extension, chain: &mut Builder) -> Result<Codec, Error> {
    let order = read_order(metadata)?;
    check_rank(&order, chain.array_codecs.last().rank(), metadata)?;
    chain.array_codecs.last_mut().transpose(&order);
    let dimensions: Vec<u64> = order.iter().map(|&dimension| dimension as u64).collect();
    Ok(Codec::new("transpose").with("order", Json::numbers(&dimensions)))
}

/// Reads the order, whatever the number of dimensions.
fn read_order(metadata: &Extension) -> Result<Vec<usize>, Error> {
    metadata.check_configuration(&["order"])?;
    let located = metadata.configuration.member("order");
    let items = located.items("a permutation of the dimensions (an array of integers)")?;
    let rank = items.len();
    let mut order = Vec::new();
    for item in items {
        match item.value {
            Some(&Json::Number(n))
                if (0..rank).any(|dimension| dimension as f64 == n)
                    && !order.contains(&(n as usize)) =>
            {
                order.push(n as usize);
            }
            _ => {
                let last = rank - 1;
                let expected = text!["a permutation of the dimensions 0 to ", last];
                return Err(item.invalid(&expected));
            }
        }
    }
    Ok(order)
}

/// Checks that an order has as many dimensions as the array.
fn check_rank(order: &[usize], rank: usize, metadata: &Extension) -> Result<(), Error> {
    if order.len() == rank {
        return Ok(());
    }
    let dimensions = counted(rank as u64, "dimension");
    let expected = text!["a permutation of ", dimensions];
    let got = text![order.len()];
    Err(metadata
        .configuration
        .member("order")
        .expected(&expected, got))
}
