//! What JavaScript calls: plain values in, plain values out, no object with a lifetime, so that nobody calls `free()`.
//!
//! [`resolve`] runs once per array, [`decode`], [`check`] and [`encode`] once per chunk with what
//! it found out. An error is thrown as an object with the `code` and the fields of [`crate::Error`], and its
//! `message`; the TypeScript side makes an exception of the right class from it.

pub mod fill_value;
mod plain;
pub mod resolved;
mod window;

use self::plain::Plain;
use crate::{
    codec::{CodecChain, Options},
    error::{Error, Representation},
    kernel::{
        self, Conversion,
        checksum::{self, CHECKSUM_SIZE, Mismatch},
    },
    metadata::{ChainMetadata, Endian},
};
use alloc::string::{String, ToString};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

/// Resolves `{ dataType, shape, codecs }` or, with `of_array`, the metadata of an array; gives what
/// [`resolved::object`] says.
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
    let json = plain::read(&metadata);
    let metadata = if of_array {
        ChainMetadata::from_array(&json)
    } else {
        ChainMetadata::from_parts(&json)
    };
    let chain = metadata.and_then(|metadata| CodecChain::resolve(&metadata, options));
    chain.map(|chain| resolved::object(&chain)).map_err(thrown)
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

/// A view of the window's encoded half.
#[wasm_bindgen(js_name = encodedWindow)]
pub fn encoded_window() -> Uint8Array {
    window::encoded_view()
}

/// A view of the window's decoded half.
#[wasm_bindgen(js_name = decodedWindow)]
pub fn decoded_window() -> Uint8Array {
    window::decoded_view()
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
pub fn verify_checksum(
    stored: &Uint8Array,
    computed: u32,
    byte_length: f64,
) -> Result<(), JsValue> {
    let mut checksum = [0; CHECKSUM_SIZE];
    stored.copy_to(&mut checksum);
    checksum::verify(computed, byte_length as u64, &checksum).map_err(|mismatch| {
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
    let object = Plain::new().text("message", &error.to_string());
    match error {
        Error::InvalidMetadata { path, .. } => {
            object.text("code", "invalid_metadata").text("path", &path)
        }
        Error::ChunkLength {
            expected, actual, ..
        } => object
            .text("code", "chunk_length")
            .number("expected", expected as f64)
            .number("actual", actual as f64),
        Error::ChecksumMismatch {
            stored,
            computed,
            byte_length,
            diagnosis,
        } => object
            .text("code", "checksum_mismatch")
            .number("stored", f64::from(stored))
            .number("computed", f64::from(computed))
            .number("byteLength", byte_length as f64)
            .value("diagnosis", diagnosis),
        Error::InvalidElement { index, value } => object
            .text("code", "invalid_element")
            .number("index", index as f64)
            .number("value", f64::from(value)),
    }
    .into()
}
