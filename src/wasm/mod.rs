//! The exports to JavaScript. They take and return plain values, never an object that would need `free()`.
//!
//! [`chain`] resolves metadata once per array and then takes numbers once per chunk. An error is thrown as an array of
//! its message and its fields, from which TypeScript creates an instance of the right class.

#[cfg(feature = "chain")]
pub mod chain;
pub mod crc32c;
#[cfg(feature = "chain")]
pub mod guard;
#[cfg(feature = "chain")]
mod json;
#[cfg(feature = "chain")]
pub mod operation;
#[cfg(feature = "chain")]
mod request;
#[cfg(feature = "chain")]
pub mod shard;
#[cfg(feature = "chain")]
pub mod transpose;
mod window;

use alloc::string::String;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Formats a number as JavaScript does.
    #[wasm_bindgen(js_name = String)]
    pub(crate) fn number_to_string(value: f64) -> String;
}
