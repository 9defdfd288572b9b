//! What the module calls for chunks in pieces and for casts that move elements, against what it calls for whole ones.

use crate::resolve_with;
use serde_json::{Value, json};
use zarr_codecs::{
    Error,
    chain::{CodecChain, Options},
    codec::bytes_to_bytes::{Operation, shuffle::Shuffle},
    kernel::{
        Cast, Check, ChunkStream, Conversion, Permutation,
        crc32c::{self, History},
        digest::{Algorithm, Digest},
        records,
        small_float::{Format, Specials},
        small_int::SmallInt,
        window::Window,
    },
    stream,
};

fn noise(length: usize) -> Vec<u8> {
    (0..length as u32)
        .map(|i| (i.wrapping_mul(0x9e37_79b1) >> 13) as u8)
        .collect()
}

fn swapping(check: Check, swap: u8) -> Conversion {
    Conversion {
        check,
        swap,
        ..Conversion::IDENTITY
    }
}

#[test]
fn pieces_of_a_chunk_are_decoded_as_the_whole() {
    let mut history = History::new();
    for (check, swap, is_swapped) in [
        (Check::Nothing, 1, None),
        (Check::Nothing, 2, Some(2)),
        (Check::Nothing, 8, Some(8)),
        (Check::Bool, 1, None),
    ] {
        let conversion = swapping(check, swap);
        assert_eq!(conversion.only_swaps(), is_swapped);
        let mut payload = noise(3 * 4096 + 16);
        if check == Check::Bool {
            payload.iter_mut().for_each(|byte| *byte &= 1);
            payload[5000] = 9;
        }
        let mut expected = vec![0; payload.len()];
        conversion.decode(&payload, &mut expected);
        for checksum_count in [0, 1] {
            let mut stream = ChunkStream::new(conversion, checksum_count);
            let mut decoded = vec![0; payload.len()];
            let pieces = payload.chunks(4096).zip(decoded.chunks_mut(4096));
            for (at, (piece, target)) in pieces.enumerate() {
                stream.decode(&mut history, piece, target, at == 3);
            }
            assert_eq!(decoded, expected);
            let checksum = crc32c::update(0, &payload).to_le_bytes();
            let stored = &checksum[..4 * checksum_count];
            let invalid = stream.verify(stored).unwrap().map(|element| element.index);
            assert_eq!(invalid, (check == Check::Bool).then_some(5000));
        }
        let mut stream = ChunkStream::new(conversion, 1);
        stream.decode(&mut history, &payload, &mut expected, true);
        let mismatch = stream.verify(&[0; 4]).unwrap_err();
        assert_eq!(mismatch.byte_length, payload.len() as u64);
    }
    let cast = Conversion {
        cast: Cast::Float16ToFloat32,
        ..swapping(Check::Nothing, 2)
    };
    assert_eq!(cast.only_swaps(), None);
}

#[test]
fn pieces_have_the_checksum_of_the_whole() {
    let bytes = noise(3 * 8192 + 7);
    let mut history = History::new();
    for algorithm in [
        Algorithm::Crc32c,
        Algorithm::Crc32,
        Algorithm::Adler32,
        Algorithm::Xxh64,
    ] {
        let (mut pieces, mut whole) = (Digest::new(algorithm), Digest::new(algorithm));
        for (at, piece) in bytes.chunks(8192).enumerate() {
            pieces.update_with(&mut history, piece, at == 3);
        }
        whole.update(&bytes);
        assert_eq!(pieces.finish(), whole.finish());
        assert_ne!(pieces.finish(), Digest::new(algorithm).finish());
    }
}

#[test]
fn fields_are_gathered() {
    let all: Vec<u8> = (0..60).collect();
    for (record, offset, size) in [(12, 3, 4), (5, 0, 1), (60, 7, 3), (4, 0, 4)] {
        let expected: Vec<u8> = all
            .chunks(record)
            .flat_map(|record| &record[offset..][..size])
            .copied()
            .collect();
        let mut target = vec![0; expected.len()];
        records::gather(record, offset, size, &all, &mut target);
        assert_eq!(target, expected);
    }
    // In pieces, and of elements that are longer than the window.
    let window = &mut Box::new(Window::new());
    let all = noise(3 * 262_145 * 7);
    for (record, offset, size) in [(7, 3, 4), (262_145 * 7, 262_143, 5)] {
        let records = all.chunks(record);
        let expected: Vec<u8> = records
            .flat_map(|record| &record[offset..][..size])
            .copied()
            .collect();
        let mut target = vec![0; expected.len()];
        let [record, offset, size] = [record, offset, size].map(|n| n as u32);
        stream::gather(window, &all[..], record, offset, size, &mut target[..]);
        assert!(target == expected, "{record}");
    }
}

#[test]
fn small_integers_have_a_range() {
    let range = |bits, signed| SmallInt { bits, signed }.range();
    assert_eq!(range(4, true), (-8.0, 7.0));
    assert_eq!(range(4, false), (0.0, 15.0));
    assert_eq!(range(2, true), (-2.0, 1.0));
    assert_eq!(range(2, false), (0.0, 3.0));
}

#[test]
fn an_index_is_followed_through_several_permutations() {
    let first = Permutation::new(1, &[4, 3, 2], &[2, 1, 0]);
    let second = Permutation::new(1, &[8, 3], &[1, 0]);
    let mut words = Vec::new();
    first.push_words(&mut words);
    second.push_words(&mut words);
    for index in 0..24 {
        let expected = second.target_index(first.target_index(index));
        assert_eq!(Permutation::index_after(&words, index), expected);
        assert_eq!(Permutation::index_after(&[], index), index);
    }
}

#[test]
fn permutations_keep_all_dimensions_that_move_by_themselves() {
    const MOST: usize = 32;
    let order: Vec<u8> = (0..MOST as u8).rev().collect();
    let permutation = Permutation::new(1, &[2; MOST], &order);
    assert_eq!(permutation.lengths(), [2; MOST]);
    assert_eq!(permutation.order(), order);
}

#[test]
fn the_length_of_an_array_is_in_bytes() {
    let permutation = Permutation::new(4, &[2, 3], &[1, 0]);
    assert_eq!(permutation.byte_length(), 24);
    assert_eq!(permutation.widened(2).byte_length(), 48);
}

#[test]
fn conversions_survive_their_number() {
    let floats = [
        (8, 0, 127, Specials::Nan),
        (5, 2, 15, Specials::InfinityAndNan),
        (4, 3, 7, Specials::Nan),
        (4, 3, 8, Specials::NanForNegativeZero),
        (3, 2, 3, Specials::Nothing),
    ];
    let floats = floats.map(|(exponent, mantissa, bias, specials)| {
        Cast::SmallFloatToFloat32(Format {
            exponent,
            mantissa,
            bias,
            specials,
        })
    });
    let ints = [(2, true), (2, false), (4, true), (4, false)];
    let ints = ints.map(|(bits, signed)| Cast::SmallInt(SmallInt { bits, signed }));
    let casts = [
        Cast::Nothing,
        Cast::AnyToBool,
        Cast::Float16ToFloat32,
        Cast::Bfloat16ToFloat32,
    ];
    let checks = [
        Check::Nothing,
        Check::Bool,
        Check::Unfit,
        Check::UnfitComplex,
    ];
    for cast in casts.into_iter().chain(floats).chain(ints) {
        for check in checks {
            for swap in [1, 2, 4, 8] {
                let conversion = Conversion { check, swap, cast };
                let number = conversion.to_number();
                assert_eq!(Conversion::from_number(number), conversion);
            }
        }
    }
}

#[test]
fn elements_that_are_cast_move_to_the_same_places() {
    let order =
        |order: &[usize]| json!({ "name": "transpose", "configuration": { "order": order } });
    let reshape = json!({ "name": "reshape", "configuration": { "shape": [64, 45] } });
    for moves in [
        vec![order(&[1, 0])],
        // Two permutations in turn.
        vec![order(&[1, 0]), reshape, order(&[1, 0])],
    ] {
        for endian in ["little", "big"] {
            let chain = |array: &str| {
                let mut codecs = moves.clone();
                codecs.push(json!({ "name": "bytes", "configuration": { "endian": endian } }));
                let metadata: Value =
                    json!({ "dataType": "float16", "shape": [48, 60], "codecs": codecs });
                let options = Options {
                    array: Some(array.into()),
                    ..Options::default()
                };
                resolve_with(metadata, &options).unwrap()
            };
            let (bits, float32) = (chain("bits"), chain("float32"));
            let elements: Vec<u16> = (0..2880).map(|i| i * 11).collect();
            let halves: Vec<u8> = elements
                .iter()
                .copied()
                .flat_map(u16::to_ne_bytes)
                .collect();
            let singles: Vec<u8> = elements
                .iter()
                .flat_map(|&bits| half::f16::from_bits(bits).to_f32().to_ne_bytes())
                .collect();
            let payload = bits.encode(&halves).unwrap();
            assert_eq!(bits.decode(&payload).unwrap(), halves);
            assert_eq!(float32.decode(&payload).unwrap(), singles);
            assert_eq!(float32.encode(&singles).unwrap(), payload);
        }
    }
}

#[test]
fn elements_that_do_not_fit_have_their_index_in_all_pieces() {
    let check = |data_type: &str| {
        let metadata = json!({ "dataType": data_type, "shape": [20], "codecs": ["bytes"] });
        let chain = resolve_with(metadata, &Options::default()).unwrap();
        chain.array_step().forms[0].array_check
    };
    assert_eq!(check("float8_e5m2"), None, "all numbers fit");
    let check = check("float4_e2m1fn").expect("NaN does not fit");
    let mut singles = [1.0_f32; 20];
    singles[17] = f32::NAN;
    let bytes = singles.map(f32::to_ne_bytes);
    let mut stream = ChunkStream::new(check, 0);
    stream.update(bytes[..10].as_flattened());
    stream.update(bytes[10..].as_flattened());
    assert_eq!(stream.append(&mut []).unwrap_err().index, 17);
}

#[test]
fn payloads_of_nan_are_kept_or_quiet() {
    let metadata = json!({ "dataType": "float8_e5m2", "shape": [3], "codecs": ["bytes"] });
    let chain = resolve_with(metadata, &Options::default()).unwrap();
    // The upper two bits of the payload, which are 1, 2 and 0.
    let singles = [0x7fa0_0000_u32, 0x7fc0_0000, 0xff80_0001].map(u32::to_ne_bytes);
    let encoded = chain.encode(singles.as_flattened());
    assert_eq!(encoded, Ok(vec![0x7d, 0x7e, 0xfe]));
}

#[test]
fn the_codecs_of_a_chain_are_serialized_as_metadata() {
    // Numbers as JavaScript has them.
    let shape = json!([-1.0, [1.0], 2.0]);
    let reshape = json!({ "name": "reshape", "configuration": { "shape": shape } });
    let metadata = json!({ "dataType": "uint8", "shape": [4, 3, 2], "codecs": [reshape, "bytes"] });
    let chain = resolve_with(metadata, &Options::default()).unwrap();
    assert_eq!(serde_json::to_value(&chain.codecs[0]).unwrap(), reshape);
}

#[test]
fn shuffles_survive_their_number() {
    for size in [1, 2, 300, 0xff_ffff] {
        let operation = Operation::from(Shuffle { element_size: size });
        assert_eq!(Operation::from_number(operation.to_number()), operation);
        assert_eq!(operation.to_number() & 0xff, 1);
    }
}

/// The number of elements of chunks that take several pieces, none of them as long as another.
const MANY: usize = 3 * 262_144 / 2 + 12_345;

/// Resolves a chain of many elements.
fn many(data_type: Value, codecs: Value, options: &Options) -> CodecChain {
    let metadata = json!({ "dataType": data_type, "shape": [MANY], "codecs": codecs });
    resolve_with(metadata, options).unwrap()
}

fn big_endian() -> Value {
    json!({ "name": "bytes", "configuration": { "endian": "big" } })
}

#[test]
fn long_chunks_are_cast() {
    let options = Options {
        array: Some("float32".into()),
        ..Options::default()
    };
    let chain = many(json!("float16"), json!([big_endian(), "crc32c"]), &options);
    let numbers: Vec<half::f16> = (0..MANY as u32)
        .map(|i| half::f16::from_bits((i.wrapping_mul(40_503) % 0x7c00) as u16))
        .collect();
    let mut encoded: Vec<u8> = numbers.iter().flat_map(|n| n.to_be_bytes()).collect();
    encoded.extend(::crc32c::crc32c(&encoded).to_le_bytes());
    let decoded: Vec<u8> = numbers
        .iter()
        .flat_map(|n| n.to_f32().to_ne_bytes())
        .collect();
    assert!(chain.decode(&encoded).unwrap() == decoded);
    assert!(chain.encode(&decoded).unwrap() == encoded);
    for at in [0, 262_143, 400_000, encoded.len() - 1] {
        encoded[at] ^= 1;
        assert!(
            matches!(chain.decode(&encoded), Err(Error::ChecksumMismatch { .. })),
            "{at}"
        );
        encoded[at] ^= 1;
    }
}

#[test]
fn long_chunks_are_transposed_in_blocks() {
    const SHAPE: [usize; 3] = [67, 301, 23];
    let options = Options {
        array: Some("float32".into()),
        ..Options::default()
    };
    let order = json!({ "name": "transpose", "configuration": { "order": [2, 0, 1] } });
    let metadata = json!({
        "dataType": "float16",
        "shape": SHAPE,
        "codecs": [order, big_endian(), "crc32c"],
    });
    let chain = resolve_with(metadata, &options).unwrap();
    let [a, b, c] = SHAPE;
    let number = |i: usize| half::f16::from_bits((i * 40_503 % 0x7c00) as u16);
    let decoded: Vec<u8> = (0..a * b * c)
        .flat_map(|i| number(i).to_f32().to_ne_bytes())
        .collect();
    let mut encoded = Vec::new();
    for k in 0..c {
        for ij in 0..a * b {
            encoded.extend(number(ij * c + k).to_be_bytes());
        }
    }
    encoded.extend(::crc32c::crc32c(&encoded).to_le_bytes());
    assert!(chain.decode(&encoded).unwrap() == decoded);
    assert!(chain.encode(&decoded).unwrap() == encoded);
}

#[test]
fn fields_of_long_chunks_are_swapped() {
    let fields =
        json!([{ "name": "a", "data_type": "uint16" }, { "name": "b", "data_type": "uint8" }]);
    let data_type = json!({ "name": "struct", "configuration": { "fields": fields } });
    let chain = many(data_type, json!([big_endian()]), &Options::default());
    let encoded = noise(3 * MANY);
    let mut decoded = encoded.clone();
    decoded
        .chunks_mut(3)
        .for_each(|element| element[..2].reverse());
    assert!(chain.decode(&encoded).unwrap() == decoded);
    assert!(chain.encode(&decoded).unwrap() == encoded);
}

#[test]
fn invalid_elements_of_long_chunks_have_their_index() {
    let chain = many(json!("bool"), json!(["bytes"]), &Options::default());
    for at in [0, 262_143, 262_144, MANY - 1] {
        let mut encoded = vec![1; MANY];
        encoded[at] = 7;
        let error = chain.decode(&encoded).unwrap_err();
        let index = match error {
            Error::InvalidElement {
                index, value: 7.0, ..
            } => index,
            other => panic!("{other}"),
        };
        assert_eq!(index, at as u64);
    }
}

#[test]
fn checksums_of_numcodecs_move_long_chunks() {
    for location in ["start", "end"] {
        let codec = json!({ "name": "numcodecs.crc32", "configuration": { "location": location } });
        let chain = many(json!("uint8"), json!(["bytes", codec]), &Options::default());
        let decoded = noise(MANY);
        let checksum = crc32fast::hash(&decoded).to_le_bytes();
        let encoded = match location {
            "start" => [&checksum, &decoded[..]].concat(),
            _ => [&decoded[..], &checksum].concat(),
        };
        assert!(chain.encode(&decoded).unwrap() == encoded);
        assert!(chain.decode(&encoded).unwrap() == decoded);
    }
}

#[test]
fn long_chunks_are_shuffled() {
    let codec = json!({ "name": "numcodecs.shuffle", "configuration": { "elementsize": 5 } });
    let chain = many(json!("uint8"), json!(["bytes", codec]), &Options::default());
    let decoded = noise(MANY);
    let elements = MANY / 5;
    let mut encoded: Vec<u8> = (0..5)
        .flat_map(|byte| (0..elements).map(move |i| 5 * i + byte))
        .map(|at| decoded[at])
        .collect();
    encoded.extend(&decoded[5 * elements..]);
    assert!(chain.encode(&decoded).unwrap() == encoded);
    assert!(chain.decode(&encoded).unwrap() == decoded);
}
