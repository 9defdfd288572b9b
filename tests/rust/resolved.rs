//! What a chain is resolved to: the numbers that TypeScript compares and passes on.

use crate::{resolve, resolve_with};
use serde_json::{Value, json};
use zarr_codecs::{
    chain::{CodecChain, Form, NativeStep, Options, little_endian_views},
    data_type::TypedArray,
    kernel::window,
};

fn bytes() -> Value {
    json!({ "name": "bytes", "configuration": { "endian": "big" } })
}

fn chain(data_type: &str, shape: Value, codecs: Value) -> CodecChain {
    let fill_value = if data_type == "bool" {
        json!(false)
    } else {
        json!(0)
    };
    resolve(
        json!({ "dataType": data_type, "shape": shape, "codecs": codecs, "fillValue": fill_value }),
    )
    .unwrap()
}

/// Returns whether the chunk of the default form is decoded and encoded in one call.
fn in_window(step: &NativeStep) -> (bool, bool) {
    let Form {
        decodes_in_window,
        encodes_in_window,
        ..
    } = step.forms[0];
    (decodes_in_window, encodes_in_window)
}

#[test]
fn chunks_that_fit_go_through_the_window_in_one_call() {
    let (size, long) = (window::SIZE, window::LONGEST_TO_ENCODE);
    let transposed =
        json!([{ "name": "transpose", "configuration": { "order": [1, 0] } }, "bytes", "crc32c"]);
    for (data_type, shape, codecs, expected) in [
        ("uint8", json!([size]), json!(["bytes"]), (true, false)),
        ("uint8", json!([size + 1]), json!(["bytes"]), (false, false)),
        ("uint8", json!([long]), json!(["bytes"]), (true, true)),
        ("uint8", json!([long + 1]), json!(["bytes"]), (true, false)),
        // Only converted.
        ("uint16", json!([size / 2]), json!([bytes()]), (true, true)),
        (
            "uint16",
            json!([size / 2 + 1]),
            json!([bytes()]),
            (false, false),
        ),
        // With the checksum.
        (
            "uint8",
            json!([size - 4]),
            json!(["bytes", "crc32c"]),
            (true, false),
        ),
        (
            "uint8",
            json!([size - 3]),
            json!(["bytes", "crc32c"]),
            (false, false),
        ),
        (
            "uint8",
            json!([long - 4]),
            json!(["bytes", "crc32c"]),
            (true, true),
        ),
        (
            "uint8",
            json!([long - 3]),
            json!(["bytes", "crc32c"]),
            (true, false),
        ),
        (
            "uint16",
            json!([long]),
            json!([bytes(), "crc32c"]),
            (true, false),
        ),
        // Moved.
        (
            "uint8",
            json!([2, size / 2 - 2]),
            transposed.clone(),
            (true, true),
        ),
        (
            "uint8",
            json!([2, size / 2 - 1]),
            transposed.clone(),
            (false, false),
        ),
        // The array is twice as long.
        ("float16", json!([size / 4]), json!([bytes()]), (true, true)),
        (
            "float16",
            json!([size / 4 + 1]),
            json!([bytes()]),
            (false, false),
        ),
    ] {
        let options = Options {
            array: Some("float32".into()),
            ..Options::default()
        };
        let metadata = json!({ "dataType": data_type, "shape": shape, "codecs": codecs });
        let chain = resolve_with(metadata, &options).unwrap();
        assert_eq!(
            in_window(chain.array_step()),
            expected,
            "{data_type} {shape} {codecs}"
        );
        if let Some(stored) = &chain.array_step().stored {
            let form = &stored.forms[0];
            let is_short = shape[1].as_u64().unwrap() < size as u64 / 2 - 1;
            assert_eq!(
                (form.decodes_in_window, form.encodes_in_window),
                (is_short, false)
            );
        }
    }
}

#[test]
fn a_second_permutation_goes_through_the_window_where_the_array_fits() {
    let move_twice = |shape: Value, middle: Value| {
        let order = json!({ "name": "transpose", "configuration": { "order": [1, 0] } });
        let reshape = json!({ "name": "reshape", "configuration": { "shape": middle } });
        let chain = chain("uint8", shape, json!([order, reshape, order, "bytes"]));
        let form = &chain.array_step().forms[0];
        let next = form.next.clone().expect("a second permutation");
        [
            form.decodes_in_window,
            next.decodes_in_window,
            next.encodes_in_window,
        ]
    };
    assert_eq!(move_twice(json!([4, 6]), json!([8, 3])), [true; 3]);
    let half = window::SIZE / 4;
    let (fits, too_long) = (json!([16, 3000]), json!([half, 9]));
    assert_eq!(move_twice(fits, json!([32, -1])), [true; 3]);
    assert_eq!(move_twice(too_long, json!([6, -1])), [false; 3]);
}

#[test]
fn invalid_bools_are_accepted_by_an_option() {
    let options = Options {
        accept_invalid_bool: true,
        ..Options::default()
    };
    let metadata = |data_type| json!({ "dataType": data_type, "shape": [3], "codecs": ["bytes"] });
    let bool = resolve_with(metadata("bool"), &options).unwrap();
    assert_eq!(bool.decode(&[0, 2, 255]), Ok(vec![0, 1, 1]));
    assert!(!bool.array_step().forms[0].is_checked);
    let other = resolve_with(metadata("uint8"), &options).unwrap();
    assert_eq!(other.decode(&[0, 2, 255]), Ok(vec![0, 2, 255]));
    assert_eq!(resolve(metadata("uint8")).unwrap(), other);
}

fn shard(data_type: &str, shape: Value, chunk_shape: Value) -> CodecChain {
    let little = json!({ "name": "bytes", "configuration": { "endian": "little" } });
    let codecs = json!([{ "name": "sharding_indexed", "configuration": {
        "chunk_shape": chunk_shape, "codecs": [bytes()], "index_codecs": [little]
    } }]);
    chain(data_type, shape, codecs)
}

#[test]
fn slabs_are_inner_chunks_of_one_index_in_the_outermost_dimension() {
    for (shape, chunk_shape, expected) in [
        (json!([4, 6]), json!([2, 3]), Some(vec![2, 6])),
        (json!([6, 6]), json!([3, 2]), Some(vec![3, 6])),
        // In order already.
        (json!([4, 6]), json!([1, 3]), None),
        (json!([1, 4, 6]), json!([1, 2, 3]), Some(vec![1, 2, 6])),
        // All of it.
        (json!([4, 6]), json!([4, 3]), None),
        (json!([1, 1]), json!([1, 1]), None),
        (json!([]), json!([]), None),
    ] {
        let chain = shard("uint16", shape, chunk_shape);
        let slab = chain.shard().unwrap().slab.as_ref();
        assert_eq!(slab.and_then(|slab| slab.shape.clone()), expected);
    }
}

#[test]
fn elements_of_inner_chunks_are_checked_once() {
    let chain = shard("bool", json!([4, 6]), json!([2, 3]));
    let inner = chain.clone().into_inner();
    assert!(inner.array_step().forms[0].is_checked);
    assert_eq!(inner.shape, [2, 3]);
    assert!(!chain.array_step().forms[0].is_checked);
    assert!(!chain.shard().unwrap().slab.as_ref().unwrap().forms[0].is_checked);
}

#[test]
fn inner_chunks_are_decoded_to_an_array_of_their_bytes() {
    for (data_type, array) in [
        ("uint8", TypedArray::Uint8Array),
        ("float16", TypedArray::Uint16Array),
        ("float64", TypedArray::Float64Array),
        ("int16", TypedArray::Int16Array),
    ] {
        let chain = shard(data_type, json!([4, 6]), json!([2, 3]));
        let step = chain.shard().unwrap();
        assert_eq!(step.array, array);
        assert_eq!(step.chain.array_step().forms[step.form].array, array);
    }
}

#[test]
fn fields_of_records_have_their_place() {
    let field = |name, data_type| json!({ "name": name, "data_type": data_type });
    let inner = json!({ "name": "struct", "configuration": { "fields": [field("a", json!("uint8")), field("b", json!("float64"))] } });
    let data_type = json!({ "name": "struct", "configuration": { "fields": [field("x", json!("uint16")), field("y", inner)] } });
    let metadata = json!({ "dataType": data_type, "shape": [3], "codecs": [bytes()] });
    let chain = resolve(metadata).unwrap();
    let place = |path: &[&str]| {
        let part = chain.part(path.iter().copied(), &Options::default())?;
        Some((
            part.record_size,
            part.offset,
            part.size,
            part.step.forms[0].array,
        ))
    };
    assert_eq!(place(&["x"]), Some((11, 0, 2, TypedArray::Uint16Array)));
    assert_eq!(place(&["y", "a"]), Some((11, 2, 1, TypedArray::Uint8Array)));
    assert_eq!(
        place(&["y", "b"]),
        Some((11, 3, 8, TypedArray::Float64Array))
    );
    assert_eq!(
        place(&[]).map(|(_, offset, size, _)| (offset, size)),
        Some((0, 11))
    );
    assert_eq!(place(&["z"]), None);
    assert_eq!(place(&["x", "a"]), None);
}

#[test]
fn views_are_those_of_plain_data_types() {
    let views: Vec<_> = little_endian_views().collect();
    let names: Vec<_> = views.iter().map(|(name, _)| name.as_str()).collect();
    for name in [
        "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32",
        "float64",
    ] {
        assert!(names.contains(&name), "{name}");
    }
    // Converted, checked, of several components, not in every host, or configured.
    for name in [
        "bool",
        "float16",
        "bfloat16",
        "complex64",
        "int4",
        "float8_e4m3",
        "struct",
        "r8",
    ] {
        assert!(!names.contains(&name), "{name}");
    }
    assert!(views.contains(&("int64".into(), TypedArray::BigInt64Array)));
}

#[test]
fn records_and_texts_have_views() {
    let text = json!({ "name": "fixed_length_utf32", "configuration": { "length_bytes": 8 } });
    let field = json!({ "name": "a", "data_type": "uint8" });
    let record = json!({ "name": "struct", "configuration": { "fields": [field] } });
    for (data_type, expected) in [(text, true), (record, true), (json!("uint8"), false)] {
        let metadata = json!({ "dataType": data_type, "shape": [2], "codecs": [bytes()] });
        assert_eq!(resolve(metadata).unwrap().array_step().has_views, expected);
    }
}

#[test]
fn large_parameters_are_accepted_up_to_their_limit() {
    let error = |data_type: Value, codecs: Value| {
        let metadata = json!({ "dataType": data_type, "shape": [2], "codecs": codecs });
        resolve(metadata).err().map(|error| error.to_string())
    };
    let time = |factor: u32| json!({ "name": "numpy.datetime64", "configuration": { "unit": "s", "scale_factor": factor } });
    assert_eq!(error(time(i32::MAX as u32), json!([bytes()])), None);
    assert!(error(time(i32::MAX as u32 + 1), json!([bytes()])).is_some());
    let shuffle = |size: u32| json!([bytes(), { "name": "numcodecs.shuffle", "configuration": { "elementsize": size } }]);
    assert_eq!(error(json!("uint16"), shuffle(0xff_ffff)), None);
    let message = error(json!("uint16"), shuffle(0x100_0000)).unwrap();
    assert!(
        message.ends_with("expected an integer from 1 to 16777215, got 16777216"),
        "{message}"
    );
}
