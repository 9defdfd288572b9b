//! Damaged chunks: which bytes of each structure can be damaged without notice, and which error the others are.

use super::{Chunk, check, chunk};
use std::collections::{BTreeMap, BTreeSet};
use zarr_codecs::Error;

/// Returns the chunks but those of lz4, of which only the length is known before they are decoded.
fn chunks() -> Vec<Chunk> {
    let mut chunks = super::chunks();
    chunks.retain(|chunk| !chunk.codec.ends_with("lz4"));
    chunks
}

/// Damages each byte of a range in every way, and returns how often each error followed, by byte. `""` is none.
fn damage_all(
    name: &str,
    range: std::ops::Range<usize>,
) -> BTreeMap<usize, BTreeSet<&'static str>> {
    let chunk = chunk(name);
    let mut found = BTreeMap::new();
    for at in range {
        let outcomes: &mut BTreeSet<_> = found.entry(at).or_default();
        for mask in 1..=255 {
            let mut encoded = chunk.encoded.clone();
            encoded[at] ^= mask;
            outcomes.insert(class(check(&chunk.codec, &encoded, &chunk.decoded)));
        }
    }
    found
}

fn class(outcome: Result<(), Error>) -> &'static str {
    match outcome {
        Ok(()) => "",
        Err(Error::ExternalCodec { .. }) => "codec",
        Err(Error::ChunkLength { .. }) => "length",
        Err(Error::ChecksumMismatch { .. }) => "checksum",
        Err(other) => panic!("{other}"),
    }
}

/// Checks the outcomes of damage to consecutive ranges of bytes.
fn assert_outcomes(name: &str, expected: &[(std::ops::Range<usize>, &[&str])]) {
    for (range, outcomes) in expected {
        let outcomes = outcomes.iter().copied().collect();
        for (at, found) in damage_all(name, range.clone()) {
            assert_eq!(found, outcomes, "{name}, byte {at}");
        }
    }
}

#[test]
fn blosc_headers() {
    // Blocks of two streams each, but the last; blocks of one stream.
    for (name, starts, type_size) in [
        ("blosc lz4 several blocks", 16..28, &["codec"][..]),
        // The size of elements may be any that divides that of blocks.
        ("blosc zstd shuffle 2", 16..36, &["", "codec"]),
    ] {
        let first = starts.end..starts.end + 4;
        assert_outcomes(
            name,
            &[
                (0..2, &["codec"]),     // Both versions.
                (2..3, &["", "codec"]), // The flags.
                (3..4, type_size),
                (10..16, &["codec"]), // The size of blocks, unless as many remain; the encoded length.
                (starts, &["codec"]),
                (first, &["codec"]), // The length of the first stream.
            ],
        );
        for (at, found) in damage_all(name, 4..8) {
            assert!(!found.contains(""), "{name}, decoded length, byte {at}");
        }
    }
}

#[test]
fn flags_of_blosc_are_noticed_but_for_the_shuffle() {
    for (name, expected) in [
        // Byte shuffle removed, or replaced by bit shuffle; the same with another inner codec, if it is one of whose
        // streams nothing is known.
        ("blosc lz4 several blocks", &[0, 32, 96][..]),
        ("blosc zlib several blocks", &[0, 32, 64, 96]),
        ("blosc zstd shuffle 1", &[0, 128, 160, 192]),
    ] {
        let chunk = chunk(name);
        let is_unnoticed = |mask: &u8| {
            let mut encoded = chunk.encoded.clone();
            encoded[2] ^= mask;
            check("blosc", &encoded, &chunk.decoded).is_ok()
        };
        let unnoticed: Vec<_> = (0..=255).filter(is_unnoticed).collect();
        let with_shuffles = |inner: &u8| [*inner, inner | 1, inner | 5];
        let expected: Vec<_> = expected.iter().flat_map(with_shuffles).collect();
        assert_eq!(unnoticed, expected, "{name}");
    }
}

#[test]
fn every_stream_of_blosc_is_found() {
    let encoded = chunk("blosc lz4 several blocks").encoded;
    let number = |at: usize| u32::from_le_bytes(encoded[at..at + 4].try_into().unwrap()) as usize;
    for (block, streams) in [2, 2, 1].into_iter().enumerate() {
        let mut at = number(16 + 4 * block);
        for _ in 0..streams {
            assert_outcomes("blosc lz4 several blocks", &[(at..at + 4, &["codec"])]);
            at += 4 + number(at);
        }
    }
    // The headers of the first inner stream.
    assert_outcomes("blosc zstd shuffle 1", &[(40..44, &["codec"])]);
    assert_outcomes("blosc zlib several blocks", &[(32..33, &["codec"])]);
}

#[test]
fn zstd_frames() {
    assert_outcomes(
        "zstd level 3, checksum",
        &[
            (0..4, &["codec"]),  // The magic number.
            (5..6, &["length"]), // The content size.
        ],
    );
    let encoded = chunk("zstd level 3, checksum").encoded;
    let end = encoded.len();
    assert_outcomes("zstd level 3, checksum", &[(end - 4..end, &["checksum"])]);
    // The descriptor, unless only its unused bit is set.
    let outcomes = damage_all("zstd level 3, checksum", 4..5);
    assert_eq!(outcomes[&4], ["", "codec"].into());
    // The header of the only block, unless a stored block is taken for a compressed one of the same size.
    assert!(
        !damage_all("zstd level 3", 7..10)
            .values()
            .all(|found| found.contains(""))
    );
}

#[test]
fn gzip_headers_and_trailers() {
    let end = chunk("gzip level 9").encoded.len();
    assert_outcomes(
        "gzip level 9",
        &[
            (0..3, &["codec"]), // The magic number and the method.
            (4..10, &[""]),     // Time and system, which mean nothing here.
            (end - 8..end - 4, &["checksum"]),
            (end - 4..end, &["codec"]), // The length, which the decoded bytes contradict.
        ],
    );
    // A header with a checksum: damage to any byte of it is noticed.
    assert_outcomes(
        "numcodecs.gzip every field",
        &[(0..3, &["codec"]), (4..32, &["codec"])],
    );
}

#[test]
fn zlib_headers_and_trailers() {
    let end = chunk("zlib level 9").encoded.len();
    assert_outcomes("zlib level 9", &[(end - 4..end, &["checksum"])]);
    // The first byte is checked by the second; of the second, only the level may differ.
    let outcomes = damage_all("zlib level 9", 0..2);
    assert_eq!(outcomes[&0], ["codec"].into());
    assert_eq!(outcomes[&1], ["", "codec"].into());
}

#[test]
fn truncated_chunks_are_noticed() {
    for chunk in chunks() {
        // A prefix of these is a valid chunk of less content, or of the same.
        let has_parts = chunk.name.contains("frames") || chunk.name.contains("member");
        for length in (0..chunk.encoded.len()).filter(|_| !has_parts) {
            let outcome = check(&chunk.codec, &chunk.encoded[..length], &chunk.decoded);
            assert!(outcome.is_err(), "{}: {length} bytes", chunk.name);
        }
    }
}

/// Returns whether zeros at the end may be a trailer: that of an empty member of gzip.
fn ends_with_nothing(chunk: &Chunk) -> bool {
    chunk.decoded.is_empty() || chunk.name.contains("member")
}

#[test]
fn trailing_bytes_are_noticed() {
    for chunk in chunks().iter().filter(|chunk| !ends_with_nothing(chunk)) {
        for length in [1, 3, 4, 8, 30] {
            for byte in [0, 0x5a] {
                let mut encoded = chunk.encoded.clone();
                encoded.resize(encoded.len() + length, byte);
                let outcome = check(&chunk.codec, &encoded, &chunk.decoded);
                assert!(outcome.is_err(), "{}: {length} bytes {byte}", chunk.name);
            }
        }
    }
}

#[test]
fn chunks_of_zeros_are_noticed() {
    for chunk in chunks().iter().filter(|chunk| !ends_with_nothing(chunk)) {
        let zeros = vec![0; chunk.encoded.len()];
        let outcome = check(&chunk.codec, &zeros, &chunk.decoded);
        assert!(outcome.is_err(), "{}", chunk.name);
        // The second half.
        let mut encoded = chunk.encoded.clone();
        let half = encoded.len() / 2;
        encoded[half..].fill(0);
        if class(check(&chunk.codec, &encoded, &chunk.decoded)).is_empty() {
            let is_opaque = ["blosc", "zstd"]
                .iter()
                .any(|name| chunk.codec.ends_with(name));
            assert!(is_opaque, "{}", chunk.name);
        }
    }
}
