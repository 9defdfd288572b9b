//! Data types, shapes and array metadata: errors state the path, what was expected and what came.

use crate::metadata::message;
use serde_json::{Value, json};
use zarr_codecs::{chain::Options, metadata::ChainMetadata};

#[test]
fn unknown_data_types_are_rejected() {
    for (data_type, path, got) in [
        (json!("int128"), "dataType", "\"int128\""),
        (json!("r12"), "dataType", "\"r12\""),
        (json!({ "name": "float8" }), "dataType.name", "\"float8\""),
        // Reported before its configuration, which belongs to that data type.
        (
            json!({ "name": "vlen", "configuration": { "length_bytes": 8 } }),
            "dataType.name",
            "\"vlen\"",
        ),
    ] {
        let error = message(data_type, json!([2]), json!(["bytes"]));
        let expected = format!("{path}: expected bool, int8,");
        assert!(
            error.starts_with(&expected) && error.ends_with(&format!("got {got}")),
            "{error}"
        );
    }
    for name in [
        "float128",
        "Float32",
        "float32 ",
        "",
        "<f4",
        "complex256",
        "string",
        "bfloat17",
        "r",
        "r0",
        "r4",
        "r08",
        "R8",
        "r8.0",
        "r+8",
        "r-8",
        "r8 ",
        "r1e1",
        "r0x8",
        "raw8",
        "r99999999999999999999",
    ] {
        let error = message(json!(name), json!([2]), json!(["bytes"]));
        assert!(
            error.starts_with("dataType: expected bool, int8,"),
            "{error}"
        );
        assert!(error.ends_with(&format!(", got \"{name}\"")), "{error}");
    }
    for (data_type, expected) in [
        (
            json!(32),
            "dataType: expected a data type (a name or an object with a name), got 32",
        ),
        (
            json!(["int8"]),
            "dataType: expected a data type (a name or an object with a name), got an array",
        ),
        (
            json!({}),
            "dataType.name: expected the name of a data type, got nothing",
        ),
        (
            json!({ "name": 1 }),
            "dataType.name: expected the name of a data type, got 1",
        ),
        (
            json!({ "name": "int8", "endian": "big" }),
            "dataType.endian: unknown member; allowed: name, configuration, must_understand",
        ),
        (
            json!({ "name": "int8", "configuration": null }),
            "dataType.configuration: expected an object, got null",
        ),
    ] {
        assert_eq!(message(data_type, json!([2]), json!(["bytes"])), expected);
    }
    let error = message(
        json!({ "name": "int8", "configuration": { "unit": "s" } }),
        json!([2]),
        json!(["bytes"]),
    );
    assert_eq!(
        error,
        "dataType.configuration.unit: unknown member; none is allowed"
    );
    assert_eq!(
        message(json!(null), json!([2]), json!(["bytes"])),
        "dataType: expected a data type (a name or an object with a name), got null"
    );
}

#[test]
fn shapes_are_positive_integers_with_a_bounded_product() {
    for (length, got) in [
        (json!(0), "0"),
        (json!(-1), "-1"),
        (json!(1.5), "1.5"),
        (json!(1e300), "1e+300"),
        (json!("2"), "\"2\""),
        (json!(null), "null"),
        (json!(true), "true"),
        (json!([4]), "an array"),
    ] {
        let error = message(json!("int8"), json!([2, length]), json!(["bytes"]));
        assert!(
            error.starts_with(&format!("shape[1]: expected a positive integer, got {got}")),
            "{error}"
        );
    }
    for (shape, got) in [
        (json!(2), "2"),
        (json!(null), "null"),
        (json!("4"), "\"4\""),
        (json!(true), "true"),
        (json!({}), "an object"),
    ] {
        assert_eq!(
            message(json!("int8"), shape, json!(["bytes"])),
            format!("shape: expected the shape of a chunk (an array of integers), got {got}")
        );
    }
    for shape in [
        json!([4_294_967_296_u64]),
        json!([65_536, 65_536]),
        json!(vec![10; 400]),
        json!([9_007_199_254_740_991_u64, 9_007_199_254_740_991_u64, 16]),
    ] {
        let error = message(json!("int8"), shape, json!(["bytes"]));
        assert!(
            error.starts_with("shape: expected a chunk of at most 4294967295 bytes, got "),
            "{error}"
        );
    }
}

#[test]
fn only_metadata_of_regular_arrays_is_accepted() {
    let array = json!({
        "zarr_format": 3, "node_type": "array", "data_type": "uint8", "shape": [4],
        "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": [2] } },
        "chunk_key_encoding": { "name": "default" }, "fill_value": 0, "codecs": ["bytes"],
    });
    let error_with = |pointer: &str, value: Value| {
        let mut array = array.clone();
        *array.pointer_mut(pointer).unwrap() = value;
        let json = crate::json(array);
        let metadata = ChainMetadata::from_array(&json, None);
        metadata
            .and_then(|m| zarr_codecs::chain::CodecChain::resolve(&m, &Options::default()))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        error_with("/node_type", json!("group")),
        "node_type: expected \"array\", got \"group\""
    );
    assert_eq!(
        error_with("/zarr_format", json!(2)),
        "zarr_format: expected 3, got 2"
    );
    assert_eq!(
        error_with("/chunk_grid/name", json!("rectilinear")),
        "chunk_grid.name: expected \"regular\", or the option chunkShape, got \"rectilinear\""
    );
    assert_eq!(
        error_with(
            "/chunk_grid",
            json!({ "configuration": { "chunk_shape": [2] } })
        ),
        "chunk_grid.name: expected the name of a chunk grid, got nothing"
    );
    assert_eq!(
        error_with("/chunk_grid/configuration/chunk_shape", json!([-2])),
        "chunk_grid.configuration.chunk_shape[0]: expected a positive integer, got -2"
    );
    assert_eq!(
        error_with("/zarr_format", json!("3")),
        "zarr_format: expected 3, got \"3\""
    );
    assert_eq!(
        error_with("/chunk_grid", json!(null)),
        "chunk_grid: expected a chunk grid (a name or an object with a name), got null"
    );
    assert_eq!(
        error_with("/chunk_grid", json!({ "name": "regular" })),
        "chunk_grid.configuration.chunk_shape: expected the shape of a chunk (an array of integers), got nothing"
    );
    assert_eq!(
        error_with("/chunk_grid/configuration/chunk_shape", json!(2)),
        "chunk_grid.configuration.chunk_shape: expected the shape of a chunk (an array of integers), got 2"
    );
    assert_eq!(
        error_with(
            "/chunk_grid/configuration/chunk_shape",
            json!([4_294_967_296_u64])
        ),
        "chunk_grid.configuration.chunk_shape: expected a chunk of at most 4294967295 bytes, got 4294967296 elements x 1 byte"
    );
    assert_eq!(
        error_with("/codecs", json!([null])),
        "codecs[0]: expected a codec (a name or an object with a name), got null"
    );
    assert!(error_with("/data_type", json!("x")).starts_with("data_type: expected"));
}

#[test]
fn float16_is_as_long_as_its_array_allows() {
    // 4 GB as binary16, 8 GB as binary32.
    let resolve = |array: &str| {
        let options = Options {
            array: Some(array.to_owned()),
            ..Options::default()
        };
        let codecs = json!([{ "name": "bytes", "configuration": { "endian": "little" } }]);
        crate::resolve_with(
            json!({ "dataType": "float16", "shape": [2_000_000_000], "codecs": codecs }),
            &options,
        )
    };
    for array in ["bits", "float16"] {
        let chain = resolve(array).unwrap();
        assert_eq!(
            chain.array_step().encoded_byte_length,
            Some(4_000_000_000),
            "{array}"
        );
        assert_eq!(chain.array_step().forms.len(), 2, "without Float32Array");
    }
    assert_eq!(
        resolve("float32").unwrap_err().to_string(),
        "shape: expected a chunk of at most 4294967295 bytes, got 2000000000 elements x 4 bytes"
    );
}
