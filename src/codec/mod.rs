//! The codecs: THE list of them.

pub mod array_to_bytes;
pub mod bytes_to_bytes;

use crate::{
    chain::Options,
    data_type::DataType,
    error::Error,
    metadata::{Endian, Extension, Located, quoted},
};
use alloc::format;
use serde::Serialize;

/// What a codec takes and what it returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Encodes an array as bytes. A chain has exactly one, before all bytes-to-bytes codecs.
    ArrayToBytes,
    /// Encodes bytes as bytes.
    BytesToBytes,
}

impl Kind {
    /// Its name in the specification.
    pub fn name(self) -> &'static str {
        match self {
            Self::ArrayToBytes => "array-to-bytes",
            Self::BytesToBytes => "bytes-to-bytes",
        }
    }
}

/// A codec of this package whose metadata has been checked for the array's data type.
///
/// Serialized, it is its normalised metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "Metadata")]
pub enum Codec {
    /// The `bytes` codec; without a byte order where components are single bytes.
    Bytes {
        /// The order of a component's bytes in the encoded chunk.
        endian: Option<Endian>,
    },
    /// The `crc32c` codec.
    Crc32c,
}

/// The metadata of a codec, aliases and short-hands resolved.
#[derive(Serialize)]
struct Metadata {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<Configuration>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Configuration {
    Bytes { endian: &'static str },
}

impl From<Codec> for Metadata {
    fn from(codec: Codec) -> Self {
        let (name, configuration) = match codec {
            Codec::Bytes { endian } => {
                let configuration = endian.map(|endian| Configuration::Bytes {
                    endian: endian.name(),
                });
                ("bytes", configuration)
            }
            Codec::Crc32c => ("crc32c", None),
        };
        Self {
            name,
            configuration,
        }
    }
}

/// A codec's name in metadata, and how its metadata is resolved.
#[derive(Debug)]
pub struct Definition {
    /// Its name, or an alias.
    pub name: &'static str,
    /// What it takes and returns.
    pub kind: Kind,
    /// Checks its configuration.
    pub resolve: fn(&Extension, &DataType, &Options) -> Result<Codec, Error>,
}

/// THE list of codecs, aliases included.
pub const CODECS: [Definition; 3] = [
    Definition {
        name: "bytes",
        kind: Kind::ArrayToBytes,
        resolve: array_to_bytes::bytes::resolve,
    },
    Definition {
        name: "endian",
        kind: Kind::ArrayToBytes,
        resolve: array_to_bytes::bytes::resolve_legacy,
    },
    Definition {
        name: "crc32c",
        kind: Kind::BytesToBytes,
        resolve: bytes_to_bytes::crc32c::resolve,
    },
];

/// What a name in `codecs` refers to.
#[derive(Debug)]
pub enum Found {
    /// A codec of this package.
    Native(&'static Definition),
    /// A codec of others that may be ignored.
    Ignorable,
    /// A codec of others.
    External,
}

/// Reads one entry of `codecs`.
pub fn find<'a>(metadata: &Located<'a>) -> Result<(Extension<'a>, Found), Error> {
    let extension = Extension::read(metadata, "a codec")?;
    extension.only_known_members()?;
    extension.configured_by_any()?;
    let must_understand = extension.must_understand()?;
    let found = match CODECS.iter().find(|codec| codec.name == extension.name) {
        Some(definition) => Found::Native(definition),
        None if must_understand => Found::External,
        None => Found::Ignorable,
    };
    Ok((extension, found))
}

/// The error about a codec of others.
pub fn unknown(extension: &Extension) -> Error {
    let names = quoted(CODECS.iter().map(|codec| codec.name));
    extension.invalid_name(&format!(
        "one of {names} (decode other codecs first, and leave them out of this chain)"
    ))
}
