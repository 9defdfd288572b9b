//! Random bytes and randomly damaged chunks, which must not make anything panic, and random valid chunks.

use super::{accepts, check_encoded, chunks, parse};
use proptest::prelude::*;

const CODECS: [&str; 4] = ["blosc", "zstd", "gzip", "zlib"];

/// The first bytes of valid chunks, so that random bytes get further.
const STARTS: [&[u8]; 5] = [
    b"",
    &[2, 1, 0x33, 2],
    &[0x28, 0xb5, 0x2f, 0xfd],
    &[0x1f, 0x8b, 8, 0x1f],
    &[0x78, 0x9c],
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn random_bytes_do_not_panic(
        codec in 0..4_usize,
        start in 0..5_usize,
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        length in prop::option::of(any::<u64>()),
    ) {
        let encoded = [STARTS[start], &bytes].concat();
        let _ = check_encoded(CODECS[codec], &encoded, length);
    }

    #[test]
    fn random_headers_of_blosc_do_not_panic(
        flags in any::<u8>(),
        type_size in any::<u8>(),
        nbytes in prop_oneof![0..2000_u32, any::<u32>()],
        block_size in prop_oneof![0..2000_u32, any::<u32>()],
        rest in prop::collection::vec(prop_oneof![0..100_u32, any::<u32>()], 0..100),
    ) {
        let mut encoded = vec![2, 1, flags & 0xf7, type_size];
        let length = 16 + 4 * rest.len() as u32;
        for number in [nbytes, block_size, length].into_iter().chain(rest) {
            encoded.extend(number.to_le_bytes());
        }
        let _ = check_encoded("blosc", &encoded, Some(nbytes.into()));
    }

    #[test]
    fn damaged_chunks_do_not_panic(
        index in any::<prop::sample::Index>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        is_early in any::<bool>(),
    ) {
        thread_local!(static CHUNKS: Vec<super::Chunk> = chunks());
        CHUNKS.with(|chunks| {
            let chunk = index.get(chunks);
            let mut encoded = chunk.encoded.clone();
            for (at, byte) in damage {
                let end = if is_early { encoded.len().min(60) } else { encoded.len() };
                encoded[at.index(end)] = byte;
            }
            for length in [chunk.decoded_length(), None] {
                let _ = check_encoded(&chunk.codec, &encoded, length);
            }
        });
    }
}

/// Reads the chunks that `tests/guard/generate.py --random` wrote to the file `GUARD_CHUNKS`.
#[test]
#[ignore = "needs a file of random chunks"]
fn random_chunks_of_all_writers_are_accepted() {
    let file = std::env::var("GUARD_CHUNKS").unwrap();
    accepts(&parse(&std::fs::read_to_string(file).unwrap()));
}
