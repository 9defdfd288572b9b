//! Reads plain JavaScript data as JSON.

use crate::metadata::Json;
use alloc::{string::String, vec::Vec};
use js_sys::{Array, Object};
use wasm_bindgen::prelude::*;

/// Reads plain data. Values that are not JSON, such as functions, become null.
pub fn read(value: &JsValue) -> Json {
    if let Some(text) = value.as_string() {
        Json::String(text)
    } else if let Some(number) = value.as_f64() {
        Json::Number(number)
    } else if let Some(value) = value.as_bool() {
        Json::Bool(value)
    } else if Array::is_array(value) {
        Json::Array(items(value.unchecked_ref(), |item| read(&item)))
    } else if value.is_object() {
        let members = Object::entries(value.unchecked_ref());
        Json::Object(items(&members, |entry| member(entry.unchecked_ref())))
    } else {
        Json::Null
    }
}

/// Reads an entry of an object, `[name, value]`.
fn member(entry: &Array) -> (String, Json) {
    let name = entry.get(0).as_string().unwrap_or_default();
    (name, read(&entry.get(1)))
}

/// Reads the items of an array.
fn items<T>(array: &Array, read: fn(JsValue) -> T) -> Vec<T> {
    let mut items = Vec::new();
    for i in 0..array.length() {
        items.push(read(array.get(i)));
    }
    items
}
