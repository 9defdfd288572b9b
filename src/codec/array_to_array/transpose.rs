//! The `transpose` codec: array-to-array. Permutes the dimensions of a chunk.
//!
//! Specification: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/transpose/>
//! Configuration: `{ "order": [...] }`, a permutation of the dimensions, required. Dimension `i` of the encoded array is
//!                dimension `order[i]` of the decoded one. The constants "C" and "F" of early drafts are rejected.
//! Encoded size:  the decoded size.
//! Errors:        [`Error::InvalidMetadata`].

use crate::{
    chain::Options,
    codec::Codec,
    data_type::DataType,
    error::Error,
    metadata::{Extension, Json},
    text::counted,
};
use alloc::vec::Vec;

/// Validates the metadata of `transpose`, except the number of dimensions.
pub fn resolve(metadata: &Extension, _: Option<&DataType>, _: &Options) -> Result<Codec, Error> {
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
    Ok(Codec::Transpose { order })
}

/// Checks that an order has as many dimensions as the array.
pub fn check_rank(order: &[usize], rank: usize, metadata: &Extension) -> Result<(), Error> {
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
