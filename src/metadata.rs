//! Zarr metadata as the core specification writes it: extension objects, and what a codec chain is made from.
//!
//! Specification: [core, "Extension definition"](https://zarr-specs.readthedocs.io/en/latest/v3/core/#extension-definition).

use crate::{
    error::Error,
    json::{Json, Located},
};
use alloc::{borrow::ToOwned, format, string::String, string::ToString, vec::Vec};

/// The metadata of a codec chain, located where the user wrote it.
#[derive(Clone, Debug)]
pub struct ChainMetadata<'a> {
    /// The data type: a name or an extension object.
    pub data_type: Located<'a>,
    /// The shape of one chunk.
    pub shape: Located<'a>,
    /// The codecs, in the order in which encoding applies them.
    pub codecs: Located<'a>,
}

impl<'a> ChainMetadata<'a> {
    /// From `{ dataType, shape, codecs }`, `shape` being that of a chunk.
    pub fn from_parts(metadata: &'a Json) -> Result<Self, Error> {
        let parts = Located::root(metadata);
        parts.only_members(
            "{ dataType, shape, codecs }",
            &["dataType", "shape", "codecs"],
        )?;
        Ok(Self {
            data_type: parts.member("dataType"),
            shape: parts.member("shape"),
            codecs: parts.member("codecs"),
        })
    }

    /// From the metadata of an array, the content of its `zarr.json`. What does not concern the codecs is not looked
    /// at, but a group, another version of Zarr and an irregular grid are told apart.
    pub fn from_array(metadata: &'a Json) -> Result<Self, Error> {
        let array = Located::root(metadata);
        let Some(Json::Object(_)) = array.value else {
            return Err(array.invalid("the metadata of an array (the content of its zarr.json)"));
        };
        let grid = array.member("chunk_grid");
        for (member, expected) in [
            (array.member("zarr_format"), "3"),
            (array.member("node_type"), "\"array\""),
            (grid.member("name"), "\"regular\""),
        ] {
            if member
                .value
                .is_some_and(|value| value.to_string() != expected)
            {
                return Err(member.invalid(expected));
            }
        }
        // They stand between the chunk and the store, so that what is stored is not the encoded chunk.
        let transformers = array.member("storage_transformers");
        match transformers.value {
            None => {}
            Some(Json::Array(none)) if none.is_empty() => {}
            Some(_) => return Err(transformers.invalid("none, which this package does not apply,")),
        }
        Ok(Self {
            data_type: array.member("data_type"),
            shape: grid.member("configuration").member("chunk_shape"),
            codecs: array.member("codecs"),
        })
    }
}

/// An extension object `{ name, configuration }`, or the short-hand that is its name alone.
#[derive(Clone, Debug)]
pub struct Extension<'a> {
    /// The name of the extension.
    pub name: &'a str,
    /// Its configuration, absent in the short-hand.
    pub configuration: Located<'a>,
    /// False only where the metadata says `"must_understand": false`.
    pub must_understand: bool,
    name_path: String,
}

impl<'a> Extension<'a> {
    /// Reads `kind` (words for the message), an object having no other members than these.
    pub fn read(metadata: &Located<'a>, kind: &str, members: &[&str]) -> Result<Self, Error> {
        if let Some(Json::String(name)) = metadata.value {
            return Ok(Self {
                name,
                configuration: metadata.member("configuration"),
                must_understand: true,
                name_path: metadata.path.clone(),
            });
        }
        let expected = format!("{kind} (a name or an object with a name)");
        metadata.only_members(&expected, members)?;
        let name = metadata.member("name");
        let Some(Json::String(text)) = name.value else {
            return Err(name.invalid(&format!("the name of {kind}")));
        };
        let must_understand = metadata.member("must_understand");
        Ok(Self {
            name: text,
            configuration: metadata.member("configuration"),
            must_understand: match must_understand.value {
                None => true,
                Some(Json::Bool(value)) => *value,
                Some(_) => return Err(must_understand.invalid("true or false")),
            },
            name_path: name.path,
        })
    }

    /// Checks that the configuration is absent or empty.
    pub fn no_configuration(&self) -> Result<(), Error> {
        self.configured_by(&[])
    }

    /// Checks that the configuration is absent, or an object with these members and no others.
    pub fn configured_by(&self, members: &[&str]) -> Result<(), Error> {
        match self.configuration.value {
            None => Ok(()),
            Some(_) => self.configuration.only_members("an object", members),
        }
    }

    /// Checks that the configuration is absent or an object.
    pub fn configured_by_any(&self) -> Result<(), Error> {
        match self.configuration.value {
            None | Some(Json::Object(_)) => Ok(()),
            Some(_) => Err(self.configuration.invalid("an object")),
        }
    }

    /// The error that says which names there are.
    pub fn invalid_name(&self, expected: &str) -> Error {
        let got = Json::String(self.name.to_owned()).to_string();
        Error::metadata(&*self.name_path, expected, got)
    }
}

/// The order in which the bytes of a component are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endian {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

impl Endian {
    /// The order in which this host holds components.
    pub const HOST: Self = if cfg!(target_endian = "little") {
        Self::Little
    } else {
        Self::Big
    };

    /// The byte order with this name in metadata.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Little, Self::Big]
            .into_iter()
            .find(|endian| endian.name() == name)
    }

    /// Its name in metadata.
    pub fn name(self) -> &'static str {
        match self {
            Self::Little => "little",
            Self::Big => "big",
        }
    }
}

/// Reads the shape of a chunk: an array of non-negative integers, empty for a chunk of one element.
pub fn read_shape(shape: &Located) -> Result<Vec<u64>, Error> {
    /// Beyond 2^53 a JSON number is not exact in JavaScript.
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    let mut lengths = Vec::new();
    for length in shape.items("the shape of a chunk (an array of integers)")? {
        match length.value {
            Some(&Json::Number(n)) if (0.0..=LARGEST).contains(&n) && n == n as u64 as f64 => {
                lengths.push(n as u64);
            }
            _ => return Err(length.invalid("a non-negative integer")),
        }
    }
    Ok(lengths)
}
