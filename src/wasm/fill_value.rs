//! Fill values for JavaScript.

use super::{plain, thrown};
use crate::{fill_value, json::Located};
use alloc::borrow::ToOwned;
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

/// Reads a fill value into the bytes of one element, as [`fill_value::read`] does.
///
/// Both must be plain data, small enough for the arena.
#[wasm_bindgen(js_name = fillValue)]
pub fn fill_value(data_type: &JsValue, fill_value: &JsValue) -> Result<Uint8Array, JsValue> {
    let (data_type, fill_value) = (plain::read(data_type), plain::read(fill_value));
    let located = |value, path: &str| Located {
        value: Some(value),
        path: path.to_owned(),
    };
    fill_value::read(
        &located(&data_type, "data_type"),
        &located(&fill_value, "fill_value"),
    )
    .map(|bytes| Uint8Array::from(bytes.as_slice()))
    .map_err(thrown)
}
