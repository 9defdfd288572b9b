//! Damaged chunks: each is an error, or decodes to the same bytes, or the format cannot reveal it.

use super::{Chunk, chunks, decode_as};
use std::collections::BTreeMap;
use zarr_codecs::guard::Format;
use zarr_codecs_decoders::Decoder;

/// Counts how often damaged chunks decode to other bytes, by codec.
fn silent(damage: impl Fn(&Chunk, &mut dyn FnMut(&[u8]))) -> BTreeMap<String, (usize, usize)> {
    let mut counts = BTreeMap::new();
    let mut decoder = Decoder::default();
    for chunk in chunks() {
        let mut codec = chunk.codec.trim_start_matches("numcodecs.").to_owned();
        if chunk.name.contains("checksum") {
            codec += " with a checksum";
        }
        let (all, wrong) = counts.entry(codec).or_insert((0, 0));
        damage(&chunk, &mut |encoded| {
            let decoded = decode_as(&mut decoder, &chunk, encoded, chunk.decoded_length());
            *all += 1;
            if decoded.is_ok_and(|decoded| decoded.bytes != chunk.decoded) {
                *wrong += 1;
            }
        });
    }
    counts
}

#[test]
fn flipped_bits_are_noticed_where_the_format_has_a_checksum() {
    let counts = silent(|chunk, see| {
        let mut encoded = chunk.encoded.clone();
        for bit in 0..8 * encoded.len().min(200) {
            encoded[bit / 8] ^= 1 << (bit % 8);
            see(&encoded);
            encoded[bit / 8] ^= 1 << (bit % 8);
        }
    });
    println!("{counts:?}");
    for codec in ["gzip", "zlib", "zstd with a checksum"] {
        assert_eq!(counts[codec].1, 0, "{codec}");
    }
}

#[test]
fn truncated_chunks_are_noticed() {
    let counts = silent(|chunk, see| {
        for length in 0..chunk.encoded.len() {
            see(&chunk.encoded[..length]);
        }
    });
    println!("{counts:?}");
    for (codec, (_, wrong)) in counts {
        assert_eq!(wrong, 0, "{codec}");
    }
}

#[test]
fn bytes_after_chunks_are_noticed() {
    let mut decoder = Decoder::default();
    for chunk in chunks() {
        for more in [&[0][..], &[1, 2, 3, 4, 5, 6, 7, 8, 9]] {
            let encoded = [&chunk.encoded, more].concat();
            for length in [chunk.decoded_length(), None] {
                let decoded = decode_as(&mut decoder, &chunk, &encoded, length);
                assert!(decoded.is_err(), "{}", chunk.name);
            }
        }
    }
}

#[test]
fn blocks_of_zstd_are_no_larger_than_the_window() {
    // A window of 2 KiB, and a compressed block of 2200 times the same literal.
    let frame = |window: u8| {
        let header = [0x28, 0xb5, 0x2f, 0xfd, 0, window];
        [&header[..], &[0x25, 0, 0, 0x85, 0x89, 7, 0]].concat()
    };
    let mut decoder = Decoder::default();
    for length in [None, Some(2200)] {
        let mut decode = |window| {
            let decoded = decoder.decode(Format::Zstd, &frame(window), length, true);
            decoded.map(|decoded| decoded.bytes.len())
        };
        assert!(decode(8).is_err());
        assert_eq!(decode(16), Ok(2200));
    }
}
