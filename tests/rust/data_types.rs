//! Data types beyond the core specification: chunks of other implementations, configurations and fill values.

use crate::{json as to_json, resolve, vectors::check};
use serde_json::{Value, json};
use zarr_codecs::{
    data_type::DataType,
    metadata::{Located, fill_value},
};

// The decoded bytes in the vectors are little endian, as are most hosts.
#[cfg(target_endian = "little")]
#[test]
fn chunks_of_other_writers() {
    check(include_str!("../vectors/types/zarr-python.json"), 13);
    check(include_str!("../vectors/types/zarr-python-3.4.2.json"), 15);
    check(include_str!("../vectors/types/tensorstore.json"), 24);
    check(include_str!("../vectors/types/zarrs.json"), 72);
}

fn error(data_type: Value, codecs: Value) -> String {
    let metadata = json!({ "dataType": data_type, "shape": [2], "codecs": codecs });
    resolve(metadata).expect_err("rejected").to_string()
}

fn configured(name: &str, configuration: Value) -> Value {
    json!({ "name": name, "configuration": configuration })
}

fn fields(name: &str, fields: Value) -> Value {
    configured(name, json!({ "fields": fields }))
}

fn big() -> Value {
    json!([{ "name": "bytes", "configuration": { "endian": "big" } }])
}

#[test]
fn data_types_are_found_by_their_names() {
    for data_type in DataType::all() {
        let found = DataType::from_name(&data_type.name);
        assert_eq!(found.as_ref(), Some(&data_type));
    }
}

#[test]
fn every_type_states_whether_it_needs_a_byte_order() {
    let bytes = json!(["bytes"]);
    for name in [
        "int2",
        "uint4",
        "float8_e5m2",
        "float4_e2m1fn",
        "complex_float8_e8m0fnu",
    ] {
        resolve(json!({ "dataType": name, "shape": [2], "codecs": bytes })).unwrap();
    }
    let time = configured(
        "numpy.timedelta64",
        json!({ "unit": "s", "scale_factor": 1 }),
    );
    let text = configured("fixed_length_utf32", json!({ "length_bytes": 8 }));
    let record = fields(
        "struct",
        json!([{ "name": "a", "data_type": "int8" }, { "name": "b", "data_type": text }]),
    );
    for data_type in [
        json!("bfloat16"),
        json!("complex_float16"),
        time,
        text,
        record,
    ] {
        let message = error(data_type, bytes.clone());
        let expected =
            "codecs[0].configuration.endian: expected \"little\" or \"big\" (required for";
        assert!(message.starts_with(expected), "{message}");
    }
    let single = fields("struct", json!([{ "name": "a", "data_type": "int8" }]));
    resolve(json!({ "dataType": single, "shape": [2], "codecs": bytes })).unwrap();
}

#[test]
fn structured_without_a_byte_order_is_little() {
    let legacy = fields("structured", json!([["a", "uint16"], ["b", "uint8"]]));
    let chain = resolve(json!({ "dataType": legacy, "shape": [2], "codecs": ["bytes", "crc32c"] }))
        .unwrap();
    let normalised = serde_json::to_value(&chain.codecs).unwrap();
    assert_eq!(normalised[0]["configuration"]["endian"], "little");
}

#[test]
fn records_swap_each_component() {
    let inner = fields(
        "struct",
        json!([{ "name": "x", "data_type": "uint16" }, { "name": "y", "data_type": "uint8" }]),
    );
    let record = fields(
        "struct",
        json!([
            { "name": "a", "data_type": "uint8" },
            { "name": "b", "data_type": inner },
            { "name": "c", "data_type": "complex64" },
            { "name": "d", "data_type": "r16" },
        ]),
    );
    let chain = resolve(json!({ "dataType": record, "shape": [2], "codecs": big() })).unwrap();
    let encoded: Vec<u8> = (0..28).collect();
    let decoded = if cfg!(target_endian = "little") {
        let first = [0, 2, 1, 3, 7, 6, 5, 4, 11, 10, 9, 8, 12, 13];
        [first, first.map(|byte| byte + 14)].concat()
    } else {
        encoded.clone()
    };
    assert_eq!(chain.decode(&encoded).unwrap(), decoded);
    assert_eq!(chain.encode(&decoded).unwrap(), encoded);
}

#[test]
fn wrong_configurations_are_rejected() {
    let at = "dataType.configuration";
    let record = |list| fields("struct", list);
    for (data_type, expected) in [
        (
            json!("numpy.datetime64"),
            format!("{at}: expected an object, got nothing"),
        ),
        (
            configured(
                "numpy.datetime64",
                json!({ "unit": "x", "scale_factor": 1 }),
            ),
            format!("{at}.unit: expected \"Y\", \"M\""),
        ),
        (
            configured(
                "numpy.datetime64",
                json!({ "unit": "s", "scale_factor": 2_147_483_648_u32 }),
            ),
            format!("{at}.scale_factor: expected an integer from 1 to 2147483647, got 2147483648"),
        ),
        (
            configured("fixed_length_utf32", json!({ "length_bytes": 6 })),
            format!("{at}.length_bytes: expected a multiple of 4, got 6"),
        ),
        (
            configured("raw_bytes", json!({ "length_bytes": 0 })),
            format!("{at}.length_bytes: expected a positive integer, got 0"),
        ),
        (
            configured("int4", json!({ "bits": 4 })),
            format!("{at}.bits: unknown member; none is allowed"),
        ),
        (
            record(json!([])),
            format!("{at}.fields: expected an array of at least one field"),
        ),
        (
            record(json!([["a", "int8"]])),
            format!("{at}.fields[0]: expected an object, got an array"),
        ),
        (
            fields("structured", json!([{ "name": "a", "data_type": "int8" }])),
            format!("{at}.fields[0]: expected [name, data_type], got an object"),
        ),
        (
            record(
                json!([{ "name": "a", "data_type": "int8" }, { "name": "a", "data_type": "int8" }]),
            ),
            format!(
                "{at}.fields[1].name: expected a name that is not empty, and of one field, got \"a\""
            ),
        ),
        (
            record(json!([{ "name": "a", "data_type": "string" }])),
            format!("{at}.fields[0].data_type: expected bool, int8"),
        ),
        (json!("complex_int8"), "dataType: expected bool".into()),
        (
            json!("complex_complex_float16"),
            "dataType: expected bool".into(),
        ),
    ] {
        let message = error(data_type, big());
        assert!(message.starts_with(&expected), "{message}");
    }
}

#[test]
fn numbers_that_do_not_fit_are_rejected() {
    for (data_type, number, expected) in [
        (
            "float8_e4m3fn",
            500.0,
            "element 1 is 500, expected a number from -448 to 448 or NaN",
        ),
        (
            "float8_e5m2fnuz",
            f32::NEG_INFINITY,
            "element 1 is -Infinity, expected a number from -57344 to 57344 or NaN",
        ),
        (
            "float6_e3m2fn",
            f32::NAN,
            "element 1 is NaN, expected a number from -28 to 28",
        ),
        (
            "float4_e2m1fn",
            f32::NAN,
            "element 1 is NaN, expected a number from -6 to 6",
        ),
        (
            "complex_float6_e2m3fn",
            8.0,
            "element 0 is 8, expected a number from -7.5 to 7.5",
        ),
    ] {
        let shape = if data_type.starts_with("complex") {
            1
        } else {
            2
        };
        let chain = resolve(json!({ "dataType": data_type, "shape": [shape], "codecs": big() }));
        let decoded = [1.0, number].map(f32::to_ne_bytes).concat();
        let error = chain.unwrap().encode(&decoded).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let chain = resolve(json!({ "dataType": "int4", "shape": [3], "codecs": ["bytes"] })).unwrap();
    assert_eq!(chain.encode(&[0xf8, 0, 7]).unwrap(), [8, 0, 7]);
    assert_eq!(
        chain.encode(&[0, 0xf7, 8]).unwrap_err().to_string(),
        "element 1 is -9, expected an integer from -8 to 7"
    );
    let chain = resolve(json!({ "dataType": "uint2", "shape": [2], "codecs": ["bytes"] })).unwrap();
    assert_eq!(
        chain.encode(&[3, 4]).unwrap_err().to_string(),
        "element 1 is 4, expected an integer from 0 to 3"
    );
}

fn fill(data_type: Value, value: Value) -> Result<Vec<u8>, String> {
    let (data_type, value) = (to_json(data_type), to_json(value));
    fill_value::read(
        &Located::at("data_type", Some(&data_type)),
        &Located::at("fill_value", Some(&value)),
    )
    .map_err(|error| error.to_string())
}

#[test]
fn fill_values_of_small_numbers() {
    for (data_type, value, expected) in [
        ("float8_e3m4", json!("NaN"), 0x78),
        ("float8_e4m3", json!("NaN"), 0x7c),
        ("float8_e4m3", json!("-Infinity"), 0xf8),
        ("float8_e4m3b11fnuz", json!("NaN"), 0x80),
        ("float8_e4m3fn", json!("NaN"), 0x7f),
        ("float8_e4m3fnuz", json!("NaN"), 0x80),
        ("float8_e5m2", json!("NaN"), 0x7e),
        ("float8_e5m2", json!(1.0), 0x3c),
        ("float8_e5m2fnuz", json!("NaN"), 0x80),
        ("float8_e8m0fnu", json!("NaN"), 0xff),
        ("float8_e8m0fnu", json!(1), 0x7f),
        ("float6_e2m3fn", json!(-7.5), 0x3f),
        ("float4_e2m1fn", json!("0x0f"), 0x0f),
        ("int4", json!(-8), 0x08),
        ("uint2", json!(3), 0x03),
    ] {
        assert_eq!(
            fill(json!(data_type), value),
            Ok(vec![expected]),
            "{data_type}"
        );
    }
    assert_eq!(
        fill(json!("bfloat16"), json!("NaN")),
        Ok(0x7fc0_u16.to_ne_bytes().into())
    );
    // Above the middle between two bfloat16, by less than binary32 can tell.
    let above = 1.0 + 2.0_f64.powi(-8) + 2.0_f64.powi(-40);
    assert_eq!(
        fill(json!("bfloat16"), json!(above)),
        Ok(0x3f81_u16.to_ne_bytes().into())
    );
    let pair = [0x3f80_u16, 0xc000].map(u16::to_ne_bytes).concat();
    assert_eq!(fill(json!("complex_bfloat16"), json!([1, -2])), Ok(pair));
    for (data_type, value, expected) in [
        ("int4", json!(8), "an integer from -8 to 7, got 8"),
        (
            "float8_e5m2",
            json!(1e6),
            "a number in the range of float8_e5m2",
        ),
        (
            "float4_e2m1fn",
            json!("NaN"),
            "a number in the range of float4_e2m1fn",
        ),
        (
            "bfloat16",
            json!(3.4e38),
            "a number in the range of bfloat16",
        ),
    ] {
        let message = fill(json!(data_type), value).unwrap_err();
        assert!(
            message.starts_with(&format!("fill_value: expected {expected}")),
            "{message}"
        );
    }
}

#[test]
fn fill_values_of_records_and_strings() {
    let text = configured("fixed_length_utf32", json!({ "length_bytes": 12 }));
    let code_points = [0x48, 0x1f600, 0].map(u32::to_ne_bytes).concat();
    assert_eq!(fill(text.clone(), json!("H😀")), Ok(code_points.clone()));
    assert!(fill(text.clone(), json!("all")).is_ok());
    let message = fill(text.clone(), json!("four")).unwrap_err();
    assert_eq!(
        message,
        "fill_value: expected a string of at most 3 code points, got \"four\""
    );

    let padded = configured("null_terminated_bytes", json!({ "length_bytes": 4 }));
    assert_eq!(fill(padded, json!("Zm9v")), Ok(b"foo\0".to_vec()));
    let raw = configured("raw_bytes", json!({ "length_bytes": 4 }));
    let message = fill(raw, json!("Zm9v")).unwrap_err();
    assert_eq!(
        message,
        "fill_value: expected 4 bytes in base64, got \"Zm9v\""
    );

    let inner = fields("struct", json!([{ "name": "x", "data_type": "uint16" }]));
    let record = fields(
        "struct",
        json!([{ "name": "point", "data_type": inner }, { "name": "tag", "data_type": text }]),
    );
    let value = json!({ "tag": "H😀", "point": { "x": 258 } });
    let bytes = [258_u16.to_ne_bytes().to_vec(), code_points].concat();
    assert_eq!(fill(record.clone(), value), Ok(bytes));
    let message = fill(record.clone(), json!({ "tag": "" })).unwrap_err();
    assert_eq!(message, "fill_value.point: expected an object, got nothing");
    let message = fill(record, json!({ "tag": "", "point": { "x": 1 }, "z": 0 })).unwrap_err();
    assert_eq!(message, "fill_value.z: unknown member; allowed: point, tag");

    let legacy = fields("structured", json!([["a", "uint8"], ["b", "uint16"]]));
    assert_eq!(fill(legacy.clone(), json!("AQID")), Ok(vec![1, 2, 3]));
    assert_eq!(fill(legacy, json!({ "a": 1, "b": 0 })), Ok(vec![1, 0, 0]));
}
