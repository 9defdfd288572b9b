//! The `bytes` codec: array-to-bytes. Stores each component of an array in one byte order.
//!
//! Specification: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/bytes/>
//! Alias:         `endian`, its name in early drafts, which always has a configuration.
//! Configuration: `{ "endian": "little" | "big" }`; may be left out where components are single bytes.
//! Encoded size:  the decoded size.
//! Errors:        [`Error::InvalidMetadata`]; [`Error::InvalidElement`] for a `bool` other than 0 and 1.

use super::{Codec, Options};
use crate::{
    data_type::DataType,
    error::Error,
    json::Json,
    kernel::Conversion,
    metadata::{Endian, Extension},
};
use alloc::format;

/// Resolves `{ "name": "bytes" }`.
pub(super) fn resolve(
    metadata: &Extension,
    data_type: &DataType,
    options: &Options,
) -> Result<Codec, Error> {
    metadata.configured_by(&["endian"])?;
    let endian = metadata.configuration.member("endian");
    let multi_byte = data_type.component_size > 1;
    let stated = match endian.value {
        None => None,
        Some(Json::String(name)) if Endian::from_name(name).is_some() => Endian::from_name(name),
        Some(_) => return Err(endian.invalid("\"little\" or \"big\"")),
    };
    // Byte order means nothing for single bytes: writers leave it out, so it is left out here too.
    let endian = match stated.or(options.missing_endian) {
        _ if !multi_byte => None,
        Some(endian) => Some(endian),
        None => {
            let name = &data_type.name;
            return Err(endian.invalid(&format!(
                "\"little\" or \"big\", which the multi-byte data type {name} needs"
            )));
        }
    };
    Ok(Codec::Bytes { endian })
}

/// Resolves `{ "name": "endian" }`, the legacy form, whose specification requires the configuration.
pub(super) fn resolve_legacy(
    metadata: &Extension,
    data_type: &DataType,
    options: &Options,
) -> Result<Codec, Error> {
    let endian = metadata.configuration.member("endian");
    if endian.value.is_none() && options.missing_endian.is_none() {
        metadata.configured_by(&["endian"])?;
        return Err(endian.invalid("\"little\" or \"big\", which the codec \"endian\" requires"));
    }
    resolve(metadata, data_type, options)
}

/// The conversion that keeps a data type's own representation.
pub(super) fn conversion(
    data_type: &DataType,
    endian: Option<Endian>,
    options: &Options,
) -> Conversion {
    let swapped = endian.is_some_and(|endian| endian != Endian::HOST);
    match (data_type.component_size, swapped) {
        (_, _) if data_type.is_bool() && options.accept_invalid_bool => Conversion::AnyBool,
        (_, _) if data_type.is_bool() => Conversion::CheckedBool,
        (2, true) => Conversion::Swap2,
        (4, true) => Conversion::Swap4,
        (8, true) => Conversion::Swap8,
        _ => Conversion::Keep,
    }
}
