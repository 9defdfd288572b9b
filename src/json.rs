//! Metadata as the user wrote it: a JSON value, and a view of one that knows its path.
//!
//! `serde`'s derived structs cannot serve here. Read through `serde-wasm-bindgen` they never see members they do not
//! name, so a misspelt `endia` would pass; and they report neither the path of a value nor a number that JSON cannot
//! hold, such as NaN. So every member is read into [`Json`] first, and judged afterwards.

use crate::error::Error;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;

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
    fn member(&self, name: &str) -> Option<&Json> {
        match self {
            Self::Object(members) => members
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value),
            _ => None,
        }
    }
}

/// How a value is named in a message; long strings are cut, whole arrays and objects are not printed.
impl std::fmt::Display for Json {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            // As JavaScript writes them, so that a huge number is not hundreds of digits.
            Self::Number(value) if value.is_infinite() => f.write_str(if *value > 0.0 {
                "Infinity"
            } else {
                "-Infinity"
            }),
            Self::Number(value) if value.abs() >= 1e21 => write!(f, "{value:e}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::String(value) => write!(f, "\"{}\"", cut(value)),
            Self::Array(items) if items.is_empty() => f.write_str("an empty array"),
            Self::Array(_) => f.write_str("an array"),
            Self::Object(_) => f.write_str("an object"),
        }
    }
}

/// The user's text for a message: at most 64 characters of it.
fn cut(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(64) {
        Some((end, _)) => Cow::Owned(format!("{}...", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }
    // Integers beyond 2^53 lose digits here as they do in JavaScript; no metadata value is that large and valid.
    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value as f64))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(Json::Number(value))
    }
    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::String(value.to_owned()))
    }
    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::String(value))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut array = Vec::new();
        while let Some(item) = items.next_element()? {
            array.push(item);
        }
        Ok(Json::Array(array))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
        let mut object = Vec::new();
        while let Some(member) = members.next_entry()? {
            object.push(member);
        }
        Ok(Json::Object(object))
    }
}

/// A value and where it stands. An absent value has a place too, so that its absence can be reported.
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

    /// The items of the array that should stand here.
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

    /// Checks that an object stands here and that its members have these names and no others.
    pub fn only_members(&self, expected: &str, names: &[&str]) -> Result<(), Error> {
        let Some(Json::Object(members)) = self.value else {
            return Err(self.invalid(expected));
        };
        match members
            .iter()
            .find(|(name, _)| !names.contains(&name.as_str()))
        {
            None => Ok(()),
            Some((name, value)) => {
                let path = self.member(&cut(name)).path;
                Err(Error::metadata(path, only(names), value.to_string()))
            }
        }
    }

    /// The error that says what should stand here instead.
    pub fn invalid(&self, expected: &str) -> Error {
        let got = match self.value {
            Some(value) => value.to_string(),
            None => "nothing".to_owned(),
        };
        let path = match self.path.as_str() {
            "" => "metadata",
            path => path,
        };
        Error::metadata(path, expected, got)
    }
}

/// Which member names there are, for a message about one that there is not.
fn only(names: &[&str]) -> String {
    match names {
        [] => "no members here".to_owned(),
        [name] => format!("no member but \"{name}\" here"),
        names => format!("no members but {} here", quoted(names)),
    }
}

/// Names in a message: `"little", "big"`.
pub fn quoted(names: &[&str]) -> String {
    format!("\"{}\"", names.join("\", \""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_json_value_is_read() {
        let json: Json =
            serde_json::from_str(r#"{"a": [null, true, -1, 18446744073709551615, 1.5, "x"]}"#)
                .unwrap();
        let items = vec![
            Json::Null,
            Json::Bool(true),
            Json::Number(-1.0),
            Json::Number(18446744073709551615.0),
            Json::Number(1.5),
            Json::String("x".into()),
        ];
        assert_eq!(json, Json::Object(vec![("a".into(), Json::Array(items))]));
    }

    #[test]
    fn long_strings_are_cut_in_messages() {
        let shown = Json::String("ä".repeat(100)).to_string();
        assert_eq!(shown, format!("\"{}...\"", "ä".repeat(64)));
    }
}
