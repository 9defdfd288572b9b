//! Fill values, compared with bytes from the specifications and IEEE 754.

use serde_json::{Value, json};
use zarr_codecs::{
    Error,
    metadata::{Located, fill_value},
};

fn read(data_type: Value, value: Value) -> Result<Vec<u8>, Error> {
    let (data_type, value) = (crate::json(data_type), crate::json(value));
    fill_value::read(
        &Located::at("data_type", Some(&data_type)),
        &Located::at("fill_value", Some(&value)),
    )
}

/// Reads a fill value and returns its bytes in hexadecimal, the most significant byte of each component first.
fn digits(data_type: &str, component_size: usize, value: Value) -> String {
    let bytes = read(json!(data_type), value).expect("a fill value");
    let components = bytes.chunks_exact(component_size).map(|component| {
        let mut component = component.to_vec();
        if cfg!(target_endian = "little") {
            component.reverse();
        }
        component
    });
    components
        .flatten()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn message(data_type: &str, value: Value) -> String {
    let error = read(json!(data_type), value).expect_err("rejected");
    error.to_string()
}

#[test]
fn bool_and_integers() {
    for (data_type, size, value, expected) in [
        ("bool", 1, json!(true), "01"),
        ("bool", 1, json!(false), "00"),
        ("int8", 1, json!(-128), "80"),
        ("int8", 1, json!(127), "7f"),
        ("uint8", 1, json!(255), "ff"),
        ("int16", 2, json!(-2), "fffe"),
        ("uint16", 2, json!(258.0), "0102"),
        ("int32", 4, json!(-2147483648), "80000000"),
        ("uint32", 4, json!(4294967295_u32), "ffffffff"),
        ("int64", 8, json!(-1), "ffffffffffffffff"),
        ("int64", 8, json!(i64::MIN), "8000000000000000"),
        ("int64", 8, json!(9007199254740991_i64), "001fffffffffffff"),
        ("uint64", 8, json!(1_u64 << 63), "8000000000000000"),
        // As JavaScript numbers, the largest integers are rounded up to 2^63 and 2^64.
        ("int64", 8, json!(i64::MAX), "7fffffffffffffff"),
        ("uint64", 8, json!(u64::MAX), "ffffffffffffffff"),
        ("int32", 4, json!(-0.0), "00000000"),
    ] {
        assert_eq!(
            digits(data_type, size, value.clone()),
            expected,
            "{data_type} {value}"
        );
    }
}

#[test]
fn integers_out_of_range_are_rejected() {
    for (data_type, value, expected) in [
        ("uint8", json!(256), "an integer from 0 to 255, got 256"),
        ("uint8", json!(-1), "an integer from 0 to 255, got -1"),
        ("uint8", json!(1.5), "an integer from 0 to 255, got 1.5"),
        ("uint8", json!("1"), "an integer from 0 to 255, got \"1\""),
        ("uint8", json!(null), "an integer from 0 to 255, got null"),
        ("int8", json!(128), "an integer from -128 to 127, got 128"),
        ("int8", json!(-129), "an integer from -128 to 127, got -129"),
        // The next number after 2^63 or 2^64.
        (
            "int64",
            json!(9_223_372_036_854_777_856_u64),
            "an integer from -9223372036854775808 to 9223372036854775807, got 9223372036854778000",
        ),
        (
            "uint64",
            json!(18_446_744_073_709_555_712.0),
            "an integer from 0 to 18446744073709551615, got 18446744073709556000",
        ),
        ("bool", json!(1), "true or false, got 1"),
    ] {
        assert_eq!(
            message(data_type, value),
            format!("fill_value: expected {expected}")
        );
    }
}

#[test]
fn floats() {
    for (data_type, size, value, expected) in [
        ("float16", 2, json!(1.5), "3e00"),
        ("float16", 2, json!(-0.0), "8000"),
        ("float16", 2, json!("NaN"), "7e00"),
        ("float16", 2, json!("-Infinity"), "fc00"),
        ("float16", 2, json!("0x7e01"), "7e01"),
        ("float16", 2, json!(5.960464477539063e-8), "0001"),
        ("float16", 2, json!(1e-50), "0000"),
        ("float32", 4, json!(0.1), "3dcccccd"),
        ("float32", 4, json!(-0.0), "80000000"),
        ("float32", 4, json!("NaN"), "7fc00000"),
        ("float32", 4, json!("Infinity"), "7f800000"),
        ("float32", 4, json!("0x7FC00001"), "7fc00001"),
        ("float32", 4, json!("0xffa00000"), "ffa00000"),
        ("float64", 8, json!(0.1), "3fb999999999999a"),
        ("float64", 8, json!("NaN"), "7ff8000000000000"),
        (
            "float64",
            8,
            json!("0x7ff0000000000001"),
            "7ff0000000000001",
        ),
    ] {
        assert_eq!(
            digits(data_type, size, value.clone()),
            expected,
            "{data_type} {value}"
        );
    }
}

#[test]
fn floats_are_rounded_once_to_nearest_even() {
    let tie = 1.0 + 2_f64.powi(-11); // Between 0x3c00 and 0x3c01.
    for (value, expected) in [
        (tie, "3c00"),
        (tie + 2_f64.powi(-52), "3c01"),
        (-tie - 2_f64.powi(-52), "bc01"),
        (tie - 2_f64.powi(-52), "3c00"),
        (1.0 + 3.0 * 2_f64.powi(-11), "3c02"),
        (1.0 + 3.0 * 2_f64.powi(-11) - 2_f64.powi(-52), "3c01"),
        // Its binary32 ends with 1.
        (tie + 2_f64.powi(-23) + 2_f64.powi(-30), "3c01"),
        (65519.999, "7bff"),
        (2_f64.powi(-25), "0000"),
        (2_f64.powi(-25) * (1.0 + 2_f64.powi(-52)), "0001"),
    ] {
        assert_eq!(digits("float16", 2, json!(value)), expected, "{value}");
    }
    for (value, expected) in [(16777217.0, "4b800000"), (16777219.0, "4b800002")] {
        assert_eq!(digits("float32", 4, json!(value)), expected, "{value}");
    }
}

#[test]
fn floats_out_of_range_are_rejected() {
    let float32 = |got| {
        format!(
            "fill_value: expected a number in the range of float32, \"NaN\", \"Infinity\", \"-Infinity\" or \"0x\" followed by 8 \
             hexadecimal digits, got {got}"
        )
    };
    assert_eq!(message("float32", json!("0x7fc0")), float32("\"0x7fc0\""));
    assert_eq!(message("float32", json!("nan")), float32("\"nan\""));
    assert_eq!(
        message("float32", json!("0x+7fc0000")),
        float32("\"0x+7fc0000\"")
    );
    assert_eq!(message("float32", json!([1])), float32("an array"));
    let tie_with_infinity = 2_f64.powi(128) - 2_f64.powi(103);
    assert!(
        message("float32", json!(tie_with_infinity)).starts_with("fill_value: expected a number")
    );
    assert_eq!(
        digits("float32", 4, json!(2_f64.powi(128) - 2_f64.powi(104))),
        "7f7fffff"
    );
    assert!(message("float16", json!(65520)).ends_with("got 65520"));
    assert!(message("float16", json!(-1e300)).contains("the range of float16"));
}

#[test]
fn errors_in_complex_components_have_their_index() {
    assert_eq!(digits("complex64", 4, json!([1, -0.0])), "3f80000080000000");
    assert_eq!(
        digits("complex64", 4, json!(["0x7fc00001", "-Infinity"])),
        "7fc00001ff800000"
    );
    assert_eq!(
        digits("complex128", 8, json!([0.1, "NaN"])),
        "3fb999999999999a7ff8000000000000"
    );
    for (value, expected) in [
        (
            json!([0, 1e39]),
            "fill_value[1]: expected a number in the range of float32",
        ),
        (
            json!([null, 0]),
            "fill_value[0]: expected a number in the range of float32",
        ),
        (
            json!([0]),
            "fill_value: expected an array of 2 components, got an array of 1",
        ),
        (
            json!([0, 0, 0]),
            "fill_value: expected an array of 2 components, got an array of 3",
        ),
        (
            json!(0),
            "fill_value: expected an array of 2 components, got 0",
        ),
        (
            json!(null),
            "fill_value: expected an array of 2 components, got null",
        ),
    ] {
        let shown = message("complex64", value);
        assert!(shown.starts_with(expected), "{shown}");
    }
}

#[test]
fn raw_bits_are_integers_or_base64() {
    for (data_type, value, expected) in [
        ("r8", json!([200]), "c8"),
        ("r24", json!([1, 2, 255]), "0102ff"),
        // The examples of RFC 4648, section 10.
        ("r8", json!("Zg=="), "66"),
        ("r16", json!("Zm8="), "666f"),
        ("r24", json!("Zm9v"), "666f6f"),
        ("r48", json!("Zm9vYmFy"), "666f6f626172"),
        ("r16", json!("+/8="), "fbff"),
    ] {
        assert_eq!(digits(data_type, 1, value.clone()), expected, "{value}");
    }
    let expected =
        "fill_value: expected an array of 2 integers from 0 to 255, or 2 bytes in base64, got";
    for (value, got) in [
        (json!([1, 2, 3]), "an array of 3"),
        (json!(1), "1"),
        (json!("?"), "\"?\""),
        (json!("Zg=="), "\"Zg==\""),
        (json!("Zm8"), "\"Zm8\""),
        (json!("Zm=8"), "\"Zm=8\""),
        (json!("===="), "\"====\""),
        (json!("Zm9v"), "\"Zm9v\""),
    ] {
        assert_eq!(message("r16", value), format!("{expected} {got}"));
    }
    assert_eq!(
        message("r16", json!([1, 256])),
        "fill_value[1]: expected an integer from 0 to 255, got 256"
    );
}

#[test]
fn times_are_integers_or_nat() {
    let data_type =
        json!({ "name": "numpy.datetime64", "configuration": { "unit": "ns", "scale_factor": 1 } });
    let read = |value| read(data_type.clone(), value);
    assert_eq!(read(json!("NaT")).unwrap(), i64::MIN.to_ne_bytes());
    assert_eq!(read(json!(-2)).unwrap(), (-2_i64).to_ne_bytes());
    assert_eq!(
        read(json!("today")).unwrap_err().to_string(),
        "fill_value: expected an integer from -9223372036854775808 to 9223372036854775807, got \"today\""
    );
    assert!(message("int64", json!("NaT")).ends_with("got \"NaT\""));
}

#[test]
fn other_data_types_are_rejected() {
    assert!(message("string", json!("")).ends_with("has a bytes encoding, got \"string\""));
}

#[test]
fn elements_are_of_bounded_length() {
    let padded = |length| {
        let configuration = json!({ "length_bytes": length });
        read(
            json!({ "name": "null_terminated_bytes", "configuration": configuration }),
            json!(""),
        )
    };
    assert_eq!(padded(65536).expect("a fill value"), [0; 65536]);
    assert_eq!(
        padded(65537).expect_err("rejected").to_string(),
        "data_type: expected elements of at most 65536 bytes, of which a fill value is read, got 65537 bytes"
    );
    assert!(padded(2_000_000_000).is_err());
}
