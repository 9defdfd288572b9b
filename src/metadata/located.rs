//! Values and their paths.

use super::{Json, json::truncated, listed};
use crate::error::Error;
use alloc::{borrow::ToOwned, string::String};

/// A value and its JSON path. An absent value has a path too, so that errors can name it.
///
/// The path becomes text only in an error.
#[derive(Clone, Copy, Debug)]
pub struct Located<'a> {
    /// The value, if there is one.
    pub value: Option<&'a Json>,
    /// The value that contains it.
    parent: Option<&'a Located<'a>>,
    step: Step<'a>,
}

/// The step from a value to one inside it.
#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Member(&'a str),
    Item(usize),
}

impl<'a> Located<'a> {
    /// Creates the root of the metadata. The path of a member is its name.
    pub fn root(value: &'a Json) -> Self {
        Self::at("", Some(value))
    }

    /// Creates a value, which may be absent, at a path from the root.
    pub fn at(path: &'a str, value: Option<&'a Json>) -> Self {
        Self {
            value,
            parent: None,
            step: Step::Member(path),
        }
    }

    /// Returns the JSON path, like `codecs[0].configuration`.
    pub fn path(&self) -> String {
        let mut path = String::new();
        self.write_path(&mut path);
        if path.is_empty() {
            path += "metadata";
        }
        path
    }

    fn write_path(&self, path: &mut String) {
        if let Some(parent) = self.parent {
            parent.write_path(path);
        }
        match self.step {
            Step::Member(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                *path += &truncated(name);
            }
            Step::Item(index) => *path += &text!["[", index, "]"],
        }
    }

    /// Returns the member `name`, which may be absent.
    pub fn member(&'a self, name: &'a str) -> Self {
        Self {
            value: self.value.and_then(|value| value.member(name)),
            parent: Some(self),
            step: Step::Member(name),
        }
    }

    /// Returns the items of the array.
    ///
    /// # Errors
    /// Returns [`Error::InvalidMetadata`] if this is no array; `expected` describes the array for the message.
    pub fn items(
        &'a self,
        expected: &str,
    ) -> Result<impl ExactSizeIterator<Item = Self> + use<'a>, Error> {
        let Some(Json::Array(items)) = self.value else {
            return Err(self.invalid(expected));
        };
        Ok(items.iter().enumerate().map(move |(index, item)| Self {
            value: Some(item),
            parent: Some(self),
            step: Step::Item(index),
        }))
    }

    /// Checks that this is an object with no other members than these.
    ///
    /// # Errors
    /// Returns [`Error::InvalidMetadata`] with the path of the first unknown member.
    pub fn check_members(&self, names: &[&str]) -> Result<(), Error> {
        let Some(Json::Object(members)) = self.value else {
            return Err(self.invalid("an object"));
        };
        let unknown = members
            .iter()
            .find(|(name, _)| !names.contains(&name.as_str()));
        let Some((name, _)) = unknown else {
            return Ok(());
        };
        let allowed = if names.is_empty() {
            "none is allowed".to_owned()
        } else {
            text!["allowed: ", listed(names.iter().copied(), "")]
        };
        Err(Error::InvalidMetadata {
            path: self.member(name).path(),
            problem: text!["unknown member; ", allowed],
        })
    }

    /// Returns the error that says what was expected here, and what came.
    pub fn invalid(&self, expected: &str) -> Error {
        let got = match self.value {
            Some(value) => value.describe(),
            None => "nothing".to_owned(),
        };
        self.expected(expected, got)
    }

    /// Returns the error that says what was expected here, and `got` as what came.
    pub fn expected(&self, expected: &str, got: String) -> Error {
        Error::InvalidMetadata {
            path: self.path(),
            problem: text!["expected ", expected, ", got ", got],
        }
    }
}
