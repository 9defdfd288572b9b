//! Damaged chunks: which bytes of each structure can be damaged without notice, and which error the others are.

use super::{check, chunk, chunks};
use std::collections::{BTreeMap, BTreeSet};
use zarr_codecs::Error;

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
        Err(Error::ExternalLength { .. }) => "length",
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
    // The size of elements, if it divides that of blocks and these are not split.
    let unsplit: &[&str] = &["", "codec"];
    for (name, type_size) in [
        ("blosc lz4 shuffle 1", &["codec"][..]),
        ("blosc zstd shuffle 2", unsplit),
    ] {
        assert_outcomes(
            name,
            &[
                (0..2, &["codec"]),     // Both versions.
                (2..3, &["", "codec"]), // The flags, but for the shuffle.
                (3..4, type_size),
                (4..8, &["length"]),  // The decoded length.
                (8..16, &["codec"]),  // The size of blocks, the encoded length.
                (16..36, &["codec"]), // The starts of five blocks.
                (36..40, &["codec"]), // The length of the first stream.
            ],
        );
    }
}

#[test]
fn blosc_flags_are_noticed_but_for_the_shuffle() {
    let chunk = chunk("blosc lz4 shuffle 1");
    let mut unnoticed = Vec::new();
    for mask in 1..=255_u8 {
        let mut encoded = chunk.encoded.clone();
        encoded[2] ^= mask;
        if check("blosc", &encoded, &chunk.decoded).is_ok() {
            unnoticed.push(mask);
        }
    }
    // Byte shuffle removed, replaced by bit shuffle; each of these with blosclz for lz4, which has no structure.
    assert_eq!(unnoticed, [1, 5, 32, 33, 37]);
}

#[test]
fn every_stream_of_blosc_is_found() {
    // The lengths of split streams: of each block's two streams, and the inner headers of zstd.
    let chunk = chunk("blosc lz4 shuffle 1");
    let start = |block: usize| {
        let at = 16 + 4 * block;
        u32::from_le_bytes(chunk.encoded[at..at + 4].try_into().unwrap()) as usize
    };
    for block in 0..5 {
        let at = start(block);
        assert_outcomes("blosc lz4 shuffle 1", &[(at..at + 4, &["codec"])]);
    }
    assert_outcomes("blosc zstd shuffle 1", &[(40..44, &["codec"])]);
    assert_outcomes("blosc snappy", &[(28..30, &["codec"])]);
}

#[test]
fn zstd_frames() {
    assert_outcomes(
        "zstd level 3, checksum",
        &[
            (0..4, &["codec"]),  // The magic number.
            (5..7, &["length"]), // The content size.
        ],
    );
    let encoded = chunk("zstd level 3, checksum").encoded;
    let end = encoded.len();
    assert_outcomes("zstd level 3, checksum", &[(end - 4..end, &["checksum"])]);
    // The descriptor, unless only its unused bit is set.
    let outcomes = damage_all("zstd level 3, checksum", 4..5);
    assert_eq!(outcomes[&4], ["", "codec", "length"].into());
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
            (end - 4..end, &["length"]),
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

#[test]
fn trailing_bytes_are_noticed() {
    // After nothing, zeros may be the trailer of nothing.
    for chunk in chunks().iter().filter(|chunk| !chunk.decoded.is_empty()) {
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
    for chunk in chunks().iter().filter(|chunk| !chunk.decoded.is_empty()) {
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
