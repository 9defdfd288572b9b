//! The `bytes` codec: array-to-bytes. Stores the components of an array in a given byte order.
//!
//! Specification: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/bytes/>
//! Alias:         `endian`, its name in early drafts, whose configuration is always required.
//! Configuration: `{ "endian": "little" | "big" }`; optional where components are single bytes, and in `structured`.
//! Encoded size:  elements x element size.
//! Errors:        [`Error::InvalidMetadata`]; [`Error::InvalidElement`] for a `bool` other than 0 and 1.

use crate::{
    chain::{Builder, Options},
    codec::{Codec, Definition, Kind},
    data_type::{ArrayOption, DataType},
    error::Error,
    kernel::{Cast, Check, Conversion},
    metadata::{Endian, Extension, Json},
};

/// The codec, and its alias.
pub const DEFINITIONS: &[Definition] = &[
    Definition {
        name: "bytes",
        kind: Kind::ArrayToBytes,
        add,
    },
    Definition {
        name: "endian",
        kind: Kind::ArrayToBytes,
        add: add_legacy,
    },
];

fn add(metadata: &Extension, chain: &mut Builder) -> Result<Codec, Error> {
    let endian = read_endian(metadata, chain.data_type(), chain.options)?;
    chain.add_array(endian);
    let codec = Codec::new("bytes");
    Ok(match endian {
        Some(endian) => codec.with("endian", Json::String(endian.name().into())),
        None => codec,
    })
}

/// Adds `endian`, the legacy name, whose configuration is required even for single bytes.
fn add_legacy(metadata: &Extension, chain: &mut Builder) -> Result<Codec, Error> {
    let endian = metadata.configuration.member("endian");
    if endian.value.is_none() && chain.options.missing_endian.is_none() {
        metadata.check_configuration(&["endian"])?;
        return Err(endian.invalid("\"little\" or \"big\" (required by the codec \"endian\")"));
    }
    add(metadata, chain)
}

/// Reads the byte order of encoded components; none where they are single bytes.
fn read_endian(
    metadata: &Extension,
    data_type: Option<&DataType>,
    options: &Options,
) -> Result<Option<Endian>, Error> {
    metadata.check_configuration(&["endian"])?;
    let endian = metadata.configuration.member("endian");
    let stated = match endian.value {
        None => None,
        Some(Json::String(name)) if Endian::from_name(name).is_some() => Endian::from_name(name),
        Some(_) => return Err(endian.invalid("\"little\" or \"big\"")),
    };
    // Byte order has no effect on single bytes. Writers omit it, so the normalised metadata omits it too.
    let legacy = data_type.is_some_and(DataType::is_structured);
    let assumed = options.missing_endian.or(legacy.then_some(Endian::Little));
    match stated.or(assumed) {
        _ if data_type.is_none_or(DataType::is_single_bytes) => Ok(None),
        Some(endian) => Ok(Some(endian)),
        None => {
            let name = data_type.map_or("", |data_type| &data_type.name);
            Err(endian.invalid(&text![
                "\"little\" or \"big\" (required for the multi-byte data type ",
                name,
                ")"
            ]))
        }
    }
}

/// Returns the conversion from elements of a data type, encoded with a byte order, to the components of an array.
pub fn conversion(
    data_type: &DataType,
    endian: Option<Endian>,
    array: &ArrayOption,
    options: &Options,
) -> Conversion {
    let swapped = endian.is_some_and(|endian| endian != Endian::HOST);
    let conversion = Conversion {
        check: data_type.check,
        swap: if swapped { data_type.component_size } else { 1 },
        cast: array.cast,
    };
    if data_type.check == Check::Bool && options.accept_invalid_bool {
        return Conversion {
            check: Check::Nothing,
            cast: Cast::AnyToBool,
            ..conversion
        };
    }
    conversion
}
