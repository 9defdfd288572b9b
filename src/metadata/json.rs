//! JSON values, and views of them that know their paths.
//!
//! All metadata is read into [`Json`] first and validated afterwards, because derived `serde` structs do not fit here:
//! read through `serde-wasm-bindgen`, they ignore members that they do not name, so a misspelt `endia` would pass;
//! their errors contain neither the path of a value nor numbers outside JSON, such as NaN; and they would make up a
//! third of the module.

use super::number;
use crate::error::Error;
use alloc::{borrow::ToOwned, format, string::String, string::ToString, vec::Vec};

/// A JSON value. Numbers are those of JavaScript, including NaN and the infinities.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// Any number.
    Number(f64),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object: its members in the order of the source.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Returns the member `name`, if this is an object that has it.
    pub fn member(&self, name: &str) -> Option<&Json> {
        match self {
            Self::Object(members) => members
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value),
            _ => None,
        }
    }
}

/// Describes the value in a message. Long strings are truncated; arrays and objects are not printed.
impl core::fmt::Display for Json {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(value) => f.write_str(&number::to_string(*value)),
            Self::String(value) => write!(f, "\"{}\"", truncated(value)),
            Self::Array(items) if items.is_empty() => f.write_str("an empty array"),
            Self::Array(_) => f.write_str("an array"),
            Self::Object(_) => f.write_str("an object"),
        }
    }
}

/// Returns at most 64 characters of the user's text, followed by `...` if there are more.
fn truncated(text: &str) -> String {
    const MOST: usize = 64;
    let mut shown: String = text.chars().take(MOST).collect();
    if shown.len() < text.len() {
        shown += "...";
    }
    shown
}

/// A value and its path. An absent value has a path too, so that errors can name it.
#[derive(Clone, Debug)]
pub struct Located<'a> {
    /// The value, if there is one.
    pub value: Option<&'a Json>,
    /// Its JSON path.
    pub path: String,
}

impl<'a> Located<'a> {
    /// Creates the root of the metadata. The path of a member is its name.
    pub fn root(value: &'a Json) -> Self {
        Self {
            value: Some(value),
            path: String::new(),
        }
    }

    /// Creates a value at a path.
    pub fn at(path: &str, value: &'a Json) -> Self {
        Self {
            value: Some(value),
            path: path.to_owned(),
        }
    }

    /// Returns the member `name`, which may be absent.
    pub fn member(&self, name: &str) -> Located<'a> {
        Located {
            value: self.value.and_then(|value| value.member(name)),
            path: match self.path.as_str() {
                "" => name.to_owned(),
                path => format!("{path}.{name}"),
            },
        }
    }

    /// Returns the items of the array.
    ///
    /// # Errors
    /// Returns [`Error::InvalidMetadata`] if this is no array; `expected` describes the array for the message.
    pub fn items(
        &self,
        expected: &str,
    ) -> Result<impl ExactSizeIterator<Item = Located<'a>> + use<'a>, Error> {
        let Some(Json::Array(items)) = self.value else {
            return Err(self.invalid(expected));
        };
        let path = self.path.clone();
        Ok(items.iter().enumerate().map(move |(index, item)| Located {
            value: Some(item),
            path: format!("{path}[{index}]"),
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
        match members
            .iter()
            .find(|(name, _)| !names.contains(&name.as_str()))
        {
            None => Ok(()),
            Some((name, _)) => Err(Error::InvalidMetadata {
                path: self.member(&truncated(name)).path,
                problem: match names {
                    [] => "unknown member; none is allowed".to_owned(),
                    names => {
                        format!(
                            "unknown member; allowed: {}",
                            listed(names.iter().copied(), "")
                        )
                    }
                },
            }),
        }
    }

    /// Returns the error that says what was expected here, and what came.
    pub fn invalid(&self, expected: &str) -> Error {
        let got = match self.value {
            Some(value) => value.to_string(),
            None => "nothing".to_owned(),
        };
        let path = match self.path.as_str() {
            "" => "metadata",
            path => path,
        };
        Error::expected(path, expected, got)
    }
}

/// Lists names in quotation marks for a message: `"little", "big"`.
pub fn quoted<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    listed(names, "\"")
}

/// Lists names for a message, each between `marks`.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>, marks: &str) -> String {
    let mut list = String::new();
    for name in names {
        let comma = if list.is_empty() { "" } else { ", " };
        list += &format!("{comma}{marks}{name}{marks}");
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_strings_are_truncated_in_messages() {
        let shown = Json::String("ä".repeat(100)).to_string();
        assert_eq!(shown, format!("\"{}...\"", "ä".repeat(64)));
    }
}
