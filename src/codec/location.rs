//! The place where a codec adds a checksum or an index to the bytes.

use crate::{
    error::Error,
    metadata::{Json, Located},
};
use serde::Serialize;

/// The place of a checksum or of the index of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Location {
    /// Before all else.
    Start,
    /// After it.
    End,
}

impl Location {
    /// Reads metadata, which may be absent.
    ///
    /// # Errors
    /// Returns [`Error::InvalidMetadata`].
    pub fn read(metadata: &Located, default: Self) -> Result<Self, Error> {
        match metadata.value {
            None => Ok(default),
            Some(Json::String(name)) if name == "start" => Ok(Self::Start),
            Some(Json::String(name)) if name == "end" => Ok(Self::End),
            Some(_) => Err(metadata.invalid("\"start\" or \"end\"")),
        }
    }

    /// Returns the metadata.
    pub fn to_json(self) -> Json {
        let name = match self {
            Self::Start => "start",
            Self::End => "end",
        };
        Json::String(name.into())
    }
}
