//! Extension objects.
//!
//! Specification: [core, "Extension definition"](https://zarr-specs.readthedocs.io/en/latest/v3/core/#extension-definition).

use super::{Json, Located, json::described};
use crate::error::Error;

/// An extension object `{ name, configuration, must_understand }`, or the short-hand, which is the name alone.
#[derive(Clone, Copy, Debug)]
pub struct Extension<'a> {
    /// The name of the extension.
    pub name: &'a str,
    /// Its configuration, absent in the short-hand.
    pub configuration: Located<'a>,
    metadata: &'a Located<'a>,
    located_name: Located<'a>,
}

impl<'a> Extension<'a> {
    /// Reads the name. The other members are left to the methods below.
    ///
    /// `kind` describes the extension in messages, for example `a codec`.
    ///
    /// # Errors
    /// Like all methods here, returns [`Error::InvalidMetadata`].
    pub fn read(metadata: &'a Located<'a>, kind: &str) -> Result<Self, Error> {
        let located = match metadata.value {
            Some(Json::String(_)) => *metadata,
            Some(Json::Object(_)) => metadata.member("name"),
            _ => {
                return Err(metadata.invalid(&text![kind, " (a name or an object with a name)"]));
            }
        };
        let Some(Json::String(name)) = located.value else {
            return Err(located.invalid(&text!["the name of ", kind]));
        };
        Ok(Self {
            name,
            configuration: metadata.member("configuration"),
            metadata,
            located_name: located,
        })
    }

    /// Returns the extension object.
    pub fn located(&self) -> &'a Located<'a> {
        self.metadata
    }

    /// Checks that the object has no other members than an extension may have.
    pub fn check_members(&self) -> Result<(), Error> {
        match self.metadata.value {
            Some(Json::Object(_)) => {
                self.metadata
                    .check_members(&["name", "configuration", "must_understand"])
            }
            _ => Ok(()),
        }
    }

    /// Reads `must_understand`: whether a reader that does not know the extension must fail. True if absent.
    pub fn must_understand(&self) -> Result<bool, Error> {
        let member = self.metadata.member("must_understand");
        match member.value {
            None => Ok(true),
            Some(Json::Bool(value)) => Ok(*value),
            Some(_) => Err(member.invalid("true or false")),
        }
    }

    /// Checks that `must_understand` is not false, for extensions that no reader can ignore.
    pub fn check_must_understand(&self) -> Result<(), Error> {
        match self.must_understand()? {
            true => Ok(()),
            false => Err(self.metadata.member("must_understand").invalid("true")),
        }
    }

    /// Checks that the configuration is absent or empty.
    pub fn check_no_configuration(&self) -> Result<(), Error> {
        self.check_configuration(&[])
    }

    /// Checks that the configuration is absent, or an object with no other members than these.
    pub fn check_configuration(&self, members: &[&str]) -> Result<(), Error> {
        self.check_configuration_type()?;
        match self.configuration.value {
            None => Ok(()),
            Some(_) => self.configuration.check_members(members),
        }
    }

    /// Checks that the configuration is absent or an object.
    pub fn check_configuration_type(&self) -> Result<(), Error> {
        match self.configuration.value {
            None | Some(Json::Object(_)) => Ok(()),
            Some(_) => Err(self.configuration.invalid("an object")),
        }
    }

    /// Returns the error for an unknown name; `expected` lists the known ones.
    pub fn invalid_name(&self, expected: &str) -> Error {
        self.located_name.expected(expected, described(self.name))
    }
}
