//! The codecs: THE list of them, and the chain that an array's metadata makes of them.

pub mod bytes;
pub mod chain;
pub mod crc32c;

pub use chain::{CodecChain, Options};

use crate::{
    data_type::DataType,
    error::Error,
    json::{Located, quoted},
    metadata::{Endian, Extension},
};
use alloc::format;

/// What a codec takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Takes an array, gives bytes. A chain has exactly one, before all others here.
    ArrayToBytes,
    /// Takes bytes, gives bytes.
    BytesToBytes,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::ArrayToBytes => "array-to-bytes",
            Self::BytesToBytes => "bytes-to-bytes",
        }
    }
}

/// A codec whose metadata has been checked for the array's data type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// The `bytes` codec; without a byte order where components are single bytes.
    Bytes {
        /// The order of a component's bytes in the encoded chunk.
        endian: Option<Endian>,
    },
    /// The `crc32c` codec.
    Crc32c,
}

/// A name that may stand in metadata, and how the codec behind it is resolved.
struct Definition {
    name: &'static str,
    kind: Kind,
    resolve: fn(&Extension, &DataType, &Options) -> Result<Codec, Error>,
}

/// THE list of codecs, aliases included.
const CODECS: [Definition; 3] = [
    Definition {
        name: "bytes",
        kind: Kind::ArrayToBytes,
        resolve: bytes::resolve,
    },
    Definition {
        name: "endian",
        kind: Kind::ArrayToBytes,
        resolve: bytes::resolve_legacy,
    },
    Definition {
        name: "crc32c",
        kind: Kind::BytesToBytes,
        resolve: crc32c::resolve,
    },
];

/// Reads one entry of `codecs`. `None` is an unknown codec that may be skipped.
fn define<'a>(
    metadata: &Located<'a>,
) -> Result<Option<(Extension<'a>, &'static Definition)>, Error> {
    const MEMBERS: [&str; 3] = ["name", "configuration", "must_understand"];
    let extension = Extension::read(metadata, "a codec", &MEMBERS)?;
    match CODECS.iter().find(|codec| codec.name == extension.name) {
        Some(definition) => Ok(Some((extension, definition))),
        None if !extension.must_understand => extension.configured_by_any().map(|()| None),
        None => {
            let names = quoted(&CODECS.map(|codec| codec.name));
            Err(extension.invalid_name(&format!("one of {names}")))
        }
    }
}
