//! The guard and the operations on bytes, called as JavaScript calls them.

use crate::suite::{conformance, number, parse, parts, request, text};
use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use zarr_codecs::wasm::{
    chain::resolve,
    guard::{guard_decoded, guard_encoded, guard_format},
    operation::{decode_bytes, encode_bytes},
};

fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).expect("an object")
}

/// Checks a chunk before and after it is decoded.
fn check(codec: &str, encoded: &[u8], decoded: &[u8], verify: bool) -> Result<bool, JsValue> {
    let (path, name) = ("codecs[1]".into(), codec.into());
    let encoded = Uint8Array::from(encoded);
    let length = Some(decoded.len() as f64);
    let expected = guard_encoded(guard_format(codec), &encoded, length, &path, &name)?;
    guard_decoded(
        &expected,
        &Uint8Array::from(decoded),
        verify,
        encoded.length().into(),
        &path,
        &name,
    )
}

#[wasm_bindgen_test]
fn chunks_of_all_writers_are_accepted() {
    let file: serde_json::Value =
        serde_json::from_str(include_str!("../guard/chunks.json")).expect("JSON");
    let hex = |value: &serde_json::Value| {
        let text = value.as_str().expect("hexadecimal");
        let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal");
        (0..text.len()).step_by(2).map(byte).collect::<Vec<u8>>()
    };
    let chunks = file["chunks"].as_array().expect("chunks");
    for chunk in chunks {
        let content = &file["decoded"][chunk["decoded"].as_u64().expect("an index") as usize];
        let decoded = match content["length"].as_u64() {
            None => hex(content),
            Some(length) => {
                let period = hex(&content["period"]).into_iter().cycle();
                period.take(length as usize).collect()
            }
        };
        let codec = chunk["codec"].as_str().expect("a name");
        check(codec, &hex(&chunk["encoded"]), &decoded, true).expect("a valid chunk");
    }
    assert!(chunks.len() >= 120);
}

#[wasm_bindgen_test]
fn errors_of_the_guard_have_fields() {
    let error = check("numcodecs.zstd", b"<html>", b"", true).expect_err("no frame");
    let (message, fields) = parts(error);
    assert_eq!(
        message,
        "codecs[1]: numcodecs.zstd: no frame (28b52ffd) at byte 0"
    );
    assert_eq!(text(&fields, "code"), "external_codec");
    assert_eq!(text(&fields, "path"), "codecs[1]");
    assert_eq!(text(&fields, "codec"), "numcodecs.zstd");

    // "abc", by Python's zlib.
    let encoded = b"\x78\x9c\x4b\x4c\x4a\x06\x00\x02\x4d\x01\x27";
    assert!(check("zlib", encoded, b"abc", true).is_ok());
    let (message, fields) = parts(check("zlib", encoded, b"abd", true).expect_err("corrupt"));
    assert_eq!(
        message,
        "chunk is corrupt: adler32 stored 0x024d0127, computed 0x024e0128 over 3 bytes"
    );
    assert_eq!(text(&fields, "code"), "checksum_mismatch");
    assert_eq!(text(&fields, "checksum"), "adler32");
    // Compared in any case: one that matches is where it has to be.
    assert!(check("zlib", encoded, b"abd", false).is_err());
}

#[wasm_bindgen_test]
fn decoded_lengths_are_checked_for_any_codec() {
    let (path, name) = ("codecs[2]".into(), "lzma".into());
    let encoded = Uint8Array::from(&b"anything"[..]);
    let expected = guard_encoded(guard_format("lzma"), &encoded, Some(7.0), &path, &name);
    let decoded = Uint8Array::new_with_length(6);
    let error = guard_decoded(
        &expected.expect("unknown"),
        &decoded,
        true,
        8.0,
        &path,
        &name,
    );
    let (message, fields) = parts(error.expect_err("too short"));
    assert_eq!(
        message,
        "codecs[2]: lzma: decoder returned 6 decoded bytes, expected 7"
    );
    assert_eq!(text(&fields, "code"), "chunk_length");
    assert_eq!(
        (number(&fields, "expected"), number(&fields, "actual")),
        (7.0, 6.0)
    );
}

/// Resolves a chain whose last codec is a checksum of numcodecs, and returns the operation.
fn operation(codec: &str) -> u32 {
    let json = format!(r#"{{"dataType": "uint8", "shape": [9], "codecs": ["bytes", {codec}]}}"#);
    let resolved = resolve(&request(parse(&json), false)).expect("metadata");
    number(&Array::from(&get(&resolved, "steps")).get(0), "operation") as u32
}

#[wasm_bindgen_test]
fn operations_decode_and_encode() {
    for (codec, encoded) in [
        (r#""numcodecs.crc32""#, &b"\x26\x39\xf4\xcb123456789"[..]),
        (r#""numcodecs.crc32c""#, b"123456789\x83\x92\x06\xe3"),
        (r#""numcodecs.adler32""#, b"\xde\x01\x1e\x09123456789"),
        (r#""numcodecs.fletcher32""#, b"123456789\xd5\x09\xdf\x09"),
    ] {
        let operation = operation(codec);
        let chunk = Uint8Array::from(encoded);
        let decoded = Uint8Array::new_with_length(9);
        decode_bytes(&chunk, &decoded, operation, true).expect("a valid chunk");
        assert_eq!(decoded.to_vec(), b"123456789");
        let output = Uint8Array::new_with_length(13);
        encode_bytes(&decoded, &output, operation);
        assert_eq!(output.to_vec(), encoded);

        chunk.set_index(6, b'0');
        let output = Uint8Array::new_with_length(9);
        let error = decode_bytes(&chunk, &output, operation, true).expect_err("corrupt");
        assert_eq!(text(&parts(error).1, "code"), "checksum_mismatch");
        assert_eq!(output.to_vec(), [0; 9]);
        decode_bytes(&chunk, &output, operation, false).expect("not verified");
        assert_ne!(output.to_vec(), [0; 9]);
    }
}

#[wasm_bindgen_test]
fn long_bytes_are_streamed() {
    let bytes = conformance::noise(1_000_001);
    let decoded = Uint8Array::from(&*bytes);
    for (codec, checksum, at) in [
        (r#""numcodecs.crc32""#, crc32fast::hash(&bytes), 0),
        (r#""numcodecs.adler32""#, adler2::adler32_slice(&bytes), 0),
        (r#""numcodecs.crc32c""#, crc32c::crc32c(&bytes), bytes.len()),
    ] {
        let encoded = Uint8Array::new_with_length(bytes.len() as u32 + 4);
        encode_bytes(&decoded, &encoded, operation(codec));
        assert_eq!(encoded.to_vec()[at..at + 4], checksum.to_le_bytes());
        let output = Uint8Array::new_with_length(bytes.len() as u32);
        decode_bytes(&encoded, &output, operation(codec), true).expect("a valid chunk");
        assert!(output.to_vec() == bytes);
    }
}

#[wasm_bindgen_test]
fn too_short_bytes_are_an_error() {
    let operation = operation(r#""numcodecs.crc32""#);
    let chunk = Uint8Array::from(&[1, 2, 3][..]);
    let error = decode_bytes(&chunk, &Uint8Array::default(), operation, true);
    let (_, fields) = parts(error.expect_err("too short"));
    assert_eq!(text(&fields, "code"), "chunk_length");
}
