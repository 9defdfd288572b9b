//! Numbers as JavaScript writes them, so that a huge one is not hundreds of digits.

use alloc::string::String;

/// By JavaScript: Rust's own digits of a number are a seventh of the whole module.
#[cfg(target_arch = "wasm32")]
pub fn to_string(value: f64) -> String {
    use wasm_bindgen::prelude::*;
    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_name = String)]
        fn string(value: f64) -> String;
    }
    string(value)
}

/// By Rust, where there is no JavaScript.
#[cfg(not(target_arch = "wasm32"))]
pub fn to_string(value: f64) -> String {
    use alloc::{borrow::ToOwned, format, string::ToString};
    match value {
        f64::INFINITY => "Infinity".to_owned(),
        f64::NEG_INFINITY => "-Infinity".to_owned(),
        _ if value.abs() >= 1e21 => format!("{value:e}").replace('e', "e+"),
        _ => value.to_string(),
    }
}
