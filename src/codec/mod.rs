//! The list of codecs.

pub mod array_to_array;
pub mod array_to_bytes;
pub mod bytes_to_bytes;
mod location;

pub use location::Location;

use crate::{
    chain::Builder,
    error::Error,
    metadata::{Extension, Json, Located, quoted},
};
use alloc::{string::String, vec, vec::Vec};
use array_to_bytes::sharding_indexed;
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

/// The normalised metadata of a codec: with aliases, short-hands and assumed byte orders resolved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Codec {
    /// Its name.
    pub name: String,
    /// Its configuration, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configuration: Option<Json>,
}

impl Codec {
    /// Creates the metadata of a codec without a configuration.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.into(),
            configuration: None,
        }
    }

    /// Adds a member to the configuration.
    pub fn with(mut self, name: &str, value: Json) -> Self {
        let configuration = self.configuration.get_or_insert(Json::Object(Vec::new()));
        if let Json::Object(members) = configuration {
            members.push((name.into(), value));
        }
        self
    }

    /// Returns the same metadata as a value.
    pub fn into_json(self) -> Json {
        let mut members = vec![("name".into(), Json::String(self.name))];
        if let Some(configuration) = self.configuration {
            members.push(("configuration".into(), configuration));
        }
        Json::Object(members)
    }
}

/// A codec of this package under one of its names.
pub struct Definition {
    /// Its name, or an alias.
    pub name: &'static str,
    /// Its kind, which decides its place in a chain.
    pub kind: Kind,
    /// Validates its metadata for the chain so far, and adds what it does to the chain.
    pub(crate) add: fn(&Extension, &mut Builder) -> Result<Codec, Error>,
}

/// The only list of built-in codecs.
const CODECS: &[&[Definition]] = &[
    array_to_array::transpose::DEFINITIONS,
    array_to_array::reshape::DEFINITIONS,
    array_to_bytes::bytes::DEFINITIONS,
    array_to_bytes::sharding_indexed::DEFINITIONS,
    bytes_to_bytes::crc32c::DEFINITIONS,
    bytes_to_bytes::shuffle::DEFINITIONS,
    bytes_to_bytes::numcodecs_checksum::DEFINITIONS,
];

/// Returns the built-in codecs, each once for each of its names.
pub fn definitions() -> impl Iterator<Item = &'static Definition> {
    CODECS.iter().copied().flatten()
}

/// The codec that an entry of `codecs` refers to.
pub enum Found {
    /// A codec of this package.
    Native(&'static Definition),
    /// An unknown codec that may be ignored (`must_understand: false`).
    Ignorable,
    /// An unknown codec that may not be ignored: one from outside this package.
    External,
}

/// Reads one entry of `codecs` and finds its codec. The configuration is left to the codec.
///
/// # Errors
/// Returns [`Error::InvalidMetadata`] if the entry is not an extension object or short-hand.
pub fn find<'a>(metadata: &'a Located<'a>) -> Result<(Extension<'a>, Found), Error> {
    let extension = Extension::read(metadata, "a codec")?;
    extension.check_members()?;
    extension.check_configuration_type()?;
    let must_understand = extension.must_understand()?;
    let found = match definitions().find(|codec| codec.name == extension.name) {
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
    let fixed = definitions()
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
    Codec {
        name: extension.name.into(),
        configuration,
    }
}

/// Returns the error for an external codec that nobody provides. `loads` tells whether the caller could.
pub fn unknown(extension: &Extension, loads: bool) -> Error {
    if !loads {
        let names = quoted(definitions().map(|codec| codec.name));
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
