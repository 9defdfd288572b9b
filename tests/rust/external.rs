//! External codecs, whose metadata are left to the caller, and what else metadata may be.

use crate::{json as to_json, resolve_with};
use serde_json::{Value, json};
use zarr_codecs::{
    chain::{CodecChain, External, Options, Step},
    codec::{Codec, Kind},
    metadata::{ChainMetadata, Json},
};

fn bytes() -> Value {
    json!({ "name": "bytes", "configuration": { "endian": "big" } })
}

fn external<'a>(path: &'a str, kind: Kind) -> Options<'a> {
    Options {
        loads: true,
        external: vec![External {
            path,
            kind,
            encoded: None,
        }],
        ..Options::default()
    }
}

#[test]
fn lengths_before_external_codecs_are_known() {
    let metadata = json!({ "dataType": "int16", "shape": [5], "codecs": [bytes(), "crc32c", { "name": "other", "configuration": {} }] });
    let chain = resolve_with(metadata, &external("codecs[2]", Kind::BytesToBytes)).unwrap();
    let [Step::External(step), Step::Native(_)] = &chain.steps[..] else {
        panic!("{:?}", chain.steps);
    };
    assert_eq!(step.decoded_byte_length, Some(14));
    // Without the empty configuration.
    let expected = Codec {
        name: "other".into(),
        configuration: None,
    };
    assert_eq!(chain.codecs[2], expected);
    let configuration = json!({ "level": 1 });
    let with_level = json!({ "dataType": "int16", "shape": [5], "codecs": [bytes(), { "name": "other", "configuration": configuration }] });
    let leveled = resolve_with(with_level, &external("codecs[1]", Kind::BytesToBytes)).unwrap();
    let expected = Codec {
        name: "other".into(),
        configuration: Some(to_json(configuration)),
    };
    assert_eq!(leveled.codecs[1], expected);
    assert_eq!(chain.encoded_byte_length(), None);
    // Native steps after it are those of this crate alone.
    let encoded = chain.encode(&[1; 10]).unwrap();
    assert_eq!(
        (encoded.len(), chain.decode(&encoded)),
        (14, Ok(vec![1; 10]))
    );
}

#[test]
fn elements_that_move_before_an_external_codec_move_in_a_step_of_their_own() {
    let order = json!({ "order": [1, 0] });
    let transpose = json!({ "name": "transpose", "configuration": order });
    let metadata =
        json!({ "dataType": "int16", "shape": [2, 3], "codecs": [transpose, "other", "crc32c"] });
    let chain = resolve_with(metadata, &external("codecs[1]", Kind::ArrayToBytes)).unwrap();
    let [
        Step::Native(_),
        Step::External(other),
        Step::External(transpose),
    ] = &chain.steps[..]
    else {
        panic!("{:?}", chain.steps);
    };
    assert_eq!(&*other.name, "other");
    assert_eq!(&*transpose.name, "transpose");
}

#[test]
fn external_codecs_may_know_other_data_types() {
    let metadata = || json!({ "dataType": "anything", "shape": [5], "codecs": ["other"] });
    for (kind, is_accepted) in [(Kind::ArrayToBytes, true), (Kind::BytesToBytes, false)] {
        let chain = resolve_with(metadata(), &external("codecs[0]", kind));
        assert_eq!(chain.is_ok(), is_accepted, "{kind:?}");
    }
    // Also if further codecs follow.
    let metadata =
        json!({ "dataType": "anything", "shape": [5], "codecs": ["other", "crc32c", "more"] });
    let mut options = external("codecs[0]", Kind::ArrayToBytes);
    options.external.push(External {
        path: "codecs[2]",
        kind: Kind::BytesToBytes,
        encoded: None,
    });
    assert!(resolve_with(metadata, &options).is_ok());
}

#[test]
fn errors_of_unknown_codecs_say_how_to_provide_them() {
    let options = Options {
        loads: true,
        ..Options::default()
    };
    let metadata = json!({ "dataType": "int16", "shape": [5], "codecs": [bytes(), "bz2"] });
    assert_eq!(
        resolve_with(metadata, &options).unwrap_err().to_string(),
        "codecs[1]: expected a codec of this package, of the host or of the option codecs \
         (a Map from its name to a function that returns its class), got \"bz2\""
    );
}

#[test]
fn metadata_of_arrays_are_read_with_care() {
    let array = |changes: Value| {
        let mut metadata = json!({
            "zarr_format": 3, "node_type": "array", "data_type": "uint8", "fill_value": 0, "shape": [9],
            "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": [3] } }, "codecs": ["bytes"]
        });
        for (name, value) in changes.as_object().unwrap() {
            metadata[name] = value.clone();
        }
        metadata
    };
    let read = |metadata: Value, chunk_shape: Option<Value>| {
        let (metadata, shape) = (to_json(metadata), chunk_shape.map(to_json));
        ChainMetadata::from_array(&metadata, shape.as_ref())
            .and_then(|parts| CodecChain::resolve(&parts, &Options::default()))
            .map(|chain| chain.shape)
            .map_err(|error| error.to_string())
    };
    assert_eq!(
        read(array(json!({ "storage_transformers": [] })), None),
        Ok(vec![3])
    );
    assert_eq!(
        read(array(json!({ "storage_transformers": ["a"] })), None).unwrap_err(),
        "storage_transformers: expected none (not supported), got an array"
    );
    assert_eq!(read(array(json!({})), Some(json!([3]))), Ok(vec![3]));
    assert_eq!(
        read(array(json!({})), Some(json!([4]))).unwrap_err(),
        "options.chunkShape: expected the chunk_shape of the regular grid, got an array"
    );
    let codecs = json!([{ "name": "crc32c", "configuration": 1 }]);
    assert_eq!(
        read(array(json!({ "codecs": codecs })), None).unwrap_err(),
        "codecs[0].configuration: expected an object, got 1"
    );
    let codecs =
        json!([{ "name": "unknown", "must_understand": false, "configuration": 1 }, "bytes"]);
    assert_eq!(
        read(array(json!({ "codecs": codecs })), None).unwrap_err(),
        "codecs[0].configuration: expected an object, got 1"
    );
}

#[test]
fn numbers_in_messages_are_written_as_by_javascript() {
    let message = |number: f64| {
        let metadata = Json::Object(vec![
            ("dataType".into(), Json::String("uint8".into())),
            ("shape".into(), Json::Array(vec![Json::Number(number)])),
            (
                "codecs".into(),
                Json::Array(vec![Json::String("bytes".into())]),
            ),
        ]);
        let parts = ChainMetadata::from_parts(&metadata).unwrap();
        CodecChain::resolve(&parts, &Options::default())
            .unwrap_err()
            .to_string()
    };
    for (number, text) in [
        (f64::INFINITY, "Infinity"),
        (f64::NEG_INFINITY, "-Infinity"),
        (1e21, "1e+21"),
        (-1.5e300, "-1.5e+300"),
        (0.5, "0.5"),
    ] {
        assert!(
            message(number).ends_with(&format!("got {text}")),
            "{}",
            message(number)
        );
    }
}
