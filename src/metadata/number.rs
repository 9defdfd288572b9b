//! Numbers as JavaScript writes them, so that a huge one is not hundreds of digits.

/// Written by JavaScript: Rust's own digits of a floating-point number would be a seventh of the whole module.
#[cfg(target_arch = "wasm32")]
pub(crate) use crate::wasm::number_to_string as to_string;

/// Written by Rust where there is no JavaScript.
#[cfg(not(target_arch = "wasm32"))]
pub fn to_string(value: f64) -> alloc::string::String {
    use alloc::{borrow::ToOwned, format, string::ToString};
    match value {
        f64::INFINITY => "Infinity".to_owned(),
        f64::NEG_INFINITY => "-Infinity".to_owned(),
        _ if value.abs() >= 1e21 => format!("{value:e}").replace('e', "e+"),
        _ => value.to_string(),
    }
}
