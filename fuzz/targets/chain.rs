//! Resolve, encode, decode, encode: the same array and the same bytes; and decode what is damaged.

use super::{Choices, resolve};
use serde_json::{Value, json};
use zarr_codecs::{Error, chain::Options};

pub fn chain(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let (data_type, size) = choices.one_of(&[
        ("uint8", 1),
        ("int16", 2),
        ("float16", 2),
        ("float32", 4),
        ("float64", 8),
        ("complex64", 8),
        ("complex128", 16),
        ("r24", 3),
        ("bool", 1),
    ]);
    let mut shape: Vec<usize> = (0..choices.below(4))
        .map(|_| 1 + choices.below(9))
        .collect();
    // Longer than the window, in pieces or in blocks.
    match choices.byte() {
        0 => shape = vec![1 + choices.below(65_536)],
        1 => shape = vec![1 + choices.below(256), 1 + choices.below(256), 3],
        _ => {}
    }
    let (codecs, checksums) = codecs(&mut choices, shape.len());
    let options = Options {
        array: Some("bits".into()),
        ..Options::default()
    };
    let metadata = json!({ "dataType": data_type, "shape": shape, "codecs": codecs });
    let chain = resolve(metadata, &options).expect("valid metadata");

    let mut decoded = choices.fill(shape.iter().product::<usize>() * size);
    if data_type == "bool" {
        decoded.iter_mut().for_each(|byte| *byte &= 1);
    }
    let encoded = chain.encode(&decoded).expect("a valid array");
    assert_eq!(chain.decode(&encoded).as_ref(), Ok(&decoded));

    let mut damaged = encoded.clone();
    let at = choices.below(damaged.len().min(65_536));
    damaged[at] ^= 1 + choices.byte() % 255;
    match chain.decode(&damaged) {
        Ok(other) => {
            assert!(
                checksums == 0,
                "damage at {at} of {} bytes is not noticed",
                damaged.len()
            );
            assert_eq!(chain.encode(&other).as_ref(), Ok(&damaged));
        }
        Err(Error::ChecksumMismatch {
            stored, computed, ..
        }) => assert_ne!(stored, computed),
        Err(Error::InvalidElement { index, value, .. }) => {
            assert!(checksums == 0 && value > 1.0 && index < decoded.len() as u64);
        }
        Err(other) => panic!("{other}"),
    }
    damaged.truncate(at);
    match chain.decode(&damaged) {
        Err(Error::ChunkLength { .. }) => {}
        // Of a codec that does not know the length.
        Err(Error::ChecksumMismatch { .. }) => assert!(checksums > 0),
        other => panic!("{at} bytes: {other:?}"),
    }
}

/// Chooses codecs, and returns how many of them have a checksum.
fn codecs(choices: &mut Choices, rank: usize) -> (Vec<Value>, usize) {
    let mut codecs = Vec::new();
    for _ in 0..choices.below(3) {
        let mut order: Vec<usize> = (0..rank).collect();
        for i in 1..rank {
            order.swap(i, choices.below(i + 1));
        }
        codecs.push(json!({ "name": "transpose", "configuration": { "order": order } }));
    }
    let endian = choices.one_of(&["little", "big"]);
    codecs.push(json!({ "name": "bytes", "configuration": { "endian": endian } }));
    let count = choices.below(4);
    let mut checksums = 0;
    for _ in 0..count {
        let name = choices.one_of(&[
            "crc32c",
            "numcodecs.crc32c",
            "numcodecs.crc32",
            "numcodecs.adler32",
            "numcodecs.shuffle",
        ]);
        codecs.push(match name {
            "crc32c" => json!({ "name": name }),
            "numcodecs.shuffle" => json!({ "name": name, "configuration": { "elementsize": 1 + choices.byte() % 16 } }),
            _ => json!({ "name": name, "configuration": { "location": choices.one_of(&["start", "end"]) } }),
        });
        checksums += usize::from(name != "numcodecs.shuffle");
    }
    (codecs, checksums)
}
