//! Indexes of shards: any bytes are an error, or places that share no byte with each other or the index.

use super::Choices;
use serde_json::Value;
use std::{ops::Range, sync::LazyLock};
use zarr_codecs::{
    Error,
    chain::{CodecChain, Options, Step},
    codec::{Location, array_to_bytes::sharding_indexed::ShardStep},
    kernel::{checksum, crc32c},
    metadata::ChainMetadata,
};

/// The chain of an array, and shards that others have written.
pub struct Layout {
    chain: CodecChain,
    pub shards: Vec<Vec<u8>>,
}

/// The layouts of the vectors that need no codecs of others.
pub static LAYOUTS: LazyLock<Vec<Layout>> = LazyLock::new(|| {
    let mut layouts: Vec<Layout> = Vec::new();
    for text in [
        include_str!("../../tests/vectors/shards/zarrs.json"),
        include_str!("../../tests/vectors/shards/zarr-python.json"),
    ] {
        let vectors: Value = serde_json::from_str(text).unwrap();
        for array in vectors["arrays"].as_array().unwrap() {
            let metadata = super::json(array["metadata"].clone());
            let metadata = ChainMetadata::from_array(&metadata, None).unwrap();
            let Ok(chain) = CodecChain::resolve(&metadata, &Options::default()) else {
                continue;
            };
            // Other codecs stand after it.
            if !matches!(chain.steps[0], Step::Shard(_)) {
                continue;
            }
            let chunks = array["chunks"].as_array().unwrap().iter();
            layouts.push(Layout {
                chain,
                shards: chunks.map(|chunk| hex(&chunk["encoded"])).collect(),
            });
        }
    }
    layouts
});

fn hex(text: &Value) -> Vec<u8> {
    let digits = text.as_str().unwrap().as_bytes().chunks(2);
    let digits = digits.map(|pair| std::str::from_utf8(pair).unwrap());
    digits
        .map(|pair| u8::from_str_radix(pair, 16).unwrap())
        .collect()
}

/// The first byte chooses a layout, the second whether the checksum of the index is made right. The others are the shard.
pub fn shards(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let layout = &LAYOUTS[choices.below(LAYOUTS.len())];
    let step = layout.chain.shard().expect("a shard");
    let is_summed = choices.bool();
    let mut shard = choices.0.to_vec();
    let length = shard.len();
    let index_length = step.index_byte_length as usize;
    if length < index_length {
        let read = step.read_index(&shard);
        assert!(matches!(read, Err(Error::ChunkLength { .. })), "{read:?}");
        return;
    }
    let index = match step.index_location {
        Location::Start => 0..index_length,
        Location::End => length - index_length..length,
    };
    if is_summed {
        sum(step, &mut shard[index.clone()]);
    }
    check(&layout.chain, step, &shard, index);
}

/// Replaces the checksums of an index.
fn sum(step: &ShardStep, index: &mut [u8]) {
    let size = checksum::CHECKSUM_SIZE * step.index.array_step().checksum_count;
    let (payload, checksums) = index.split_at_mut(index.len() - size);
    checksum::append(crc32c::update(0, payload), checksums);
}

fn check(chain: &CodecChain, step: &ShardStep, shard: &[u8], index: Range<usize>) {
    let read = step.read_index(shard);
    let decoded = chain.decode(shard);
    let entries = match step.index.decode(&shard[index.clone()]) {
        Ok(entries) => entries,
        Err(error) => {
            assert!(matches!(error, Error::ChecksumMismatch { .. }), "{error}");
            assert_eq!((read, decoded), (Err(error.clone()), Err(error)));
            return;
        }
    };
    match (expected_places(step, shard.len(), index, &entries), read) {
        (Ok(expected), Ok(places)) => {
            assert_eq!(expected, places);
            if let Ok(decoded) = decoded {
                let encoded = chain.encode(&decoded).expect("decoded before");
                assert_eq!(chain.decode(&encoded), Ok(decoded));
            }
        }
        (Err(expected), Err(error)) => {
            let is_it =
                matches!(error, Error::InvalidEntry { index, .. } if expected.contains(&index));
            assert!(is_it, "one of the entries {expected:?} is invalid: {error}");
            assert_eq!(decoded, Err(error));
        }
        (expected, read) => panic!("expected {expected:?}, got {read:?}"),
    }
}

type Places = Vec<Option<Range<u64>>>;

/// Paints each byte of the shard once, or returns the entries of which one is reported: the first that does not fit the shard
/// by itself, or else those that share a byte with one before them.
fn expected_places(
    step: &ShardStep,
    length: usize,
    index: Range<usize>,
    entries: &[u8],
) -> Result<Places, Vec<u64>> {
    let mut places = Vec::new();
    for (number, entry) in entries.as_chunks::<16>().0.iter().enumerate() {
        let [offset, size] = [0, 8].map(|at| {
            let bytes: [u8; 8] = entry[at..at + 8].try_into().unwrap();
            u64::from_ne_bytes(bytes)
        });
        if [offset, size] == [u64::MAX; 2] {
            places.push(None);
            continue;
        }
        let end = u128::from(offset) + u128::from(size);
        let is_length = |expected| expected == size;
        if end > length as u128
            || !step.encoded_chunk_byte_length.is_none_or(is_length)
            || (offset as usize..end as usize).any(|at| index.contains(&at))
        {
            return Err(vec![number as u64]);
        }
        places.push(Some(offset..end as u64));
    }
    let mut painted = vec![false; length];
    let mut overlapping = Vec::new();
    for (number, place) in places.iter().enumerate() {
        let Some(place) = place else {
            continue;
        };
        let bytes = &mut painted[place.start as usize..place.end as usize];
        if bytes.contains(&true) {
            overlapping.push(number as u64);
        }
        bytes.fill(true);
    }
    match overlapping.is_empty() {
        true => Ok(places),
        false => Err(overlapping),
    }
}
