//! Checks of the chunks of external codecs, before and after the codec decodes them.
//!
//! The name and the path of the codec are for errors, and read only then.

use super::{chain::thrown, window::with};
use crate::{
    guard::{Expected, Format, Problem, Reader, Stored},
    kernel::digest::Algorithm,
    stream::{self, Memory},
};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;

/// A [`Format`] as a number, opaque to JavaScript.
type FormatNumber = usize;

/// Returns the format of a codec's chunks.
#[wasm_bindgen(js_name = guardFormat)]
pub fn guard_format(name: &str) -> FormatNumber {
    Format::of_codec(name) as FormatNumber
}

/// Checks encoded bytes, and returns what must be true of the decoded ones: an array for [`guard_decoded`], opaque to
/// JavaScript but for its first item, which says whether encoded bytes contradict themselves. `decoded_length` is the length of the decoded bytes, if the chain knows it.
#[wasm_bindgen(js_name = guardEncoded)]
pub fn guard_encoded(
    format: FormatNumber,
    encoded: &Uint8Array,
    decoded_length: Option<f64>,
    path: &JsValue,
    name: &JsValue,
) -> Result<Array, JsValue> {
    let read = |at: u64, target: &mut [u8]| encoded.load(at as u32, target);
    let mut reader = Reader::new(encoded.length().into(), &read);
    Format::ALL[format]
        .check(&mut reader, decoded_length.map(|length| length as u64))
        .map(to_array)
        .map_err(|problem| thrown_at(problem, path, name))
}

/// Checks decoded bytes: their length and, if `verify` is true, the checksum that is stored of them. Returns whether that
/// covers all of them. `encoded_length` is the number of bytes that they were decoded from. Not all decoders look at what follows
/// deflated data, so their checksum is always compared: one that matches is where it has to be.
#[wasm_bindgen(js_name = guardDecoded)]
pub fn guard_decoded(
    expected: &Array,
    decoded: &Uint8Array,
    verify: bool,
    encoded_length: f64,
    path: &JsValue,
    name: &JsValue,
) -> Result<bool, JsValue> {
    let expected = from_array(expected);
    let length = decoded.length();
    expected
        .check_length(length.into())
        .map_err(|problem| thrown_at(problem, path, name))?;
    let is_covered = match expected.checksum {
        Some(stored) if verify || stored.is_trailer() => {
            let is_covered = check_checksum(stored, decoded);
            is_covered.map_err(|problem| thrown_at(problem, path, name))? && verify
        }
        _ => false,
    };
    expected
        .check_stated(length.into(), encoded_length as u64)
        .map_err(|problem| thrown_at(problem, path, name))?;
    Ok(is_covered)
}

fn check_checksum(stored: Stored, decoded: &Uint8Array) -> Result<bool, Problem> {
    let start = stored.start(decoded.length().into()) as u32;
    let length = decoded.length() - start;
    let mut digest = stored.digest();
    with(|window| stream::digest(window, &decoded, start..decoded.length(), &mut digest));
    stored.verify(&digest, length.into())?;
    Ok(start == 0)
}

fn thrown_at(problem: Problem, path: &JsValue, name: &JsValue) -> JsValue {
    let text = |value: &JsValue| value.as_string().unwrap_or_default();
    thrown(problem.into_error(text(path), text(name)))
}

/// Converts to `[is contradictory, byte length, algorithm, checksum, covered bytes, stated length]`, null if there is none.
fn to_array(expected: Expected) -> Array {
    let value = |number: Option<f64>| number.map_or(JsValue::NULL, JsValue::from);
    let checksum = expected.checksum;
    let items = [
        expected.byte_length.map(|length| length as f64),
        checksum.map(|stored| f64::from(stored.algorithm as u32)),
        checksum.map(|stored| f64::from(stored.value)),
        checksum.and_then(|stored| stored.covered).map(f64::from),
        expected.stated.map(f64::from),
    ];
    let array = Array::of1(&expected.is_contradictory.into());
    for item in items {
        array.push(&value(item));
    }
    array
}

/// Converts from the array of [`to_array`].
fn from_array(array: &Array) -> Expected {
    let number = |index| array.get(index).as_f64();
    Expected {
        byte_length: number(1).map(|length| length as u64),
        checksum: number(2).map(|algorithm| Stored {
            algorithm: Algorithm::ALL[algorithm as usize],
            value: number(3).unwrap_or_default() as u32,
            covered: number(4).map(|covered| covered as u32),
        }),
        stated: number(5).map(|stated| stated as u32),
        is_contradictory: false,
    }
}
