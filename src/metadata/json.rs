//! A JSON value, and a view of one that knows its path.
//!
//! Derived `serde` structs cannot serve here: read through `serde-wasm-bindgen` they never see members they do not name,
//! so a misspelt `endia` would pass; they report neither the path of a value nor a number that JSON cannot hold, such as
//! NaN; and they would be a third of the module that users download. So all metadata is read into [`Json`] first, and
//! judged afterwards.

use super::number;
use crate::error::Error;
use alloc::{borrow::ToOwned, format, string::String, string::ToString, vec::Vec};

/// A JSON value, with JavaScript's numbers (NaN and the infinities included).
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
    /// An object's members, in the order in which they were written.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The member `name` of an object.
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

/// Names the value in a message: a long string is truncated, an array or object is not printed.
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

/// At most 64 characters of the user's text.
fn truncated(text: &str) -> String {
    const MOST: usize = 64;
    let mut shown: String = text.chars().take(MOST).collect();
    if shown.len() < text.len() {
        shown += "...";
    }
    shown
}

/// A value and its path. An absent value has a path too, so that its absence can be reported.
#[derive(Clone, Debug)]
pub struct Located<'a> {
    /// The value, if there is one.
    pub value: Option<&'a Json>,
    /// Its JSON path.
    pub path: String,
}

impl<'a> Located<'a> {
    /// The metadata as a whole; the paths of its members begin with their own names.
    pub fn root(value: &'a Json) -> Self {
        Self {
            value: Some(value),
            path: String::new(),
        }
    }

    /// A value at a path.
    pub fn at(path: &str, value: &'a Json) -> Self {
        Self {
            value: Some(value),
            path: path.to_owned(),
        }
    }

    /// The member `name`, which may be absent.
    pub fn member(&self, name: &str) -> Located<'a> {
        Located {
            value: self.value.and_then(|value| value.member(name)),
            path: match self.path.as_str() {
                "" => name.to_owned(),
                path => format!("{path}.{name}"),
            },
        }
    }

    /// The items of the array here; `expected` describes it where it is something else.
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

    /// Checks that the members of the object here have no other names than these.
    pub fn only_members(&self, names: &[&str]) -> Result<(), Error> {
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

    /// The error that says what was expected here.
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

/// Names in a message: `"little", "big"`.
pub fn quoted<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    listed(names, "\"")
}

/// Names in a message, each between `marks`.
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
