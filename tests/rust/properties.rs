//! Properties of all chunks, checked against trivial implementations and the `crc32c` crate.

use crate::resolve;
use proptest::prelude::*;
use serde_json::{Value, json};
use zarr_codecs::{Error, kernel::crc32c};

const COMPONENTS: [(&str, usize); 6] = [
    ("int8", 1),
    ("uint16", 2),
    ("float32", 4),
    ("int64", 8),
    ("complex128", 8),
    ("r24", 1),
];

/// Truncates `bytes` to whole elements of the data type `name` and returns their number.
fn truncate_to_elements(name: &str, bytes: &mut Vec<u8>) -> usize {
    let size = match name {
        "complex128" => 16,
        "r24" => 3,
        _ => {
            COMPONENTS
                .iter()
                .find(|(other, _)| *other == name)
                .unwrap()
                .1
        }
    };
    bytes.truncate(bytes.len() / size * size);
    bytes.len() / size
}

proptest! {
    #[test]
    fn big_endian_chunks_are_reversed_components_and_checksums(
        kind in 0..COMPONENTS.len(),
        // At least one element, of 16 bytes at most.
        mut decoded in prop::collection::vec(any::<u8>(), 16..300_000),
        checksums in 0..3_usize,
    ) {
        let (name, component) = COMPONENTS[kind];
        let elements = truncate_to_elements(name, &mut decoded);
        let mut codecs = vec![json!({ "name": "bytes", "configuration": { "endian": "big" } })];
        codecs.resize(1 + checksums, json!("crc32c"));
        let chain = resolve(json!({ "dataType": name, "shape": [elements], "codecs": codecs })).unwrap();

        let mut expected = decoded.clone();
        if cfg!(target_endian = "little") {
            expected.chunks_mut(component).for_each(<[u8]>::reverse);
        }
        for _ in 0..checksums {
            let checksum = ::crc32c::crc32c(&expected);
            expected.extend(checksum.to_le_bytes());
        }
        prop_assert_eq!(&chain.encode(&decoded).unwrap(), &expected);
        prop_assert_eq!(chain.decode(&expected).unwrap(), decoded);
    }

    #[test]
    fn any_flipped_bit_is_detected(
        decoded in prop::collection::vec(any::<u8>(), 1..2000),
        at in any::<prop::sample::Index>(),
        bit in 0..8_u8,
    ) {
        let chain = resolve(json!({ "dataType": "uint8", "shape": [decoded.len()], "codecs": ["bytes", "crc32c"] })).unwrap();
        let mut encoded = chain.encode(&decoded).unwrap();
        let at = at.index(encoded.len());
        encoded[at] ^= 1_u8 << bit;
        let is_detected = matches!(chain.decode(&encoded), Err(Error::ChecksumMismatch { stored, computed, .. }) if stored != computed);
        prop_assert!(is_detected);
    }

    #[test]
    fn other_lengths_are_rejected(length in 0..40_u64) {
        prop_assume!(length != 20);
        let chain = resolve(json!({ "dataType": "int32", "shape": [2, 2], "codecs": [{ "name": "bytes", "configuration": { "endian": "big" } }, "crc32c"] })).unwrap();
        let error = chain.decode(&vec![0; length as usize]).unwrap_err();
        let plural = if length == 1 { "" } else { "s" };
        prop_assert_eq!(error.to_string(), format!("encoded chunk is {length} byte{plural}, expected 20 (2 x 2 elements x 4 bytes + 4 checksum)"));
    }

    #[test]
    fn checksums_of_parts_combine_to_that_of_the_whole(bytes in prop::collection::vec(any::<u8>(), 0..5000), at in any::<prop::sample::Index>()) {
        let (a, b) = bytes.split_at(at.index(bytes.len() + 1));
        let whole = ::crc32c::crc32c(&bytes);
        prop_assert_eq!(crc32c::table::update(crc32c::table::update(0, a), b), whole);
        prop_assert_eq!(crc32c::combine(crc32c::update(0, a), crc32c::update(0, b), b.len() as u64), whole);
    }

    #[test]
    fn the_first_invalid_bool_is_reported(length in 1..100_000_usize, at in any::<prop::sample::Index>(), value in 2..=255_u8) {
        let at = at.index(length);
        let mut elements = vec![1; length];
        elements[at..].fill(value);
        let chain = resolve(json!({ "dataType": "bool", "shape": [length], "codecs": ["bytes"] })).unwrap();
        let problem = format!("bool element {at} is {value}, expected 0 or 1");
        let expected = Error::InvalidElement { problem, index: at as u64, value: value.into() };
        prop_assert_eq!(chain.decode(&elements).unwrap_err(), expected.clone());
        prop_assert_eq!(chain.encode(&elements).unwrap_err(), expected);
    }
}

#[test]
fn expected_lengths_are_explained() {
    let of = |data_type: &str, shape: Value, checksums: usize| {
        let mut codecs = vec![json!({ "name": "bytes", "configuration": { "endian": "big" } })];
        codecs.resize(1 + checksums, json!("crc32c"));
        let metadata = json!({ "dataType": data_type, "shape": shape, "codecs": codecs });
        let error = resolve(metadata).unwrap().decode(&[0]).unwrap_err();
        error.to_string()
    };
    for (data_type, shape, checksums, arithmetic) in [
        ("int32", json!([]), 0, "4 (1 element x 4 bytes)"),
        ("int32", json!([1]), 0, "4 (1 element x 4 bytes)"),
        ("int32", json!([1, 2]), 0, "8 (1 x 2 elements x 4 bytes)"),
        ("uint8", json!([2, 3]), 0, "6 (2 x 3 elements x 1 byte)"),
        ("complex128", json!([2]), 0, "32 (2 elements x 16 bytes)"),
        (
            "int32",
            json!([3]),
            2,
            "20 (3 elements x 4 bytes + 2 x 4 checksums)",
        ),
        (
            "int32",
            json!([1, 1, 1, 1, 1, 1, 1, 2, 1]),
            0,
            "8 (1 x 1 x 1 x 1 x 1 x 1 x 1 x 2 x ... elements in 9 dimensions x 4 bytes)",
        ),
    ] {
        let expected = format!("encoded chunk is 1 byte, expected {arithmetic}");
        assert_eq!(of(data_type, shape, checksums), expected);
    }
}

#[test]
fn checksum_mismatches_take_precedence_over_invalid_elements() {
    let chain = resolve(json!({ "dataType": "bool", "shape": [4], "codecs": ["bytes", "crc32c"] }))
        .unwrap();
    let mut encoded = chain.encode(&[0, 1, 0, 1]).unwrap();
    encoded[0] = 2;
    assert!(matches!(
        chain.decode(&encoded),
        Err(Error::ChecksumMismatch { .. })
    ));
}
