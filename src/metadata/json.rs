//! JSON values.
//!
//! All metadata is read into [`Json`] first and validated afterwards, because derived `serde` structs do not fit here:
//! read through `serde-wasm-bindgen`, they ignore members that they do not name, so a misspelt `endia` would pass;
//! their errors contain neither the path of a value nor numbers outside JSON, such as NaN; and they would make up a
//! third of the module.

use super::number;
use alloc::{string::String, vec::Vec};
use serde::{Serialize, Serializer};

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

    /// Creates an array of numbers below 2^53.
    pub fn numbers(numbers: &[u64]) -> Self {
        Self::Array(numbers.iter().map(|&n| Self::Number(n as f64)).collect())
    }

    /// Describes the value in a message. Long strings are truncated; arrays and objects are not printed.
    pub fn describe(&self) -> String {
        match self {
            Self::Null => "null",
            Self::Bool(true) => "true",
            Self::Bool(false) => "false",
            Self::Number(value) => return number::to_string(*value),
            Self::String(value) => return described(value),
            Self::Array(items) if items.is_empty() => "an empty array",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
        .into()
    }
}

/// Serializes to the same value.
impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(value) => serializer.serialize_f64(*value),
            Self::String(value) => serializer.serialize_str(value),
            Self::Array(items) => items.serialize(serializer),
            Self::Object(members) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}

/// Describes a string in a message, as [`Json::describe`] does.
pub(super) fn described(string: &str) -> String {
    quoted([&*truncated(string)])
}

/// Returns at most 64 characters of the user's text, followed by `...` if there are more.
pub(super) fn truncated(text: &str) -> String {
    const MOST: usize = 64;
    let mut shown: String = text.chars().take(MOST).collect();
    if shown.len() < text.len() {
        shown += "...";
    }
    shown
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
        list += &text![comma, marks, name, marks];
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_strings_are_truncated_in_messages() {
        let shown = Json::String("ä".repeat(100)).describe();
        assert_eq!(shown, format!("\"{}...\"", "ä".repeat(64)));
    }
}
