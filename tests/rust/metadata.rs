//! Errors in metadata say where, what was expected and what came.

use crate::{resolve, resolve_with};
use serde_json::{Value, json};
use zarr_codecs::{
    chain::{External, Options},
    codec::{Codec, Kind},
    metadata::{Endian, Json},
};

pub fn message(data_type: Value, shape: Value, codecs: Value) -> String {
    let metadata = json!({ "dataType": data_type, "shape": shape, "codecs": codecs });
    resolve(metadata).expect_err("rejected").to_string()
}

fn codecs_message(codecs: Value) -> String {
    message(json!("int16"), json!([2]), codecs)
}

fn bytes(configuration: Value) -> Value {
    json!([{ "name": "bytes", "configuration": configuration }])
}

#[test]
fn endian_is_required_and_validated() {
    let endian = "codecs[0].configuration.endian: expected";
    let missing = format!(
        "{endian} \"little\" or \"big\" (required for the multi-byte data type int16), got nothing"
    );
    assert_eq!(codecs_message(json!(["bytes"])), missing);
    assert_eq!(codecs_message(bytes(json!({}))), missing);
    for (value, got) in [
        (json!("middle"), "\"middle\""),
        (json!("Big"), "\"Big\""),
        (json!(null), "null"),
        (json!(1), "1"),
        (json!({}), "an object"),
        (json!([]), "an empty array"),
    ] {
        let expected = format!("{endian} \"little\" or \"big\", got {got}");
        assert_eq!(codecs_message(bytes(json!({ "endian": value }))), expected);
        // Also where it has no effect.
        let single = message(
            json!("uint8"),
            json!([2]),
            bytes(json!({ "endian": value })),
        );
        assert_eq!(single, expected);
    }
    assert_eq!(
        codecs_message(bytes(json!({ "endia": "big" }))),
        "codecs[0].configuration.endia: unknown member; allowed: endian"
    );
    assert_eq!(
        codecs_message(bytes(json!(null))),
        "codecs[0].configuration: expected an object, got null"
    );
}

#[test]
fn the_legacy_name_requires_a_configuration() {
    for codec in [
        json!("endian"),
        json!({ "name": "endian" }),
        json!({ "name": "endian", "configuration": {} }),
    ] {
        assert_eq!(
            message(json!("uint8"), json!([2]), json!([codec])),
            "codecs[0].configuration.endian: expected \"little\" or \"big\" (required by the codec \"endian\"), got nothing"
        );
    }
    let chain = resolve(json!({
        "dataType": "int16", "shape": [2], "codecs": [{ "name": "endian", "configuration": { "endian": "big" } }]
    }));
    assert_eq!(
        chain.unwrap().codecs,
        [Codec::new("bytes").with("endian", Json::String("big".into()))]
    );
}

#[test]
fn an_option_supplies_a_missing_endian() {
    let metadata = json!({ "dataType": "int16", "shape": [2], "codecs": ["bytes"] });
    let options = Options {
        missing_endian: Some(Endian::Big),
        ..Options::default()
    };
    let chain = resolve_with(metadata, &options).unwrap();
    assert_eq!(
        chain.codecs,
        [Codec::new("bytes").with("endian", Json::String("big".into()))]
    );
    assert_eq!(
        chain.decode(&[1, 2, 3, 4]).unwrap(),
        0x0102_u16
            .to_ne_bytes()
            .into_iter()
            .chain(0x0304_u16.to_ne_bytes())
            .collect::<Vec<_>>()
    );
}

#[test]
fn crc32c_accepts_no_configuration() {
    for configuration in [
        json!({ "location": "start" }),
        json!({ "endian": "little" }),
    ] {
        let error = message(
            json!("uint8"),
            json!([2]),
            json!(["bytes", { "name": "crc32c", "configuration": configuration }]),
        );
        assert!(
            error.ends_with("unknown member; none is allowed"),
            "{error}"
        );
    }
    let chain = resolve(
        json!({ "dataType": "uint8", "shape": [2], "codecs": ["bytes", { "name": "crc32c", "configuration": {} }] }),
    );
    assert_eq!(chain.unwrap().array_step().encoded_byte_length, Some(6));
}

#[test]
fn the_chain_has_one_array_to_bytes_codec_and_it_is_first() {
    let rule = "expected exactly one array-to-bytes codec, before all bytes-to-bytes codecs, got";
    let big = json!({ "name": "bytes", "configuration": { "endian": "big" } });
    assert_eq!(codecs_message(json!([])), format!("codecs: {rule} none"));
    assert_eq!(
        codecs_message(json!(["crc32c"])),
        format!("codecs[0]: {rule} the bytes-to-bytes codec \"crc32c\" first")
    );
    assert_eq!(
        codecs_message(json!(["crc32c", big])),
        format!("codecs[0]: {rule} the bytes-to-bytes codec \"crc32c\" first")
    );
    assert_eq!(
        codecs_message(json!([big, big])),
        format!("codecs[1]: {rule} the array-to-bytes codec \"bytes\" after another")
    );
    assert_eq!(
        codecs_message(json!("bytes")),
        "codecs: expected an array of codecs, got \"bytes\""
    );
    assert_eq!(
        codecs_message(json!({ "0": big })),
        "codecs: expected an array of codecs, got an object"
    );
}

#[test]
fn the_order_is_checked_beside_external_codecs() {
    use Kind::{ArrayToArray, ArrayToBytes, BytesToBytes};
    let big = json!({ "name": "bytes", "configuration": { "endian": "big" } });
    let message = |codecs: Value, external: &[(usize, Kind)]| {
        let paths: Vec<_> = external
            .iter()
            .map(|(index, _)| format!("codecs[{index}]"))
            .collect();
        let external = external
            .iter()
            .zip(&paths)
            .map(|(&(_, kind), path)| External {
                path,
                kind,
                encoded: None,
            });
        let options = Options {
            loads: true,
            external: external.collect(),
            ..Options::default()
        };
        let metadata = json!({ "dataType": "int16", "shape": [2], "codecs": codecs });
        let error = resolve_with(metadata, &options).expect_err("rejected");
        error.to_string()
    };
    let rule = "expected exactly one array-to-bytes codec, before all bytes-to-bytes codecs, got";
    assert_eq!(
        message(json!(["other", "crc32c", big]), &[(0, ArrayToBytes)]),
        format!(
            "codecs[2]: {rule} the array-to-bytes codec \"bytes\" after a bytes-to-bytes codec"
        )
    );
    assert_eq!(
        message(
            json!(["other", big, "other", big]),
            &[(0, ArrayToArray), (2, BytesToBytes)]
        ),
        format!(
            "codecs[3]: {rule} the array-to-bytes codec \"bytes\" after a bytes-to-bytes codec"
        )
    );
    assert_eq!(
        message(json!([big, "other"]), &[(1, ArrayToBytes)]),
        format!("codecs[1]: {rule} the array-to-bytes codec \"other\" after another")
    );
    assert_eq!(
        message(json!(["other", big]), &[(0, BytesToBytes)]),
        format!("codecs[0]: {rule} the bytes-to-bytes codec \"other\" first")
    );
    assert_eq!(
        message(json!(["other"]), &[(0, ArrayToArray)]),
        format!("codecs: {rule} only array-to-array codecs")
    );
    assert_eq!(message(json!([]), &[]), format!("codecs: {rule} none"));
    let order = json!({ "name": "transpose", "configuration": { "order": [0] } });
    assert_eq!(
        message(json!([big, "crc32c", order]), &[]),
        "codecs[2]: expected array-to-array codecs before all others, got the array-to-array codec \"transpose\" after a bytes-to-bytes codec"
    );
}

#[test]
fn unknown_codecs_are_rejected_or_skipped() {
    let big = json!({ "name": "bytes", "configuration": { "endian": "big" } });
    let known = "expected one of \"transpose\", \"reshape\", \"bytes\", \"endian\", \"sharding_indexed\", \"crc32c\", \"numcodecs.shuffle\", \"numcodecs.crc32c\", \"numcodecs.crc32\", \"numcodecs.adler32\", \"numcodecs.fletcher32\" (use loadCodecChain for chains with others), got \"gzip\"";
    assert_eq!(
        codecs_message(json!([big, "gzip"])),
        format!("codecs[1]: {known}")
    );
    assert_eq!(
        codecs_message(json!([big, { "name": "gzip", "configuration": { "level": 1 } }])),
        format!("codecs[1].name: {known}")
    );
    assert_eq!(
        codecs_message(json!([{ "name": "gzip", "must_understand": true }, big])),
        format!("codecs[0].name: {known}")
    );
    assert_eq!(
        codecs_message(json!([{ "name": "gzip", "must_understand": 0 }])),
        "codecs[0].must_understand: expected true or false, got 0"
    );
    let chain = resolve(
        json!({ "dataType": "int16", "shape": [2], "codecs": [{ "name": "gzip", "must_understand": false }, big] }),
    );
    assert_eq!(chain.unwrap().codecs.len(), 1);
}

#[test]
fn unknown_members_of_extension_objects_are_rejected() {
    assert_eq!(
        codecs_message(json!([{ "name": "bytes", "config": {} }])),
        "codecs[0].config: unknown member; allowed: name, configuration, must_understand"
    );
    assert_eq!(
        codecs_message(json!([{ "configuration": {} }])),
        "codecs[0].name: expected the name of a codec, got nothing"
    );
    assert_eq!(
        codecs_message(json!([null])),
        "codecs[0]: expected a codec (a name or an object with a name), got null"
    );
    let error = message(
        json!({ "name": "int8", "must_understand": false }),
        json!([2]),
        json!(["bytes"]),
    );
    assert_eq!(error, "dataType.must_understand: expected true, got false");
    let understood = json!({ "name": "int8", "must_understand": true });
    resolve(json!({ "dataType": understood, "shape": [2], "codecs": ["bytes"] })).unwrap();
    let metadata =
        json!({ "dataType": "int8", "shape": [2], "codecs": ["bytes"], "verify": false });
    let error = resolve(metadata).unwrap_err().to_string();
    assert_eq!(
        error,
        "verify: unknown member; allowed: dataType, shape, codecs, fillValue"
    );
}

#[test]
fn every_member_is_required_and_of_its_type() {
    let big = json!({ "name": "bytes", "configuration": { "endian": "big" } });
    let with = |codec: Value| json!([big, codec]);
    let codec = "expected a codec (a name or an object with a name), got";
    let object = "expected an object, got";
    let members = "unknown member; allowed: name, configuration, must_understand";
    for (codecs, expected) in [
        (json!(null), "codecs: expected an array of codecs, got null".into()),
        (json!([1]), format!("codecs[0]: {codec} 1")),
        (json!([[big]]), format!("codecs[0]: {codec} an array")),
        (
            json!([{ "name": null }]),
            "codecs[0].name: expected the name of a codec, got null".into(),
        ),
        (json!([{ "name": "bytes", "endian": "big" }]), format!("codecs[0].endian: {members}")),
        (with(json!({ "name": "crc32c", "location": "end" })), format!("codecs[1].location: {members}")),
        (
            with(json!({ "name": "crc32c", "configuration": null })),
            format!("codecs[1].configuration: {object} null"),
        ),
        (
            with(json!({ "name": "crc32c", "configuration": [] })),
            format!("codecs[1].configuration: {object} an empty array"),
        ),
        (bytes(json!([])), format!("codecs[0].configuration: {object} an empty array")),
        (bytes(json!("big")), format!("codecs[0].configuration: {object} \"big\"")),
        (
            bytes(json!({ "endian": "big", "location": "end" })),
            "codecs[0].configuration.location: unknown member; allowed: endian".into(),
        ),
        (
            with(json!({ "name": "endian", "configuration": { "endian": "big" } })),
            "codecs[1]: expected exactly one array-to-bytes codec, before all bytes-to-bytes codecs, got the array-to-bytes codec \"endian\" after another".into(),
        ),
        (
            json!([{ "name": "x", "must_understand": false }]),
            "codecs: expected exactly one array-to-bytes codec, before all bytes-to-bytes codecs, got none".into(),
        ),
    ] {
        assert_eq!(codecs_message(codecs), expected);
    }
    for (must_understand, got) in [
        (json!("false"), "\"false\""),
        (json!(null), "null"),
        (json!({}), "an object"),
    ] {
        for name in ["x", "crc32c"] {
            assert_eq!(
                codecs_message(with(
                    json!({ "name": name, "must_understand": must_understand })
                )),
                format!("codecs[1].must_understand: expected true or false, got {got}")
            );
        }
    }
    for name in ["Bytes", "zstd"] {
        let error = codecs_message(json!([{ "name": name }]));
        assert!(
            error.starts_with("codecs[0].name: expected one of \"transpose\","),
            "{error}"
        );
        assert!(error.ends_with(&format!(", got \"{name}\"")), "{error}");
    }
    for (metadata, expected) in [
        (
            json!(null),
            "metadata: expected { dataType, shape, codecs }, got null",
        ),
        (
            json!(1),
            "metadata: expected { dataType, shape, codecs }, got 1",
        ),
        (
            json!("float32"),
            "metadata: expected { dataType, shape, codecs }, got \"float32\"",
        ),
        (
            json!([]),
            "metadata: expected { dataType, shape, codecs }, got an empty array",
        ),
        (
            json!({}),
            "dataType: expected a data type (a name or an object with a name), got nothing",
        ),
        (
            json!({ "datatype": "int8", "shape": [], "codecs": ["bytes"] }),
            "datatype: unknown member; allowed: dataType, shape, codecs, fillValue",
        ),
        (
            json!({ "dataType": "int8", "shape": [] }),
            "codecs: expected an array of codecs, got nothing",
        ),
        (
            json!({ "dataType": "int8", "codecs": ["bytes"] }),
            "shape: expected the shape of a chunk (an array of integers), got nothing",
        ),
    ] {
        assert_eq!(resolve(metadata).unwrap_err().to_string(), expected);
    }
}
