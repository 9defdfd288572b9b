//! What JavaScript gets from the wasm-bindgen layer, called as JavaScript calls it.

#[path = "../conformance/mod.rs"]
mod conformance;

use js_sys::{Array, JSON, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use zarr_codecs::{
    kernel::{self, Conversion},
    wasm,
};

fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).expect("an object")
}

fn number(object: &JsValue, name: &str) -> f64 {
    get(object, name)
        .as_f64()
        .unwrap_or_else(|| panic!("{name} is a number"))
}

fn text(object: &JsValue, name: &str) -> String {
    get(object, name)
        .as_string()
        .unwrap_or_else(|| panic!("{name} is a string"))
}

fn parse(json: &str) -> JsValue {
    JSON::parse(json).expect("JSON")
}

fn resolve(json: &str) -> Result<JsValue, JsValue> {
    wasm::resolve(parse(json), false, None, false)
}

fn hex(object: &JsValue, name: &str) -> Vec<u8> {
    let text = text(object, name);
    let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal");
    (0..text.len()).step_by(2).map(byte).collect()
}

fn conversion(resolved: &JsValue) -> usize {
    number(resolved, "conversion") as usize
}

fn check_vectors(vectors: &str, least: u32) {
    let mut chunks = 0;
    for array in Array::from(&get(&parse(vectors), "arrays")).iter() {
        let resolved = wasm::resolve(get(&array, "metadata"), true, None, false).expect("metadata");
        let checksums = number(&resolved, "checksumCount") as usize;
        for chunk in Array::from(&get(&array, "chunks")).iter() {
            let (encoded, decoded) = (hex(&chunk, "encoded"), hex(&chunk, "decoded"));
            let place = format!("{} {}", text(&array, "name"), text(&chunk, "key"));
            assert_eq!(
                number(&resolved, "encodedByteLength") as usize,
                encoded.len(),
                "{place}"
            );

            let output = Uint8Array::new_with_length(decoded.len() as u32);
            wasm::decode(
                &Uint8Array::from(&*encoded),
                &output,
                conversion(&resolved),
                checksums,
            )
            .expect("a good chunk");
            assert_eq!(output.to_vec(), decoded, "decoded {place}");

            let output = Uint8Array::new_with_length(encoded.len() as u32);
            wasm::encode(
                &Uint8Array::from(&*decoded),
                &output,
                conversion(&resolved),
                checksums,
            )
            .expect("good elements");
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
fn chunks_of_tensorstore() {
    check_vectors(include_str!("../vectors/tensorstore.json"), 159);
}

#[wasm_bindgen_test]
fn chunks_of_zarrs() {
    check_vectors(include_str!("../vectors/zarrs.json"), 168);
}

#[wasm_bindgen_test]
fn chunks_longer_than_the_window_are_as_one() {
    // CRC-32C bit by bit, straight from its polynomial.
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
        wasm::encode(
            &Uint8Array::from(&*decoded),
            &encoded,
            Conversion::Swap8 as usize,
            1,
        )
        .expect("encodes");
        assert!(encoded.to_vec() == expected, "encoded, {length} bytes");
        let output = Uint8Array::new_with_length(decoded.len() as u32);
        wasm::decode(&encoded, &output, Conversion::Swap8 as usize, 1).expect("decodes");
        assert!(output.to_vec() == decoded, "decoded, {length} bytes");
        assert_eq!(
            wasm::crc32c(&encoded.subarray(0, length), 0),
            crc,
            "{length} bytes"
        );
    }
}

#[wasm_bindgen_test]
fn float16_becomes_float32_and_back() {
    // 1, -2, the smallest subnormal and infinity, big endian; 40000 elements are more than one window.
    let encoded: Vec<u8> = [0x3c, 0x00, 0xc0, 0x00, 0x00, 0x01, 0x7c, 0x00].repeat(10_000);
    let decoded: Vec<u8> = [1.0, -2.0, 2f32.powi(-24), f32::INFINITY]
        .map(f32::to_le_bytes)
        .concat()
        .repeat(10_000);
    let output = Uint8Array::new_with_length(decoded.len() as u32);
    wasm::decode(
        &Uint8Array::from(&*encoded),
        &output,
        Conversion::SwappedFloat16ToFloat32 as usize,
        0,
    )
    .expect("decodes");
    assert!(output.to_vec() == decoded);
    let output = Uint8Array::new_with_length(encoded.len() as u32);
    wasm::encode(
        &Uint8Array::from(&*decoded),
        &output,
        Conversion::SwappedFloat16ToFloat32 as usize,
        0,
    )
    .expect("encodes");
    assert!(output.to_vec() == encoded);
}

#[wasm_bindgen_test]
fn fill_values_are_bytes_or_an_error() {
    let read =
        |data_type: &str, value| wasm::fill_value::fill_value(&data_type.into(), &parse(value));
    let bytes = read("complex64", r#"[-0.0, "NaN"]"#).expect("a fill value");
    assert_eq!(bytes.to_vec(), [0, 0, 0, 0x80, 0, 0, 0xc0, 0x7f]);
    let error = read("r16", "[0, 256]").expect_err("refused");
    assert_eq!(text(&error, "code"), "invalid_metadata");
    assert_eq!(text(&error, "path"), "fill_value[1]");
}

#[wasm_bindgen_test]
fn errors_are_objects_with_code_message_and_fields() {
    let encoded = Uint8Array::from(&b"123456789\x26\x39\xf4\xcb"[..]);
    let error = wasm::check(&encoded, Conversion::Keep as usize, 1).expect_err("a CRC-32");
    assert_eq!(text(&error, "code"), "checksum_mismatch");
    assert_eq!(number(&error, "stored"), f64::from(0xcbf4_3926_u32));
    assert_eq!(number(&error, "computed"), f64::from(0xe306_9283_u32));
    assert_eq!(number(&error, "byteLength"), 9.0);
    assert!(text(&error, "diagnosis").starts_with("the stored value is the CRC-32"));
    assert!(
        text(&error, "message")
            .starts_with("crc32c: stored 0xcbf43926, computed 0xe3069283 over 9 bytes; the")
    );

    let error = wasm::check(
        &Uint8Array::from(&[0, 1, 7][..]),
        Conversion::CheckedBool as usize,
        0,
    )
    .expect_err("7 is no bool");
    assert_eq!(text(&error, "code"), "invalid_element");
    assert_eq!(
        (number(&error, "index"), number(&error, "value")),
        (2.0, 7.0)
    );

    let error = wasm::chunk_length_error(true, 8.0, 9.0, "2 elements x 4 bytes".into());
    assert_eq!(text(&error, "code"), "chunk_length");
    assert_eq!(
        text(&error, "message"),
        "encoded chunk is 9 bytes, expected 8 (2 elements x 4 bytes)"
    );
}

/// `serde`'s `deny_unknown_fields` does nothing through serde-wasm-bindgen, so this is tested at every level.
#[wasm_bindgen_test]
fn unknown_members_are_found_at_every_level() {
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
        let error = resolve(json).expect_err(path);
        assert_eq!(text(&error, "code"), "invalid_metadata");
        assert_eq!(text(&error, "path"), path);
    }
}

#[wasm_bindgen_test]
fn numbers_that_json_cannot_hold_are_named() {
    for (number, got) in [
        (f64::NAN, "NaN"),
        (f64::INFINITY, "Infinity"),
        (-0.5, "-0.5"),
    ] {
        let metadata = parse(r#"{"dataType": "int8", "shape": [0], "codecs": ["bytes"]}"#);
        Reflect::set(&get(&metadata, "shape"), &0.into(), &number.into()).expect("an array");
        let error = wasm::resolve(metadata, false, None, false).expect_err(got);
        let expected = format!("shape[0]: expected a non-negative integer, got {got}");
        assert_eq!(text(&error, "message"), expected);
    }
}

#[wasm_bindgen_test]
fn checksums_combine() {
    assert_eq!(wasm::crc32c_combine(0xe306_9283, 0, 0.0), 0xe306_9283);
    let part = |bytes: &[u8]| wasm::crc32c(&Uint8Array::from(bytes), 0);
    assert_eq!(
        wasm::crc32c_combine(part(b"1234"), part(b"56789"), 5.0),
        0xe306_9283
    );
}

#[wasm_bindgen_test]
fn crc32c_simd128() {
    // Where it begins, and where its head and its blocks are full.
    let edges = [228, 288, 448, 452, 672, 676, 65_536];
    conformance::crc32c::check(kernel::crc32c::simd128::update, &edges);
}

#[wasm_bindgen_test]
fn crc32c_portable() {
    conformance::crc32c::check(
        kernel::crc32c::portable::update,
        &[3344, 4180, 7524, 65_536],
    );
}

#[wasm_bindgen_test]
fn crc32c_table() {
    conformance::crc32c::check(kernel::crc32c::table::update, &[16, 1024]);
}

#[wasm_bindgen_test]
fn crc32c_in_place() {
    // As one piece, and as pieces of 8000 bytes, the last one longer.
    conformance::crc32c::check(
        |crc, bytes| in_place(crc, &[bytes]),
        &[24 * 1024, 65_536, 262_144],
    );
    let update = |crc, bytes: &[u8]| {
        let (pieces, rest) = bytes.split_at(bytes.len().saturating_sub(8000) / 8000 * 8000);
        let pieces: Vec<_> = pieces.chunks(8000).chain([rest]).collect();
        in_place(crc, &pieces)
    };
    conformance::crc32c::check(update, &[16_000, 24_000, 65_536]);
}

fn in_place(crc: u32, pieces: &[&[u8]]) -> u32 {
    use kernel::crc32c::Digest;
    let mut digest = Digest::new(crc);
    let mut buffer = vec![0xaa; Digest::ROOM];
    for (i, piece) in pieces.iter().enumerate() {
        buffer.truncate(Digest::ROOM);
        buffer.extend_from_slice(piece);
        digest.update_in_place(&mut buffer, i + 1 == pieces.len());
    }
    digest.crc()
}

#[wasm_bindgen_test]
fn byteswap_simd128() {
    use kernel::byteswap::simd128::copy_swapped;
    conformance::byteswap::check([
        (2, copy_swapped::<2>),
        (4, copy_swapped::<4>),
        (8, copy_swapped::<8>),
    ]);
}

#[wasm_bindgen_test]
fn float16_simd128() {
    use kernel::float16::simd128::{narrow, widen};
    conformance::float16::check(&conformance::float16::Float16 {
        widen: [widen::<false>, widen::<true>],
        narrow: [narrow::<false>, narrow::<true>],
    });
}

#[wasm_bindgen_test]
fn boolean_simd128() {
    conformance::boolean::check(&conformance::boolean::Boolean {
        first_invalid: kernel::boolean::first_invalid,
        copy_normalized: kernel::boolean::copy_normalized,
    });
}
