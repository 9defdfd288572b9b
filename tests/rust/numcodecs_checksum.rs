//! The checksum codecs of numcodecs, compared with chunks that zarr-python 3.1.6 wrote.

use crate::resolve;
use serde_json::{Value, json};
use zarr_codecs::{Error, chain::CodecChain};

/// Resolves a chain for the `uint16` elements below, with the codecs after `bytes`.
fn chain(codecs: &Value) -> Result<CodecChain, Error> {
    let mut all = vec![json!({ "name": "bytes", "configuration": { "endian": "little" } })];
    all.extend(codecs.as_array().unwrap().iter().cloned());
    resolve(json!({ "dataType": "uint16", "shape": [5], "codecs": all }))
}

const DECODED: &str = "010002002c01ffff4d00";

fn hex(text: &str) -> Vec<u8> {
    crate::guard::chunks::hex(&json!(text))
}

/// The codecs after `bytes`, as zarr-python wrote them, and the chunk.
fn written() -> [(Value, &'static str); 8] {
    let codec =
        |name: &str, configuration| json!([{ "name": name, "configuration": configuration }]);
    [
        (
            codec("numcodecs.crc32", json!({})),
            "9ceb2926010002002c01ffff4d00",
        ),
        (
            codec("numcodecs.crc32", json!({ "location": "end" })),
            "010002002c01ffff4d009ceb2926",
        ),
        (
            codec("numcodecs.crc32c", json!({})),
            "010002002c01ffff4d003418c853",
        ),
        (
            codec("numcodecs.crc32c", json!({ "location": "start" })),
            "3418c853010002002c01ffff4d00",
        ),
        (
            codec("numcodecs.adler32", json!({})),
            "7c02c408010002002c01ffff4d00",
        ),
        (
            codec("numcodecs.adler32", json!({ "location": "end" })),
            "010002002c01ffff4d007c02c408",
        ),
        (
            codec("numcodecs.fletcher32", json!({})),
            "010002002c01ffff4d00017c03de",
        ),
        (
            json!(["numcodecs.crc32", "crc32c", "numcodecs.fletcher32"]),
            "9ceb2926010002002c01ffff4d004e5f6a7bedfabaaa",
        ),
    ]
}

#[test]
fn chunks_of_zarr_python() {
    for (codecs, encoded) in written() {
        let chain = chain(&codecs).unwrap();
        let decoded = hex(DECODED);
        assert_eq!(chain.decode(&hex(encoded)).unwrap(), decoded, "{codecs}");
        assert_eq!(chain.encode(&decoded).unwrap(), hex(encoded), "{codecs}");
    }
}

#[test]
fn every_flipped_bit_is_detected_and_attributed() {
    for (codecs, encoded) in written() {
        let chain = chain(&codecs).unwrap();
        let last = codecs.as_array().unwrap().last().unwrap();
        let name = last["name"].as_str().or(last.as_str()).unwrap();
        let encoded = hex(encoded);
        for bit in 0..encoded.len() * 8 {
            let mut damaged = encoded.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            match chain.decode(&damaged).unwrap_err() {
                Error::ChecksumMismatch {
                    checksum,
                    stored,
                    computed,
                    byte_length,
                    ..
                } => {
                    assert_eq!(name.strip_prefix("numcodecs."), Some(checksum));
                    assert_ne!(stored, computed);
                    assert_eq!(byte_length, encoded.len() as u64 - 4);
                }
                other => panic!("{codecs}: {other}"),
            }
        }
    }
}

#[test]
fn the_message_names_the_checksum() {
    let metadata = json!({ "dataType": "uint8", "shape": [], "codecs": ["bytes", "crc32c"] });
    let error = resolve(metadata).unwrap().decode(&[7, 1, 2, 3, 4]);
    let message = error.unwrap_err().to_string();
    assert!(message.ends_with(" over 1 byte"), "{message}");
    let metadata = json!({ "dataType": "uint8", "shape": [9], "codecs": ["bytes", "crc32c"] });
    let mut encoded = b"123456789".to_vec();
    encoded.extend(0x0a_u32.to_le_bytes());
    assert_eq!(
        resolve(metadata)
            .unwrap()
            .decode(&encoded)
            .unwrap_err()
            .to_string(),
        "chunk is corrupt: crc32c stored 0x0000000a, computed 0xe3069283 over 9 bytes"
    );
    let chain = chain(&json!(["numcodecs.adler32"])).unwrap();
    let error = chain
        .decode(&hex("7c02c409010002002c01ffff4d00"))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "chunk is corrupt: adler32 stored 0x09c4027c, computed 0x08c4027c over 10 bytes"
    );
    let error = chain.decode(&[1, 2, 3]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "encoded chunk is 3 bytes, expected 4 (at least the checksum)"
    );
}

#[test]
fn defaults_are_resolved() {
    for (name, location) in [
        ("numcodecs.crc32", "start"),
        ("numcodecs.adler32", "start"),
        ("numcodecs.crc32c", "end"),
    ] {
        let chain = chain(&json!([name])).unwrap();
        assert_eq!(
            serde_json::to_value(chain.codecs[1].clone()).unwrap(),
            json!({ "name": name, "configuration": { "location": location } })
        );
    }
    let chain = chain(&json!(["numcodecs.fletcher32"])).unwrap();
    assert_eq!(
        serde_json::to_value(chain.codecs[1].clone()).unwrap(),
        json!({ "name": "numcodecs.fletcher32" })
    );
}

#[test]
fn steps_know_their_lengths_and_operations() {
    let chain = chain(&json!([
        "crc32c",
        "numcodecs.fletcher32",
        "numcodecs.crc32"
    ]))
    .unwrap();
    let steps = serde_json::to_value(&chain.steps).unwrap();
    let lengths: Vec<_> = steps
        .as_array()
        .unwrap()
        .iter()
        .map(|step| (&step["kind"], &step["encodedByteLength"]))
        .collect();
    let (bytes, native) = (json!("bytes"), json!("native"));
    assert_eq!(
        lengths,
        [
            (&bytes, &json!(22)),
            (&bytes, &json!(18)),
            (&native, &json!(14))
        ]
    );
    assert_eq!(steps[0]["payloadByteLength"], 18);
    assert_eq!(steps[0]["overhead"], 4);
    assert_ne!(steps[0]["operation"], steps[1]["operation"]);
}

#[test]
fn invalid_configurations_are_rejected() {
    for (codec, message) in [
        (
            json!({ "name": "numcodecs.crc32", "configuration": { "location": "middle" } }),
            "codecs[1].configuration.location: expected \"start\" or \"end\", got \"middle\"",
        ),
        (
            json!({ "name": "numcodecs.adler32", "configuration": { "place": "end" } }),
            "codecs[1].configuration.place: unknown member; allowed: location",
        ),
        (
            json!({ "name": "numcodecs.fletcher32", "configuration": { "location": "end" } }),
            "codecs[1].configuration.location: unknown member; none is allowed",
        ),
    ] {
        assert_eq!(chain(&json!([codec])).unwrap_err().to_string(), message);
    }
}

#[test]
fn every_operation_survives_its_number() {
    use zarr_codecs::codec::bytes_to_bytes::Operation;
    for (codecs, _) in written() {
        for step in chain(&codecs).unwrap().steps {
            if let zarr_codecs::chain::Step::Bytes(step) = step {
                let number = step.operation.to_number();
                assert_eq!(Operation::from_number(number), step.operation);
            }
        }
    }
}
