//! The codec `sharding_indexed`: errors in its metadata, and entries of an index.

use crate::{json as to_json, resolve};
use serde_json::{Value, json};
use std::ops::Range;
use zarr_codecs::{
    Error,
    chain::{CodecChain, External, Options},
    codec::{Kind, Location, array_to_bytes::sharding_indexed::Bounds},
    metadata::ChainMetadata,
};

fn sharding(configuration: Value) -> Value {
    json!({ "name": "sharding_indexed", "configuration": configuration })
}

fn index_codecs() -> Value {
    json!([{ "name": "bytes", "configuration": { "endian": "little" } }, "crc32c"])
}

/// Returns the metadata of shards of 4 x 6 bytes.
fn metadata(codecs: &Value) -> Value {
    json!({ "dataType": "uint8", "shape": [4, 6], "codecs": codecs, "fillValue": 0 })
}

fn message(codecs: &Value) -> String {
    resolve(metadata(codecs)).expect_err("rejected").to_string()
}

/// Returns a valid configuration with other members.
fn configuration(others: Value) -> Value {
    let mut configuration = json!({
        "chunk_shape": [2, 3],
        "codecs": ["bytes"],
        "index_codecs": index_codecs(),
    });
    for (name, value) in others.as_object().unwrap() {
        let members = configuration.as_object_mut().unwrap();
        match value {
            Value::Null => members.remove(name),
            value => members.insert(name.clone(), value.clone()),
        };
    }
    sharding(configuration)
}

#[test]
fn configurations_are_checked() {
    let at = "codecs[0].configuration";
    let place = "expected \"start\" or \"end\", got";
    for (others, expected) in [
        (
            json!({ "chunk_shape": null }),
            ".chunk_shape: expected the shape of a chunk (an array of integers), got nothing",
        ),
        (
            json!({ "chunk_shape": [2, 0] }),
            ".chunk_shape[1]: expected a positive integer, got 0",
        ),
        (
            json!({ "chunk_shape": [6] }),
            ".chunk_shape: expected 2 lengths, one for each dimension, got 1",
        ),
        (
            json!({ "chunk_shape": [2, 4] }),
            ".chunk_shape[1]: expected a divisor of 6, the length of the shard, got 4",
        ),
        (
            json!({ "chunk_shape": [8, 3] }),
            ".chunk_shape[0]: expected a divisor of 4, the length of the shard, got 8",
        ),
        (
            json!({ "codecs": null }),
            ".codecs: expected an array of codecs, got nothing",
        ),
        (
            json!({ "codecs": [] }),
            ".codecs: expected exactly one array-to-bytes codec, before all bytes-to-bytes codecs, got none",
        ),
        (
            json!({ "index_codecs": null }),
            ".index_codecs: expected an array of codecs, got nothing",
        ),
        (
            json!({ "index_codecs": ["bytes"] }),
            ".index_codecs[0].configuration.endian: expected \"little\" or \"big\" (required for the multi-byte data type uint64), got nothing",
        ),
        (
            json!({ "index_location": "front" }),
            &format!(".index_location: {place} \"front\""),
        ),
        (
            json!({ "index_location": 0 }),
            &format!(".index_location: {place} 0"),
        ),
        (
            json!({ "index_places": "end" }),
            ".index_places: unknown member; allowed: chunk_shape, codecs, index_codecs, index_location",
        ),
    ] {
        let codecs = json!([configuration(others)]);
        assert_eq!(message(&codecs), format!("{at}{expected}"));
    }
    let nested = configuration(json!({ "chunk_shape": [1, 3], "codecs": ["bytes", "gzip"] }));
    let codecs = json!([configuration(json!({ "codecs": [nested] }))]);
    let path = "codecs[0].configuration.codecs[0].configuration.codecs[1]: expected one of";
    assert!(message(&codecs).starts_with(path), "{}", message(&codecs));
    let codecs = json!(["sharding_indexed"]);
    assert!(message(&codecs).starts_with("codecs[0].configuration.chunk_shape: "));
}

#[test]
fn codecs_of_the_index_have_a_fixed_size() {
    let at = "codecs[0].configuration.index_codecs";
    for (codecs, path) in [
        (json!([index_codecs()[0], "gzip"]), "[1]"),
        (json!([configuration(json!({}))]), "[0].name"),
    ] {
        let codecs = json!([configuration(json!({ "index_codecs": codecs }))]);
        let expected = format!("{at}{path}: expected a codec of fixed size: one of \"transpose\"");
        assert!(
            message(&codecs).starts_with(&expected),
            "{}",
            message(&codecs)
        );
    }
}

#[test]
fn the_fill_value_is_required_and_checked() {
    for (fill_value, got) in [(json!(300), "300"), (json!("NaN"), "\"NaN\"")] {
        let mut metadata = metadata(&json!([configuration(json!({}))]));
        metadata["fillValue"] = fill_value;
        let expected = format!("fillValue: expected an integer from 0 to 255, got {got}");
        assert_eq!(
            resolve(metadata).expect_err("rejected").to_string(),
            expected
        );
    }
    let metadata = json!({
        "data_type": "uint8",
        "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": [4, 6] } },
        "codecs": [configuration(json!({}))],
    });
    let metadata = to_json(metadata);
    let parts = ChainMetadata::from_array(&metadata, None).unwrap();
    let error = CodecChain::resolve(&parts, &Options::default()).expect_err("rejected");
    let expected = "fill_value: expected an integer from 0 to 255, got nothing";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn small_integers_are_encoded_once() {
    let codecs = json!([configuration(json!({ "chunk_shape": [2, 1] }))]);
    let metadata =
        json!({ "dataType": "int4", "shape": [2, 2], "codecs": codecs, "fillValue": -1 });
    let chain = resolve(metadata).unwrap();
    let bytes = |elements: [i8; 4]| elements.map(|element| element as u8);
    let encoded = chain.encode(&bytes([-1, -8, -1, 7])).unwrap();
    assert_eq!(encoded[..2], [0x08, 0x07]);
    assert_eq!(encoded.len(), 2 + 2 * 16 + 4);
    assert_eq!(chain.decode(&encoded).unwrap(), bytes([-1, -8, -1, 7]));
    let error = chain.encode(&bytes([-1, -8, 8, 7])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "element 2 is 8, expected an integer from -8 to 7"
    );
}

#[test]
fn array_to_array_codecs_of_others_may_not_stand_before_it() {
    let metadata = to_json(metadata(&json!(["other", configuration(json!({}))])));
    let options = Options {
        loads: true,
        external: vec![External {
            path: "codecs[0]",
            kind: Kind::ArrayToArray,
            encoded: None,
        }],
        ..Options::default()
    };
    let parts = ChainMetadata::from_parts(&metadata).unwrap();
    let error = CodecChain::resolve(&parts, &options).expect_err("rejected");
    let expected = "codecs[1]: expected no array-to-array codec of others before it, got one";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn entries_are_compared_with_the_shard() {
    const MISSING: u64 = u64::MAX;
    let at_end = Bounds::new(Location::End, 68, Some(168), Some(10));
    let at_start = Bounds::new(Location::Start, 68, Some(168), None);
    let unknown = Bounds::new(Location::End, 68, None, None);
    for (bounds, entry, place) in [
        (&at_end, [MISSING; 2], None),
        (&at_end, [0, 10], Some(0..10)),
        (&at_end, [90, 10], Some(90..100)),
        (&at_start, [68, 100], Some(68..168)),
        (&at_start, [168, 0], Some(168..168)),
        (&unknown, [1 << 52, 7], Some(1 << 52..(1 << 52) + 7)),
    ] {
        assert_eq!(bounds.place(3, entry, || vec![2, 2]), Ok(place));
    }
    let beyond = ", beyond its end (168 bytes)";
    let half = ": only one of the two says that it is missing";
    for (bounds, entry, problem, wrong) in [
        (&at_end, [0, 11], ", expected length 10", 11),
        (&at_end, [0, 9], ", expected length 10", 9),
        (&at_end, [0, 0], ", expected length 10", 0),
        (
            &at_end,
            [91, 10],
            ", overlaps the index at bytes 100 to 167",
            91,
        ),
        (
            &at_end,
            [100, 10],
            ", overlaps the index at bytes 100 to 167",
            100,
        ),
        (&at_end, [159, 10], beyond, 159),
        (&at_end, [MISSING, 10], half, MISSING),
        (&at_end, [0, MISSING], half, 0),
        (&at_end, [MISSING - 1, 10], beyond, MISSING - 1),
        (&at_end, [10, MISSING - 1], beyond, 10),
        (
            &at_start,
            [67, 1],
            ", overlaps the index at bytes 0 to 67",
            67,
        ),
        (
            &at_start,
            [0, 168],
            ", overlaps the index at bytes 0 to 67",
            0,
        ),
        (&at_start, [69, 100], beyond, 69),
        (
            &unknown,
            [1 << 53, 1],
            ", beyond its end (9007199254740992 bytes)",
            1 << 53,
        ),
    ] {
        let [offset, length] = entry;
        let error = bounds.place(3, entry, || vec![2, 2]).expect_err(problem);
        let start = match problem {
            _ if problem == beyond || problem.contains("100 to 167") => "does not fit the shard",
            _ if problem.contains("beyond") => "does not fit the shard",
            _ => "is inconsistent",
        };
        let expected = format!(
            "shard index {start}: inner chunk (1, 1) at offset {offset} of the shard, length {length}{problem}"
        );
        assert_eq!(error.to_string(), expected);
        let (index, value) = (3, wrong as f64);
        let is_same = matches!(&error, Error::InvalidEntry { index: i, value: v, .. } if (*i, *v) == (index, value));
        assert!(is_same, "{error:?}");
    }
}

/// Returns a chain of two shards in a shard, each of an inner chunk of one byte, and a shard with this index.
fn shard_of_shards(entries: &[[u64; 2]; 2]) -> (CodecChain, Vec<u8>) {
    let index_codecs = json!([{ "name": "bytes", "configuration": { "endian": "little" } }]);
    let of = |length, codecs| {
        json!([sharding(json!({
            "chunk_shape": [length], "codecs": codecs, "index_codecs": index_codecs, "index_location": "start"
        }))])
    };
    let codecs = of(1, of(1, json!(["bytes"])));
    let metadata = json!({ "dataType": "uint8", "shape": [2], "codecs": codecs, "fillValue": 0 });
    let chain = resolve(metadata).unwrap();
    let mut shard = chain.encode(&[7, 8]).unwrap();
    for (bytes, number) in shard.chunks_mut(8).zip(entries.as_flattened()) {
        bytes.copy_from_slice(&number.to_le_bytes());
    }
    (chain, shard)
}

#[test]
fn places_of_inner_chunks_do_not_overlap() {
    let read = |entries| {
        let (chain, shard) = shard_of_shards(&entries);
        (
            chain.shard().unwrap().read_index(&shard),
            chain.decode(&shard),
        )
    };
    let places = |places: [Range<u64>; 2]| Ok(places.map(Some).to_vec());
    let (read_places, decoded) = read([[32, 17], [49, 17]]);
    assert_eq!(
        (read_places, decoded),
        (places([32..49, 49..66]), Ok(vec![7, 8]))
    );
    assert_eq!(
        read([[49, 17], [32, 17]]),
        (places([49..66, 32..49]), Ok(vec![8, 7]))
    );
    for (entries, last) in [([[32, 18], [49, 17]], 49), ([[40, 2], [40, 1]], 41)] {
        let [_, [offset, length]] = entries;
        let expected = format!(
            "shard index is inconsistent: inner chunk (1) at bytes {offset} to {} of the shard overlaps inner chunk (0) at bytes {} to {last}",
            offset + length - 1,
            entries[0][0]
        );
        let (error, decoded) = read(entries);
        let error = error.expect_err("an overlap");
        assert_eq!(error.to_string(), expected);
        assert_eq!(decoded, Err(error));
    }
    // An empty place has no byte in common with others. It is too short for an inner chunk.
    let (read_places, decoded) = read([[32, 17], [40, 0]]);
    assert_eq!(read_places, places([32..49, 40..40]));
    let message = decoded.expect_err("too short").to_string();
    assert_eq!(
        message,
        "encoded chunk is 0 bytes, expected 16 (at least the shard index)"
    );
}
