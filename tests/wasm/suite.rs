//! The exports of the wasm-bindgen layer, called as JavaScript calls them.

#[path = "../conformance/mod.rs"]
pub mod conformance;

use js_sys::{Array, JSON, Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use zarr_codecs::{
    codec::bytes_to_bytes::{Operation, shuffle::Shuffle},
    kernel::{Cast, Check, Conversion},
    wasm,
};

const SWAP_8: Conversion = Conversion {
    swap: 8,
    ..Conversion::IDENTITY
};
const SWAPPED_FLOAT16: Conversion = Conversion {
    swap: 2,
    cast: Cast::Float16ToFloat32,
    ..Conversion::IDENTITY
};
const CHECKED_BOOL: Conversion = Conversion {
    check: Check::Bool,
    ..Conversion::IDENTITY
};

fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).expect("an object")
}

pub fn number(object: &JsValue, name: &str) -> f64 {
    get(object, name)
        .as_f64()
        .unwrap_or_else(|| panic!("{name} is a number"))
}

pub fn text(object: &JsValue, name: &str) -> String {
    get(object, name)
        .as_string()
        .unwrap_or_else(|| panic!("{name} is a string"))
}

pub fn parse(json: &str) -> JsValue {
    JSON::parse(json).expect("JSON")
}

/// Creates a request as TypeScript does.
pub fn request(metadata: JsValue, is_array: bool) -> JsValue {
    let request = Object::new();
    for (name, value) in [("metadata", metadata), ("isArray", is_array.into())] {
        Reflect::set(&request, &name.into(), &value).expect("an object");
    }
    request.into()
}

fn resolve(json: &str) -> Result<JsValue, JsValue> {
    wasm::chain::resolve(&request(parse(json), false))
}

/// Returns the only step of a chain.
fn step(resolved: &JsValue) -> JsValue {
    Array::from(&get(resolved, "steps")).get(0)
}

/// Splits an error into its message and its fields.
pub fn parts(error: JsValue) -> (String, JsValue) {
    let parts = Array::from(&error);
    (parts.get(0).as_string().expect("a message"), parts.get(1))
}

fn hex(object: &JsValue, name: &str) -> Vec<u8> {
    let text = text(object, name);
    let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal");
    (0..text.len()).step_by(2).map(byte).collect()
}

fn conversion(step: &JsValue) -> u32 {
    number(&Array::from(&get(step, "forms")).get(0), "conversion") as u32
}

/// Checks all chunks of a file, of which there are at least `least`.
fn check_vectors(vectors: &str, least: u32) {
    let mut chunks = 0;
    for array in Array::from(&get(&parse(vectors), "arrays")).iter() {
        let resolved =
            wasm::chain::resolve(&request(get(&array, "metadata"), true)).expect("metadata");
        let step = step(&resolved);
        let checksums = number(&step, "checksumCount") as usize;
        for chunk in Array::from(&get(&array, "chunks")).iter() {
            let (encoded, decoded) = (hex(&chunk, "encoded"), hex(&chunk, "decoded"));
            let place = format!("{} {}", text(&array, "name"), text(&chunk, "key"));
            assert_eq!(
                number(&step, "encodedByteLength") as usize,
                encoded.len(),
                "{place}"
            );

            let output = Uint8Array::new_with_length(decoded.len() as u32);
            wasm::chain::decode(
                &Uint8Array::from(&*encoded),
                &output,
                conversion(&step),
                checksums,
            )
            .expect("a valid chunk");
            assert_eq!(output.to_vec(), decoded, "decoded {place}");

            let output = Uint8Array::new_with_length(encoded.len() as u32);
            wasm::chain::encode(
                &Uint8Array::from(&*decoded),
                &output,
                conversion(&step),
                checksums,
            )
            .expect("valid elements");
            assert_eq!(output.to_vec(), encoded, "encoded {place}");
            chunks += 1;
        }
    }
    assert!(chunks >= least, "only {chunks} chunks");
}

#[wasm_bindgen_test]
fn chunks_of_zarr_python() {
    check_vectors(include_str!("../vectors/zarr-python.json"), 134);
}

#[wasm_bindgen_test]
fn chunks_longer_than_the_window_are_streamed() {
    // CRC-32C bit by bit, from the definition.
    let crc32c = |bytes: &[u8]| {
        !bytes.iter().fold(!0, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| {
                (crc >> 1) ^ (0x82f6_3b78 * (crc & 1))
            })
        })
    };
    for length in [65_536, 262_136_u32, 262_144, 262_152, 524_288, 800_000] {
        let decoded: Vec<u8> = (0..length)
            .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8)
            .collect();
        let mut expected = decoded.clone();
        expected.chunks_mut(8).for_each(<[u8]>::reverse);
        let crc = crc32c(&expected);
        expected.extend(crc.to_le_bytes());

        let encoded = Uint8Array::new_with_length(expected.len() as u32);
        wasm::chain::encode(
            &Uint8Array::from(&*decoded),
            &encoded,
            SWAP_8.to_number(),
            1,
        )
        .expect("encodes");
        assert!(encoded.to_vec() == expected, "encoded, {length} bytes");
        let output = Uint8Array::new_with_length(decoded.len() as u32);
        wasm::chain::decode(&encoded, &output, SWAP_8.to_number(), 1).expect("decodes");
        assert!(output.to_vec() == decoded, "decoded, {length} bytes");
        assert_eq!(
            wasm::crc32c::crc32c(&encoded.subarray(0, length), 0),
            crc,
            "{length} bytes"
        );
    }
}

#[wasm_bindgen_test]
fn float16_is_converted_to_float32_and_back() {
    // 1, -2, the smallest subnormal and infinity, big endian; 40000 elements are more than one window.
    let encoded: Vec<u8> = [0x3c, 0x00, 0xc0, 0x00, 0x00, 0x01, 0x7c, 0x00].repeat(10_000);
    let decoded: Vec<u8> = [1.0, -2.0, 2f32.powi(-24), f32::INFINITY]
        .map(f32::to_le_bytes)
        .concat()
        .repeat(10_000);
    let output = Uint8Array::new_with_length(decoded.len() as u32);
    wasm::chain::decode(
        &Uint8Array::from(&*encoded),
        &output,
        SWAPPED_FLOAT16.to_number(),
        0,
    )
    .expect("decodes");
    assert!(output.to_vec() == decoded);
    let output = Uint8Array::new_with_length(encoded.len() as u32);
    wasm::chain::encode(
        &Uint8Array::from(&*decoded),
        &output,
        SWAPPED_FLOAT16.to_number(),
        0,
    )
    .expect("encodes");
    assert!(output.to_vec() == encoded);
}

#[wasm_bindgen_test]
fn fill_values_are_read_or_rejected() {
    let read = |data_type: &str, value| wasm::chain::fill_value(&data_type.into(), &parse(value));
    let bytes = read("complex64", r#"[-0.0, "NaN"]"#).expect("a fill value");
    assert_eq!(bytes.to_vec(), [0, 0, 0, 0x80, 0, 0, 0xc0, 0x7f]);
    let (_, fields) = parts(read("r16", "[0, 256]").expect_err("rejected"));
    assert_eq!(text(&fields, "code"), "invalid_metadata");
    assert_eq!(text(&fields, "path"), "fill_value[1]");
}

#[wasm_bindgen_test]
fn errors_have_a_message_and_fields() {
    let encoded = Uint8Array::from(&b"123456789\x26\x39\xf4\xcb"[..]);
    let error = wasm::chain::check(&encoded, Conversion::IDENTITY.to_number(), 1, &[])
        .expect_err("a CRC-32");
    let (message, fields) = parts(error);
    assert_eq!(text(&fields, "code"), "checksum_mismatch");
    assert_eq!(number(&fields, "stored"), f64::from(0xcbf4_3926_u32));
    assert_eq!(number(&fields, "computed"), f64::from(0xe306_9283_u32));
    assert_eq!(number(&fields, "byteLength"), 9.0);
    let diagnosis = get(&fields, "diagnosis");
    assert_eq!(text(&diagnosis, "code"), "crc32");
    assert!(text(&diagnosis, "message").starts_with("the stored value is the CRC-32"));
    assert!(message.starts_with(
        "chunk is corrupt: crc32c stored 0xcbf43926, computed 0xe3069283 over 9 bytes; the"
    ));

    let bytes = Uint8Array::from(&[0, 1, 7][..]);
    let error =
        wasm::chain::check(&bytes, CHECKED_BOOL.to_number(), 0, &[]).expect_err("7 is not a bool");
    let (_, fields) = parts(error);
    assert_eq!(text(&fields, "code"), "invalid_element");
    assert_eq!(
        (number(&fields, "index"), number(&fields, "value")),
        (2.0, 7.0)
    );
}

#[wasm_bindgen_test]
fn wrong_lengths_are_explained_from_the_metadata() {
    let metadata = r#"{"dataType": "int32", "shape": [2], "codecs": [
        {"name": "bytes", "configuration": {"endian": "big"}}, "crc32c"]}"#;
    for (form, expected) in [
        (
            None,
            "encoded chunk is 9 bytes, expected 12 (2 elements x 4 bytes + 4 checksum)",
        ),
        (
            Some(0),
            "decoded chunk is 9 bytes, expected 8 (2 elements x 4 bytes)",
        ),
    ] {
        let request = request(parse(metadata), false);
        let (message, fields) = parts(wasm::chain::length_error(&request, form, 9.0));
        assert_eq!(text(&fields, "code"), "chunk_length");
        assert_eq!(message, expected);
    }
}

/// `deny_unknown_fields` of `serde` has no effect through serde-wasm-bindgen, so every level is tested.
#[wasm_bindgen_test]
fn unknown_members_are_rejected_at_every_level() {
    for (json, path) in [
        (
            r#"{"dataType": "int8", "shape": [], "codecs": ["bytes"], "x": 1}"#,
            "x",
        ),
        (
            r#"{"dataType": {"name": "int8", "x": 1}, "shape": [], "codecs": ["bytes"]}"#,
            "dataType.x",
        ),
        (
            r#"{"dataType": "int8", "shape": [], "codecs": [{"name": "bytes", "x": 1}]}"#,
            "codecs[0].x",
        ),
        (
            r#"{"dataType": "int8", "shape": [], "codecs": [{"name": "bytes", "configuration": {"endia": "big"}}]}"#,
            "codecs[0].configuration.endia",
        ),
    ] {
        let (_, fields) = parts(resolve(json).expect_err(path));
        assert_eq!(text(&fields, "code"), "invalid_metadata");
        assert_eq!(text(&fields, "path"), path);
    }
}

#[wasm_bindgen_test]
fn numbers_outside_json_appear_in_messages() {
    for (number, got) in [
        (f64::NAN, "NaN"),
        (f64::INFINITY, "Infinity"),
        (-0.5, "-0.5"),
    ] {
        let metadata = parse(r#"{"dataType": "int8", "shape": [0], "codecs": ["bytes"]}"#);
        Reflect::set(&get(&metadata, "shape"), &0.into(), &number.into()).expect("an array");
        let (message, _) = parts(wasm::chain::resolve(&request(metadata, false)).expect_err(got));
        let expected = format!("shape[0]: expected a positive integer, got {got}");
        assert_eq!(message, expected);
    }
}

#[wasm_bindgen_test]
fn checksums_combine() {
    assert_eq!(
        wasm::crc32c::crc32c_combine(0xe306_9283, 0, 0.0),
        0xe306_9283
    );
    let part = |bytes: &[u8]| wasm::crc32c::crc32c(&Uint8Array::from(bytes), 0);
    assert_eq!(
        wasm::crc32c::crc32c_combine(part(b"1234"), part(b"56789"), 5.0),
        0xe306_9283
    );
}

#[wasm_bindgen_test]
fn shuffle_streams_chunks_of_any_length() {
    for (size, length) in [
        (4, 1_000_003),
        (8, 262_144),
        (3, 300_000),
        (70_000, 1_000_000),
        (300_000, 1_000_001),
        (7, 5),
        (1, 300_000),
    ] {
        let decoded: Vec<u8> = (0..length).map(|i: usize| (i * 7 / 3) as u8).collect();
        let elements = length / size;
        let mut expected = decoded.clone();
        for i in 0..elements * size {
            expected[i % size * elements + i / size] = decoded[i];
        }
        let encoded = Uint8Array::new_with_length(length as u32);
        let element_size = size as u32;
        let operation = Operation::from(Shuffle { element_size }).to_number();
        wasm::operation::encode_bytes(&Uint8Array::from(&decoded[..]), &encoded, operation);
        assert!(
            encoded.to_vec() == expected,
            "{length} bytes, elements of {size}"
        );
        let again = Uint8Array::new_with_length(length as u32);
        wasm::operation::decode_bytes(&encoded, &again, operation, true).unwrap();
        assert!(
            again.to_vec() == decoded,
            "{length} bytes, elements of {size}"
        );
    }
}
