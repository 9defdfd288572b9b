//! Formats numbers as JavaScript does, so that a huge one does not take hundreds of digits.

/// Calls JavaScript: Rust's own formatting of floating-point numbers would make up a seventh of the module.
#[cfg(all(target_arch = "wasm32", feature = "exports"))]
pub(crate) use crate::wasm::number_to_string as to_string;

/// Formats a number natively, like `String(value)` in JavaScript.
#[cfg(not(all(target_arch = "wasm32", feature = "exports")))]
pub fn to_string(value: f64) -> alloc::string::String {
    use alloc::{borrow::ToOwned, format, string::ToString};
    match value {
        f64::INFINITY => "Infinity".to_owned(),
        f64::NEG_INFINITY => "-Infinity".to_owned(),
        _ if value.abs() >= 1e21 => format!("{value:e}").replace('e', "e+"),
        _ => value.to_string(),
    }
}
