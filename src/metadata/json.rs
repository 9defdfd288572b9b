//! JSON values.
//!
//! Derived `serde` structs cannot serve here: read through `serde-wasm-bindgen` they never see members they do not name,
//! so a misspelt `endia` would pass; they report neither the path of a value nor a number that JSON cannot hold, such as
//! NaN; and they would be a third of the module that users download. So all metadata is read into [`Json`] first, and
//! judged afterwards.

use super::number;
use alloc::{format, string::String, vec::Vec};

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
pub(super) fn truncated(text: &str) -> String {
    const MOST: usize = 64;
    let mut shown: String = text.chars().take(MOST).collect();
    if shown.len() < text.len() {
        shown += "...";
    }
    shown
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
