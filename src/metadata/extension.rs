//! Extension objects.
//!
//! Specification: [core, "Extension definition"](https://zarr-specs.readthedocs.io/en/latest/v3/core/#extension-definition).

use super::{Json, Located};
use crate::error::Error;
use alloc::{borrow::ToOwned, format, string::ToString};

/// An extension object `{ name, configuration, must_understand }`, or the short-hand that is its name alone.
#[derive(Clone, Copy, Debug)]
pub struct Extension<'a> {
    /// The name of the extension.
    pub name: &'a str,
    /// Its configuration, absent in the short-hand.
    pub configuration: Located<'a>,
    metadata: Located<'a>,
    located_name: Located<'a>,
}

impl<'a> Extension<'a> {
    /// Reads the name of `kind` (words for the message). Other members are checked by the methods below.
    pub fn read(metadata: &Located<'a>, kind: &str) -> Result<Self, Error> {
        let located = match metadata.value {
            Some(Json::String(_)) => *metadata,
            Some(Json::Object(_)) => metadata.member("name"),
            _ => {
                return Err(metadata.invalid(&format!("{kind} (a name or an object with a name)")));
            }
        };
        let Some(Json::String(name)) = located.value else {
            return Err(located.invalid(&format!("the name of {kind}")));
        };
        Ok(Self {
            name,
            configuration: metadata.member("configuration"),
            metadata: *metadata,
            located_name: located,
        })
    }

    /// Checks that an object has no members but those of an extension.
    pub fn only_known_members(&self) -> Result<(), Error> {
        match self.metadata.value {
            Some(Json::Object(_)) => {
                self.metadata
                    .only_members(&["name", "configuration", "must_understand"])
            }
            _ => Ok(()),
        }
    }

    /// Whether a reader that does not know the extension must fail; false only where the metadata says so.
    pub fn must_understand(&self) -> Result<bool, Error> {
        let member = self.metadata.member("must_understand");
        match member.value {
            None => Ok(true),
            Some(Json::Bool(value)) => Ok(*value),
            Some(_) => Err(member.invalid("true or false")),
        }
    }

    /// Checks that the metadata does not allow to ignore this extension, which is impossible.
    pub fn must_be_understood(&self) -> Result<(), Error> {
        match self.must_understand()? {
            true => Ok(()),
            false => Err(self.metadata.member("must_understand").invalid("true")),
        }
    }

    /// Checks that the configuration is absent or empty.
    pub fn no_configuration(&self) -> Result<(), Error> {
        self.configured_by(&[])
    }

    /// Checks that the configuration is absent, or an object with these members at most.
    pub fn configured_by(&self, members: &[&str]) -> Result<(), Error> {
        self.configured_by_any()?;
        match self.configuration.value {
            None => Ok(()),
            Some(_) => self.configuration.only_members(members),
        }
    }

    /// Checks that the configuration is absent or an object.
    pub fn configured_by_any(&self) -> Result<(), Error> {
        match self.configuration.value {
            None | Some(Json::Object(_)) => Ok(()),
            Some(_) => Err(self.configuration.invalid("an object")),
        }
    }

    /// The error that lists the names there are.
    pub fn invalid_name(&self, expected: &str) -> Error {
        let got = Json::String(self.name.to_owned()).to_string();
        self.located_name.expected(expected, got)
    }
}
