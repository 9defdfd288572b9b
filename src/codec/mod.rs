//! The list of codecs.

pub mod array_to_array;
pub mod array_to_bytes;
pub mod bytes_to_bytes;

use crate::{
    chain::Options,
    data_type::DataType,
    error::Error,
    metadata::{Endian, Extension, Json, Located, quoted},
};
use alloc::{borrow::Cow, string::String, vec::Vec};
use array_to_array::reshape::Length;
use array_to_bytes::sharding_indexed;
use bytes_to_bytes::numcodecs_checksum::{self, Checksum, Location};
use serde::Serialize;

/// The kind of a codec: what it encodes, and to what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Encodes an array as an array. Comes before the array-to-bytes codec.
    ArrayToArray,
    /// Encodes an array as bytes. A chain has exactly one, before all bytes-to-bytes codecs.
    ArrayToBytes,
    /// Encodes bytes as bytes.
    BytesToBytes,
}

impl Kind {
    /// Returns the name that the specification uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::ArrayToArray => "array-to-array",
            Self::ArrayToBytes => "array-to-bytes",
            Self::BytesToBytes => "bytes-to-bytes",
        }
    }
}

/// A codec whose metadata has been validated for the array's data type.
///
/// Serializes to its normalised metadata.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(into = "Metadata")]
pub enum Codec {
    /// The `transpose` codec.
    Transpose {
        /// The dimension of the decoded array that each dimension of the encoded one is.
        order: Vec<usize>,
    },
    /// The `reshape` codec.
    Reshape {
        /// The length of each dimension of the encoded array.
        shape: Vec<Length>,
    },
    /// The `bytes` codec.
    Bytes {
        /// The byte order of encoded components; none where they are single bytes.
        endian: Option<Endian>,
    },
    /// The `sharding_indexed` codec.
    ShardingIndexed(sharding_indexed::Configuration),
    /// The `crc32c` codec.
    Crc32c,
    /// The `numcodecs.shuffle` codec.
    Shuffle {
        /// The size of an element in bytes.
        element_size: u32,
    },
    /// One of the checksum codecs of numcodecs.
    NumcodecsChecksum(Checksum),
    /// An external codec.
    External {
        /// Its name.
        name: String,
        /// Its configuration, if it has one.
        configuration: Option<Json>,
    },
}

/// The metadata of a codec, with aliases and short-hands resolved.
#[derive(Serialize)]
struct Metadata {
    name: Cow<'static, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<Configuration>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Configuration {
    Transpose { order: Vec<usize> },
    Reshape { shape: Vec<Length> },
    Bytes { endian: &'static str },
    Shuffle { elementsize: u32 },
    NumcodecsChecksum { location: Location },
    ShardingIndexed(sharding_indexed::Configuration),
    External(Json),
}

impl From<Codec> for Metadata {
    fn from(codec: Codec) -> Self {
        let (name, configuration) = match codec {
            Codec::Transpose { order } => ("transpose", Some(Configuration::Transpose { order })),
            Codec::Reshape { shape } => ("reshape", Some(Configuration::Reshape { shape })),
            Codec::Bytes { endian } => {
                let configuration = endian.map(|endian| Configuration::Bytes {
                    endian: endian.name(),
                });
                ("bytes", configuration)
            }
            Codec::ShardingIndexed(configuration) => {
                let configuration = Configuration::ShardingIndexed(configuration);
                (sharding_indexed::NAME, Some(configuration))
            }
            Codec::Crc32c => ("crc32c", None),
            Codec::Shuffle { element_size } => {
                let elementsize = element_size;
                let configuration = Some(Configuration::Shuffle { elementsize });
                ("numcodecs.shuffle", configuration)
            }
            Codec::NumcodecsChecksum(checksum) => {
                let location = checksum.configured_location();
                let configuration =
                    location.map(|location| Configuration::NumcodecsChecksum { location });
                (checksum.name(), configuration)
            }
            Codec::External {
                name,
                configuration,
            } => {
                return Self {
                    name: name.into(),
                    configuration: configuration.map(Configuration::External),
                };
            }
        };
        Self {
            name: name.into(),
            configuration,
        }
    }
}

/// A codec of this package under one of its names.
#[derive(Debug)]
pub struct Definition {
    /// Its name, or an alias.
    pub name: &'static str,
    /// Its kind, which decides its place in a chain.
    pub kind: Kind,
    /// Validates its metadata for a data type, which is unknown if an external codec encodes the array.
    pub resolve: fn(&Extension, Option<&DataType>, &Options) -> Result<Codec, Error>,
}

/// The codecs of this package, aliases included: the only list of them.
pub const CODECS: [Definition; 11] = [
    Definition {
        name: "transpose",
        kind: Kind::ArrayToArray,
        resolve: array_to_array::transpose::resolve,
    },
    Definition {
        name: "reshape",
        kind: Kind::ArrayToArray,
        resolve: array_to_array::reshape::resolve,
    },
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
        name: sharding_indexed::NAME,
        kind: Kind::ArrayToBytes,
        resolve: sharding_indexed::resolve,
    },
    Definition {
        name: "crc32c",
        kind: Kind::BytesToBytes,
        resolve: bytes_to_bytes::crc32c::resolve,
    },
    Definition {
        name: "numcodecs.shuffle",
        kind: Kind::BytesToBytes,
        resolve: bytes_to_bytes::shuffle::resolve,
    },
    Definition {
        name: "numcodecs.crc32c",
        kind: Kind::BytesToBytes,
        resolve: numcodecs_checksum::resolve,
    },
    Definition {
        name: "numcodecs.crc32",
        kind: Kind::BytesToBytes,
        resolve: numcodecs_checksum::resolve,
    },
    Definition {
        name: "numcodecs.adler32",
        kind: Kind::BytesToBytes,
        resolve: numcodecs_checksum::resolve,
    },
    Definition {
        name: "numcodecs.fletcher32",
        kind: Kind::BytesToBytes,
        resolve: numcodecs_checksum::resolve,
    },
];

/// The codec that an entry of `codecs` refers to.
#[derive(Debug)]
pub enum Found {
    /// A codec of this package.
    Native(&'static Definition),
    /// An unknown codec that may be ignored (`must_understand: false`).
    Ignorable,
    /// An unknown codec that may not be ignored: one from outside this package.
    External,
}

/// Reads one entry of `codecs` and finds its codec. The configuration is left to [`Definition::resolve`].
///
/// # Errors
/// Returns [`Error::InvalidMetadata`] if the entry is not an extension object or short-hand.
pub fn find<'a>(metadata: &'a Located<'a>) -> Result<(Extension<'a>, Found), Error> {
    let extension = Extension::read(metadata, "a codec")?;
    extension.check_members()?;
    extension.check_configuration_type()?;
    let must_understand = extension.must_understand()?;
    let found = match CODECS.iter().find(|codec| codec.name == extension.name) {
        Some(definition) => Found::Native(definition),
        None if must_understand => Found::External,
        None => Found::Ignorable,
    };
    Ok((extension, found))
}

impl Found {
    /// Returns whether the codec's encoded size depends only on the decoded size. External ones may not tell.
    pub fn has_fixed_size(&self) -> bool {
        match self {
            Self::Native(definition) => definition.name != sharding_indexed::NAME,
            Self::Ignorable => true,
            Self::External => false,
        }
    }
}

/// Returns the error for a codec of a shard's index that may have any size.
pub fn no_fixed_size(extension: &Extension) -> Error {
    let fixed = CODECS
        .iter()
        .map(|codec| codec.name)
        .filter(|&name| name != sharding_indexed::NAME);
    extension.invalid_name(&text!["a codec of fixed size: one of ", quoted(fixed)])
}

/// Returns an external codec, whose metadata is left to its implementation.
pub fn external(extension: &Extension) -> Codec {
    let configuration = match extension.configuration.value {
        Some(Json::Object(members)) if members.is_empty() => None,
        configuration => configuration.cloned(),
    };
    Codec::External {
        name: extension.name.into(),
        configuration,
    }
}

/// Returns the error for an external codec that nobody provides. `loads` tells whether the caller could.
pub fn unknown(extension: &Extension, loads: bool) -> Error {
    if !loads {
        let names = quoted(CODECS.iter().map(|codec| codec.name));
        let expected = text![
            "one of ",
            names,
            " (use loadCodecChain for chains with others)"
        ];
        return extension.invalid_name(&expected);
    }
    extension.invalid_name(
        "a codec of this package, of the host or of the option codecs (a Map from its name to a function that returns its class)",
    )
}
