//! Plain JavaScript data: read as JSON, and made from what Rust found out.

use crate::json::Json;
use alloc::{string::String, vec::Vec};
use js_sys::{Array, Object};
use wasm_bindgen::prelude::*;

/// Reads plain data; what JSON has no value for is null.
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

/// A member of an object from its entry, `[name, value]`.
fn member(entry: &Array) -> (String, Json) {
    let name = entry.get(0).as_string().unwrap_or_default();
    (name, read(&entry.get(1)))
}

fn items<T>(array: &Array, read: fn(JsValue) -> T) -> Vec<T> {
    let mut items = Vec::new();
    for i in 0..array.length() {
        items.push(read(array.get(i)));
    }
    items
}

/// A plain object, member by member. Each kind of value has its method, so that none is made into a [`JsValue`] first.
pub struct Plain(Object);

impl Plain {
    /// An object without members.
    pub fn new() -> Self {
        Self(Object::new())
    }

    /// Adds a number, or an integer below 2^53.
    pub fn number(self, name: &str, value: f64) -> Self {
        set_number(&self.0, name, value);
        self
    }

    /// Adds a string.
    pub fn text(self, name: &str, value: &str) -> Self {
        set_text(&self.0, name, value);
        self
    }

    /// Adds any other value.
    pub fn value(self, name: &str, value: impl Into<JsValue>) -> Self {
        set_value(&self.0, name, &value.into());
        self
    }

    /// Adds an array of numbers.
    pub fn numbers(self, name: &str, values: &[u64]) -> Self {
        let array = Array::new();
        for &value in values {
            array.push(&JsValue::from(value as f64));
        }
        self.value(name, array)
    }
}

impl From<Plain> for JsValue {
    fn from(Plain(object): Plain) -> Self {
        object.into()
    }
}

// The object is new and extensible, so setting a member cannot fail.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = Reflect, js_name = set)]
    fn set_number(object: &Object, name: &str, value: f64);
    #[wasm_bindgen(js_namespace = Reflect, js_name = set)]
    fn set_text(object: &Object, name: &str, value: &str);
    #[wasm_bindgen(js_namespace = Reflect, js_name = set)]
    fn set_value(object: &Object, name: &str, value: &JsValue);
}
