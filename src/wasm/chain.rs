//! Codec chains: [`resolve`] runs once per array; the functions for chunks take numbers that it returned.

use super::{
    json, request, transpose,
    window::{self, with},
};
use crate::{
    chain::Records,
    diagnosis,
    error::Error,
    kernel::{
        Conversion,
        checksum::{self, CHECKSUM_SIZE},
    },
    metadata::{self, Located},
    stream,
};
use alloc::vec::Vec;
use js_sys::Uint8Array;
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// Resolves the metadata of a codec chain; returns a serialized [`crate::chain::CodecChain`].
///
/// `request` ([`request::resolve`]) is plain data, copied and bounded by TypeScript so that it fits into the arena.
#[wasm_bindgen]
pub fn resolve(request: &JsValue) -> Result<JsValue, JsValue> {
    request::resolve(&json::read(request))
        .map(|chain| to_js(&chain))
        .map_err(thrown)
}

/// Returns the error for an encoded chunk of `actual` bytes or, given the index of a form, for a decoded one.
///
/// Resolves the metadata again, because the text of the error is needed only when a length is wrong.
#[wasm_bindgen(js_name = lengthError)]
pub fn length_error(request: &JsValue, form: Option<usize>, actual: f64) -> JsValue {
    thrown(request::length_error(
        &json::read(request),
        form,
        actual as u64,
    ))
}

/// Returns the arrays with these strides that a chunk can be encoded from, a serialized [`crate::chain::Layout`];
/// undefined unless an array with these strides has each element once and no gaps.
///
/// Resolves the metadata again. TypeScript keeps what this returns for the next chunk.
#[wasm_bindgen]
pub fn layout(request: &JsValue, stride: &[f64]) -> Result<JsValue, JsValue> {
    let chain = request::resolve(&json::read(request)).map_err(thrown)?;
    let stride: Vec<u64> = stride.iter().map(|&stride| stride as u64).collect();
    Ok(chain
        .layout(&stride)
        .map_or(JsValue::UNDEFINED, |layout| to_js(&layout)))
}

/// Returns the field with this path in the elements of a chunk, a serialized [`crate::chain::Part`]; undefined if there is
/// none. Resolves the metadata again, as [`layout`] does.
#[wasm_bindgen]
pub fn part(request: &JsValue, path: &JsValue) -> Result<JsValue, JsValue> {
    request::part(&json::read(request), &json::read(path))
        .map(|part| part.map_or(JsValue::UNDEFINED, |part| to_js(&part)))
        .map_err(thrown)
}

/// Copies `size` bytes at `offset` of each element of `record_size` bytes to `target`.
#[wasm_bindgen(js_name = gatherField)]
pub fn gather_field(
    elements: &Uint8Array,
    record_size: u32,
    offset: u32,
    size: u32,
    target: &Uint8Array,
) {
    with(|window| {
        stream::gather(window, &elements, record_size, offset, size, &mut {
            target
        })
    });
}

/// Swaps the components of whole elements. `records` are the words of a step.
#[wasm_bindgen(js_name = swapRecords)]
pub fn swap_records(elements: &Uint8Array, records: &[u32]) {
    let records = Records::from_words(records);
    with(|window| stream::swap_records(window, &mut { elements }, &records));
}

/// Reads a fill value into the bytes of one element, as [`fill_value::read`](crate::metadata::fill_value::read) does.
/// Both arguments are plain data that TypeScript has copied and bounded.
#[wasm_bindgen(js_name = fillValue)]
pub fn fill_value(data_type: &JsValue, fill_value: &JsValue) -> Result<Uint8Array, JsValue> {
    let (data_type, value) = (json::read(data_type), json::read(fill_value));
    metadata::fill_value::read(
        &Located::at("data_type", Some(&data_type)),
        &Located::at("fill_value", Some(&value)),
    )
    .map(|bytes| Uint8Array::from(bytes.as_slice()))
    .map_err(thrown)
}

/// A [`Conversion`] as a number, opaque to JavaScript.
type ConversionNumber = u32;

/// Decodes `encoded` (the payload, then `checksum_count` checksums) into `decoded`, and verifies checksums and
/// elements. Throws after writing: `decoded` then holds the invalid chunk.
#[wasm_bindgen]
pub fn decode(
    encoded: &Uint8Array,
    decoded: &Uint8Array,
    conversion: ConversionNumber,
    checksum_count: usize,
) -> Result<(), JsValue> {
    let conversion = Conversion::from_number(conversion);
    with(|window| {
        stream::decode(
            window,
            &encoded,
            Some(&mut { decoded }),
            conversion,
            checksum_count,
        )
    })
    .map_err(thrown)
}

/// Verifies a chunk as [`decode`] does, without decoding it. `order` holds the words of the permutations to C order, for the
/// index of an invalid element.
#[wasm_bindgen]
pub fn check(
    encoded: &Uint8Array,
    conversion: ConversionNumber,
    checksum_count: usize,
    order: &[u32],
) -> Result<(), JsValue> {
    let conversion = Conversion::from_number(conversion);
    with(|window| stream::check(window, &encoded, conversion, checksum_count, order))
        .map_err(thrown)
}

/// Encodes `decoded` into `encoded`, which has room for `checksum_count` checksums after the payload.
/// If it throws, `encoded` holds part of the chunk.
#[wasm_bindgen]
pub fn encode(
    decoded: &Uint8Array,
    encoded: &Uint8Array,
    conversion: ConversionNumber,
    checksum_count: usize,
) -> Result<(), JsValue> {
    let conversion = Conversion::from_number(conversion);
    with(|window| {
        stream::encode(
            window,
            &decoded,
            &mut { encoded },
            conversion,
            checksum_count,
        )
    })
    .map_err(thrown)
}

/// Decodes the chunk of `length` bytes in the encoded half of the window into the other half. Returns false where
/// [`decode`] would throw. `is_permuted` says that the area of
/// [`super::transpose::permutation_words`] holds the permutation of its components.
#[wasm_bindgen(js_name = decodeWindow)]
pub fn decode_window(
    length: usize,
    conversion: ConversionNumber,
    checksum_count: usize,
    is_permuted: bool,
) -> bool {
    let conversion = Conversion::from_number(conversion);
    let permutation = transpose::permutation(is_permuted);
    window::with(|window| window.decode(length, conversion, permutation.as_ref(), checksum_count))
}

/// Verifies the chunk of `length` bytes in the encoded half of the window. Returns false where [`check`] would throw.
#[wasm_bindgen(js_name = checkWindow)]
pub fn check_window(length: usize, conversion: ConversionNumber, checksum_count: usize) -> bool {
    let conversion = Conversion::from_number(conversion);
    window::with(|window| window.check(length, conversion, checksum_count))
}

/// Encodes the chunk in the decoded half of the window into the first `length` bytes of the other half. Returns false
/// where [`encode`] would throw.
#[wasm_bindgen(js_name = encodeWindow)]
pub fn encode_window(
    length: usize,
    conversion: ConversionNumber,
    checksum_count: usize,
    is_permuted: bool,
) -> bool {
    let conversion = Conversion::from_number(conversion);
    let permutation = transpose::permutation(is_permuted);
    window::with(|window| window.encode(length, conversion, permutation.as_ref(), checksum_count))
}

/// Computes the checksums at the end of `encoded`, of all bytes before them.
#[wasm_bindgen(js_name = appendChecksums)]
pub fn append_checksums(encoded: &Uint8Array, checksum_count: usize) {
    with(|window| stream::append(window, &mut { encoded }, checksum_count));
}

/// Writes the checksum at the end of a stream: `crc`, as the 4 bytes of `checksum`.
#[wasm_bindgen(js_name = writeChecksum)]
pub fn write_checksum(checksum: &Uint8Array, crc: u32) {
    let mut bytes = [0; CHECKSUM_SIZE];
    checksum::append(crc, &mut bytes);
    checksum.copy_from(&bytes);
}

/// Verifies the checksum at the end of a stream: compares `stored` with `computed`, the CRC-32C of the `byte_length`
/// bytes before it. `stored` is shorter than a checksum if the whole stream is.
#[wasm_bindgen(js_name = verifyChecksum)]
pub fn verify_checksum(
    stored: &Uint8Array,
    computed: u32,
    byte_length: f64,
) -> Result<(), JsValue> {
    if stored.length() < CHECKSUM_SIZE as u32 {
        return Err(thrown(Error::too_short(1, stored.length().into())));
    }
    let mut bytes = [0; CHECKSUM_SIZE];
    stored.copy_to(&mut bytes);
    checksum::verify(computed, byte_length as u64, &bytes)
        .map_err(|mismatch| thrown(diagnosis::diagnose_stream(mismatch)))
}

/// Converts an error to the array that TypeScript makes an instance from: its message, and an object of its code and
/// fields.
pub(super) fn thrown(error: Error) -> JsValue {
    to_js(&(error.message(), error))
}

/// Converts to plain JavaScript data.
fn to_js(value: &impl Serialize) -> JsValue {
    // The configuration of external codecs may contain null.
    let serializer = serde_wasm_bindgen::Serializer::new()
        .serialize_maps_as_objects(true)
        .serialize_missing_as_null(true);
    let value = value.serialize(&serializer);
    value.expect_throw("plain data of numbers below 2^53")
}
