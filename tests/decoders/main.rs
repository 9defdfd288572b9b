//! The decoders, with chunks by every writer at hand (`tests/guard/generate.py`).

#![cfg(not(target_arch = "wasm32"))]

#[path = "../guard/chunks.rs"]
mod chunks;
mod damage;

use chunks::{Chunk, chunks, parse};
use zarr_codecs::guard::{Format, Problem};
use zarr_codecs_decoders::{Decoded, Decoder};

/// Decodes a chunk, after others.
fn decode_as<'a>(
    decoder: &'a mut Decoder,
    chunk: &Chunk,
    encoded: &[u8],
    decoded_length: Option<u64>,
) -> Result<Decoded<'a>, Problem> {
    decoder.decode(
        Format::of_codec(&chunk.codec),
        encoded,
        decoded_length,
        true,
    )
}

/// Checks that chunks are decoded, whether or not their length is known.
fn decodes(chunks: &[Chunk]) {
    let mut decoder = Decoder::default();
    for chunk in chunks {
        for length in [chunk.decoded_length(), None] {
            let decoded = decode_as(&mut decoder, chunk, &chunk.encoded, length);
            let decoded = decoded.unwrap_or_else(|problem| {
                panic!("{}, length {length:?}: {}", chunk.name, problem.text())
            });
            let first = (0..chunk.decoded.len())
                .find(|&at| decoded.bytes.get(at) != Some(&chunk.decoded[at]));
            assert_eq!(first, None, "{}: the first byte that differs", chunk.name);
            assert_eq!(decoded.bytes.len(), chunk.decoded.len(), "{}", chunk.name);
        }
    }
}

#[test]
fn chunks_of_all_writers_are_decoded() {
    let chunks = chunks();
    assert!(chunks.len() >= 120, "only {} chunks", chunks.len());
    decodes(&chunks);
}

/// Reads the chunks that `tests/guard/generate.py --random` wrote to the file `GUARD_CHUNKS`.
#[test]
#[ignore = "needs a file of random chunks"]
fn random_chunks_of_all_writers_are_decoded() {
    let file = std::env::var("GUARD_CHUNKS").unwrap();
    let chunks = parse(&std::fs::read_to_string(file).unwrap());
    decodes(&chunks);
    println!("{} chunks", chunks.len());
}
