//! CRC-32C and the window: all that the small module of `zarr-codecs/crc32c` exports.

use super::window;
use crate::{kernel, stream};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

/// Continues the CRC-32C `initial` over `bytes`; start with 0.
#[wasm_bindgen]
pub fn crc32c(bytes: &Uint8Array, initial: u32) -> u32 {
    window::with(|window| stream::crc32c(window, &bytes, 0..bytes.length(), initial))
}

/// Continues the CRC-32C `initial` over the first `length` bytes of the encoded half of the window. Overwrites them.
#[wasm_bindgen(js_name = crc32cWindow)]
pub fn crc32c_window(length: usize, initial: u32) -> u32 {
    window::with(|window| window.crc32c(length, initial))
}

/// Returns the CRC-32C of a message followed by another from their checksums `a` and `b` and the length of the second
/// in bytes, a non-negative integer.
#[wasm_bindgen(js_name = crc32cCombine)]
pub fn crc32c_combine(a: u32, b: u32, length_of_b: f64) -> u32 {
    kernel::crc32c::combine(a, b, length_of_b as u64)
}

/// Returns a view of the window's encoded half.
#[wasm_bindgen(js_name = encodedWindow)]
pub fn encoded_window() -> Uint8Array {
    window::encoded_view()
}

/// Returns a view of the window's decoded half.
#[wasm_bindgen(js_name = decodedWindow)]
pub fn decoded_window() -> Uint8Array {
    window::decoded_view()
}

/// Returns whether this module was built with SIMD instructions.
#[wasm_bindgen(js_name = hasSimd)]
pub fn has_simd() -> bool {
    cfg!(target_feature = "simd128")
}
