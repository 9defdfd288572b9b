//! What JavaScript calls: plain values in, plain values out, no object with a lifetime, so that nobody calls `free()`.
//!
//! [`resolve`] runs once per array, [`decode`], [`check`] and [`encode`] once per chunk with what
//! it found out. An error is thrown as an object with the `code` and the fields of [`crate::Error`], and its
//! `message`; the TypeScript side makes an exception of the right class from it.

#[cfg(feature = "fixed-memory")]
mod arena;
pub mod resolved;
mod window;

use crate::{
    codec::{self, CodecChain, Options, bytes::Conversion, crc32c::Mismatch},
    error::{Error, Representation},
    json::Json,
    kernel,
    metadata::{ChainMetadata, Endian},
};
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

/// Resolves `{ dataType, shape, codecs }` or, with `of_array`, the metadata of an array; gives a
/// [`resolved::Resolved`].
///
/// `metadata` must be plain data, small enough for the arena. `missing_endian` is a byte order to assume, or absent.
#[wasm_bindgen]
pub fn resolve(
    metadata: JsValue,
    of_array: bool,
    missing_endian: Option<String>,
    accept_invalid_bool: bool,
) -> Result<JsValue, JsValue> {
    let options = Options {
        missing_endian: missing_endian.and_then(|name| Endian::from_name(&name)),
        accept_invalid_bool,
    };
    resolve_plain(metadata, of_array, options).map_err(thrown)
}

fn resolve_plain(metadata: JsValue, of_array: bool, options: Options) -> Result<JsValue, Error> {
    let not_plain = |error: serde_wasm_bindgen::Error| {
        Error::metadata("metadata", "plain data", error.to_string())
    };
    let json: Json = serde_wasm_bindgen::from_value(metadata).map_err(not_plain)?;
    let metadata = if of_array {
        ChainMetadata::from_array(&json)
    } else {
        ChainMetadata::from_parts(&json)
    }?;
    let chain = CodecChain::resolve(&metadata, options)?;
    serde_wasm_bindgen::to_value(&resolved::Resolved::from(&chain)).map_err(not_plain)
}

/// A conversion on its way through JavaScript, which only keeps it: its position in [`Conversion::ALL`].
type ConversionNumber = usize;

/// Decodes `encoded` (the data, then `checksum_count` checksums) into `decoded`, checking everything there is to check.
/// Where that fails, `decoded` holds bytes of the bad chunk.
#[wasm_bindgen]
pub fn decode(
    encoded: &Uint8Array,
    decoded: &Uint8Array,
    conversion: ConversionNumber,
    checksum_count: usize,
) -> Result<(), JsValue> {
    let conversion = Conversion::ALL[conversion];
    window::decode(encoded, Some(decoded), conversion, checksum_count).map_err(thrown)
}

/// Checks what [`decode`] checks, and writes nothing.
#[wasm_bindgen]
pub fn check(
    encoded: &Uint8Array,
    conversion: ConversionNumber,
    checksum_count: usize,
) -> Result<(), JsValue> {
    let conversion = Conversion::ALL[conversion];
    window::decode(encoded, None, conversion, checksum_count).map_err(thrown)
}

/// Encodes `decoded` into `encoded`, which has room for `checksum_count` checksums after the data.
/// Where an element is invalid, `encoded` holds part of the chunk.
#[wasm_bindgen]
pub fn encode(
    decoded: &Uint8Array,
    encoded: &Uint8Array,
    conversion: ConversionNumber,
    checksum_count: usize,
) -> Result<(), JsValue> {
    let conversion = Conversion::ALL[conversion];
    window::encode(decoded, encoded, conversion, checksum_count).map_err(thrown)
}

/// The CRC-32C of what `initial` is of, followed by `bytes`.
#[wasm_bindgen]
pub fn crc32c(bytes: &Uint8Array, initial: u32) -> u32 {
    window::crc32c(bytes, initial)
}

/// Views of the window's two halves: `[encoded, decoded]`.
#[wasm_bindgen]
pub fn windows() -> Vec<Uint8Array> {
    window::with(|window| window.views().to_vec())
}

/// [`decode`] for a chunk of `length` bytes in the encoded half of the window, into the other half. Gives false where
/// that would throw. The encoded half is overwritten.
#[wasm_bindgen(js_name = decodeWindow)]
pub fn decode_window(length: usize, conversion: ConversionNumber, checksum_count: usize) -> bool {
    window::with(|window| window.decode(length, Conversion::ALL[conversion], checksum_count))
}

/// [`check`] for a chunk of `length` bytes in the encoded half of the window. Gives false where that would throw. The
/// encoded half is overwritten.
#[wasm_bindgen(js_name = checkWindow)]
pub fn check_window(length: usize, conversion: ConversionNumber, checksum_count: usize) -> bool {
    window::with(|window| window.check(length, Conversion::ALL[conversion], checksum_count))
}

/// [`encode`] for a chunk in the decoded half of the window, into `length` bytes of the other half. Gives false where
/// that would throw.
#[wasm_bindgen(js_name = encodeWindow)]
pub fn encode_window(length: usize, conversion: ConversionNumber, checksum_count: usize) -> bool {
    window::with(|window| window.encode(length, Conversion::ALL[conversion], checksum_count))
}

/// [`crc32c`] of the first `length` bytes of the encoded half of the window, which are overwritten.
#[wasm_bindgen(js_name = crc32cWindow)]
pub fn crc32c_window(length: usize, initial: u32) -> u32 {
    window::with(|window| window.crc32c(length, initial))
}

/// The CRC-32C of two messages joined; `length_of_b` is a non-negative integer.
#[wasm_bindgen(js_name = crc32cCombine)]
pub fn crc32c_combine(a: u32, b: u32, length_of_b: f64) -> u32 {
    kernel::crc32c::combine(a, b, length_of_b as u64)
}

/// The error about a chunk of another length than the metadata asks for.
#[wasm_bindgen(js_name = chunkLengthError)]
pub fn chunk_length_error(
    encoded: bool,
    expected: f64,
    actual: f64,
    arithmetic: String,
) -> JsValue {
    thrown(Error::ChunkLength {
        representation: if encoded {
            Representation::Encoded
        } else {
            Representation::Decoded
        },
        expected: expected as u64,
        actual: actual as u64,
        arithmetic,
    })
}

/// Checks a checksum that was verified outside a chunk: the little-endian `stored` against `computed`, which is of
/// `byte_length` bytes.
#[wasm_bindgen(js_name = verifyChecksum)]
pub fn verify_checksum(stored: &[u8], computed: u32, byte_length: f64) -> Result<(), JsValue> {
    codec::crc32c::verify(computed, byte_length as u64, stored).map_err(|mismatch| {
        let Mismatch {
            stored,
            computed,
            byte_length,
        } = mismatch;
        thrown(Error::ChecksumMismatch {
            stored,
            computed,
            byte_length,
            diagnosis: None,
        })
    })
}

/// Whether this module was built with SIMD instructions.
#[wasm_bindgen(js_name = hasSimd)]
pub fn has_simd() -> bool {
    cfg!(target_feature = "simd128")
}

/// The object that stands for an error on its way to TypeScript.
fn thrown(error: Error) -> JsValue {
    let object = serde_wasm_bindgen::to_value(&error).unwrap_or_else(JsValue::from);
    let message = JsValue::from(error.to_string());
    // The object is new and extensible, so this cannot fail.
    let _ = Reflect::set(&object, &JsValue::from("message"), &message);
    object
}
