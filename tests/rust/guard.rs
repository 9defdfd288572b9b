//! The checks of external codecs' chunks, with chunks by every writer at hand (`tests/guard/generate.py`).

#[path = "../guard/chunks.rs"]
pub mod chunks;
mod damage;
mod headers;
mod random;

pub use chunks::{Chunk, chunks, parse};
use zarr_codecs::{
    Error,
    guard::{Expected, Format, Problem, Reader},
};

/// Returns the chunk whose name is this.
pub fn chunk(name: &str) -> Chunk {
    let found = chunks().into_iter().find(|chunk| chunk.name == name);
    found.unwrap_or_else(|| panic!("no chunk {name}"))
}

/// Checks encoded bytes.
pub fn check_encoded(
    codec: &str,
    encoded: &[u8],
    length: Option<u64>,
) -> Result<Expected, Problem> {
    let read = |at: u64, target: &mut [u8]| {
        target.copy_from_slice(&encoded[at as usize..][..target.len()]);
    };
    Format::of_codec(codec).check(&mut Reader::new(encoded.len() as u64, &read), length)
}

/// Checks encoded bytes, and the decoded ones as if a decoder had returned them.
pub fn check(codec: &str, encoded: &[u8], decoded: &[u8]) -> Result<(), Error> {
    let at = |problem: Problem| problem.into_error("codecs[1]".into(), codec.into());
    let length = decoded.len() as u64;
    let expected = check_encoded(codec, encoded, Some(length)).map_err(at)?;
    check_decoded(&expected, decoded)
}

/// Checks decoded bytes.
fn check_decoded(expected: &Expected, decoded: &[u8]) -> Result<(), Error> {
    let at = |problem: Problem| problem.into_error("codecs[1]".into(), "codec".into());
    expected.check_length(decoded.len() as u64).map_err(at)?;
    if let Some(stored) = expected.checksum {
        let covered = &decoded[stored.start(decoded.len() as u64) as usize..];
        let mut digest = stored.digest();
        digest.update(covered);
        stored.verify(&digest, covered.len() as u64).map_err(at)?;
    }
    expected.check_stated(decoded.len() as u64, 100).map_err(at)
}

/// Checks that chunks are accepted, whether or not their decoded length is known.
pub fn accepts(chunks: &[Chunk]) {
    for chunk in chunks {
        for length in [chunk.decoded_length(), None] {
            let expected = check_encoded(&chunk.codec, &chunk.encoded, length);
            let expected = expected.unwrap_or_else(|problem| panic!("{}: {problem:?}", chunk.name));
            if let Err(error) = check_decoded(&expected, &chunk.decoded) {
                panic!("{}: {error}", chunk.name);
            }
        }
    }
}

#[test]
fn chunks_of_all_writers_are_accepted() {
    let chunks = chunks();
    assert!(chunks.len() >= 120, "only {} chunks", chunks.len());
    accepts(&chunks);
}

#[test]
fn stated_lengths_and_checksums_are_found() {
    let found = |name| {
        let chunk = chunk(name);
        let expected = check_encoded(&chunk.codec, &chunk.encoded, None).unwrap();
        let checksum = expected.checksum.map(|stored| stored.algorithm.name());
        (
            expected.byte_length.map(|length| length as usize),
            checksum,
            chunk.decoded.len(),
        )
    };
    for (name, has_length, checksum) in [
        ("blosc lz4 shuffle 1", true, None),
        ("zstd level 3", true, None),
        ("zstd level 3, checksum", true, Some("xxh64")),
        ("zstd no content size", false, None),
        ("zstd no content size, checksum", false, Some("xxh64")),
        ("zstd two frames", true, None),
        ("zstd skippable frames", true, Some("xxh64")),
        ("gzip level 9", false, Some("crc32")),
        ("gzip two members", false, Some("crc32")),
        ("zlib level 9", false, Some("adler32")),
    ] {
        let (length, found, decoded) = found(name);
        assert_eq!(length, has_length.then_some(decoded), "{name}");
        assert_eq!(found, checksum, "{name}");
    }
}

#[test]
fn unknown_codecs_are_checked_for_their_length() {
    let expected = check_encoded("bz2", b"anything", Some(7)).unwrap();
    assert!(check_decoded(&expected, &[0; 7]).is_ok());
    let error = check_decoded(&expected, &[0; 6]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "codecs[1]: codec: decoder returned 6 decoded bytes, expected 7"
    );
}

#[test]
fn a_checksum_covers_every_decoded_byte() {
    for name in [
        "zstd level 3, checksum",
        "gzip level 9",
        "zlib level 9",
        "gzip every field",
    ] {
        let name = if name.ends_with("field") {
            "numcodecs.gzip every field"
        } else {
            name
        };
        let chunk = chunk(name);
        for at in 0..chunk.decoded.len() {
            let mut decoded = chunk.decoded.clone();
            decoded[at] ^= 0x10;
            let error = check(&chunk.codec, &chunk.encoded, &decoded).unwrap_err();
            assert!(
                matches!(error, Error::ChecksumMismatch { .. }),
                "{name}: {error}"
            );
        }
    }
}

#[test]
fn errors_say_what_was_expected_and_where() {
    let message = |name: &str, decoded: usize, damage: &dyn Fn(&mut Vec<u8>)| {
        let mut chunk = chunk(name);
        damage(&mut chunk.encoded);
        chunk.decoded.resize(decoded, 0);
        check(&chunk.codec, &chunk.encoded, &chunk.decoded)
            .unwrap_err()
            .to_string()
    };
    let unchanged: &dyn Fn(&mut Vec<u8>) = &|_| {};
    for (expected, actual) in [
        (
            "codecs[1]: blosc: header says 2200 decoded bytes, expected 4096",
            message("blosc lz4 shuffle 1", 4096, unchanged),
        ),
        (
            "codecs[1]: zstd: header says 2200 decoded bytes, expected 4096",
            message("zstd level 3", 4096, unchanged),
        ),
        (
            "codecs[1]: zstd: blocks hold at most 4096 decoded bytes, expected 200000",
            message("zstd no content size", 200_000, unchanged),
        ),
        (
            "codecs[1]: blosc: unknown version of the format at byte 0",
            message("blosc lz4 shuffle 1", 2200, &|encoded| encoded[0] = 7),
        ),
        (
            "codecs[1]: blosc: invalid flags at byte 2",
            message("blosc zstd shuffle 1", 2200, &|encoded| encoded[2] |= 8),
        ),
        (
            "codecs[1]: zstd: truncated at byte 1370",
            message("zstd level 3", 2200, &|encoded| {
                encoded.pop();
            }),
        ),
        (
            "codecs[1]: zstd: no frame (28b52ffd) at byte 0",
            message("zstd level 3", 2200, &|encoded| {
                *encoded = b"<html>".to_vec()
            }),
        ),
        (
            "codecs[1]: gzip: no header (1f8b08) at byte 0",
            message("gzip level 9", 2200, &|encoded| encoded.fill(0)),
        ),
        (
            "codecs[1]: zlib: invalid header at byte 0",
            message("zlib level 9", 2200, &|encoded| encoded.fill(0)),
        ),
    ] {
        assert_eq!(actual, expected);
    }
}
