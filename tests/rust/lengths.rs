//! The lengths of chunks: which are too long, and how messages explain them.

use crate::{resolve, resolve_with};
use serde_json::{Value, json};
use zarr_codecs::{chain::Options, data_type::TypedArray};

fn bytes() -> Value {
    json!({ "name": "bytes", "configuration": { "endian": "big" } })
}

#[test]
fn arrays_that_would_be_too_long_are_left_out() {
    const LONGEST: u64 = u32::MAX as u64;
    let float16 = |length: u64| {
        let options = Options {
            array: Some("bits".into()),
            ..Options::default()
        };
        let metadata = json!({ "dataType": "float16", "shape": [length], "codecs": [bytes()] });
        let chain = resolve_with(metadata, &options).unwrap();
        let forms = &chain.array_step().forms;
        forms
            .iter()
            .any(|form| form.array == TypedArray::Float32Array)
    };
    assert!(float16(LONGEST / 4));
    assert!(!float16(LONGEST / 4 + 1));
    let error = |codecs: Value| {
        let metadata = json!({ "dataType": "uint8", "shape": [LONGEST], "codecs": codecs });
        resolve(metadata).err().map(|error| error.to_string())
    };
    assert_eq!(error(json!(["bytes"])), None);
    let expected =
        "shape: expected a chunk of at most 4294967295 bytes, got 4294967295 elements x 1 byte";
    assert_eq!(
        error(json!(["bytes", "crc32c"])).unwrap(),
        format!("{expected} + 4 checksum")
    );
    assert_eq!(
        error(json!(["bytes", "crc32c", "crc32c"])).unwrap(),
        format!("{expected} + 2 x 4 checksums")
    );
    // Widened from one byte to four.
    let metadata =
        json!({ "dataType": "float8_e4m3", "shape": [LONGEST / 2], "codecs": ["bytes"] });
    assert_eq!(
        resolve(metadata).unwrap_err().to_string(),
        "shape: expected a chunk of at most 4294967295 bytes, got 2147483647 elements x 4 bytes"
    );
    let metadata = json!({ "dataType": "float16", "shape": [LONGEST / 2], "codecs": [bytes()] });
    let options = Options {
        array: Some("float32".into()),
        ..Options::default()
    };
    assert_eq!(
        resolve_with(metadata, &options).unwrap_err().to_string(),
        "shape: expected a chunk of at most 4294967295 bytes, got 2147483647 elements x 4 bytes"
    );
}

#[test]
fn lengths_of_arrays_are_explained() {
    let metadata = json!({ "dataType": "float16", "shape": [3], "codecs": [bytes(), "crc32c"] });
    let chain = resolve(metadata).unwrap();
    let forms = &chain.array_step().forms;
    let of = |array| forms.iter().find(|form| form.array == array).unwrap();
    let message = |array| chain.decoded_length_error(of(array), 7).to_string();
    assert_eq!(
        message(TypedArray::Float32Array),
        "decoded chunk is 7 bytes, expected 12 (3 elements x 4 bytes)"
    );
    assert_eq!(
        message(TypedArray::Uint16Array),
        "decoded chunk is 7 bytes, expected 6 (3 elements x 2 bytes)"
    );
}

#[test]
fn long_chunks_are_converted_in_pieces() {
    let metadata =
        json!({ "dataType": "float16", "shape": [100_000], "codecs": [bytes(), "crc32c"] });
    let options = |array: &str| Options {
        array: Some(array.into()),
        ..Options::default()
    };
    let chain = resolve_with(metadata, &options("float32")).unwrap();
    let elements: Vec<u16> = (0..100_000).map(|i| (i % 31_000) as u16).collect();
    let singles: Vec<u8> = elements
        .iter()
        .flat_map(|&bits| half::f16::from_bits(bits).to_f32().to_ne_bytes())
        .collect();
    let encoded = chain.encode(&singles).unwrap();
    let payload: Vec<u8> = elements
        .iter()
        .copied()
        .flat_map(u16::to_be_bytes)
        .collect();
    assert_eq!(encoded[..payload.len()], payload);
    assert_eq!(chain.decode(&encoded).unwrap(), singles);
}
