//! Chunks of Blosc 1: blocks of streams, whose bytes or bits may be shuffled.

mod blosclz;

use crate::{Chunk, Decoded, Memory, deflate, lz4, zstd};
use zarr_codecs::{
    guard::{
        self, Problem,
        blosc::{self, HEADER, Header, NUMBER, Shuffle},
    },
    kernel::{bitshuffle, shuffle},
};

/// Decodes a stream that has as many bytes as the target. Returns what is wrong with it.
type Decode = fn(&mut State, &[u8], &mut [u8]) -> Result<(), &'static str>;

/// The inner codecs, in the order of their numbers.
const INNER: [Decode; 5] = [
    |_, stream, target| blosclz::decode(stream, target),
    |_, stream, target| lz4::decode_block(stream, target),
    |_, stream, target| decode_snappy(stream, target),
    |_, stream, target| deflate::decode_stream(stream, target),
    |state, stream, target| state.decode_zstd(stream, target),
];

/// What inner codecs keep between streams.
struct State<'a> {
    zstd: &'a mut zstd::Decoder,
    bytes: Vec<u8>,
}

/// Decodes a chunk.
pub fn decode<'a>(
    mut chunk: Chunk,
    memory: &'a mut Memory,
    zstd: &mut zstd::Decoder,
) -> Result<Decoded<'a>, Problem> {
    let header = blosc::read_checked(&mut chunk.reader, chunk.decoded_length)?;
    let size = chunk.size(header.nbytes.into())?;
    let bytes = if header.is_stored() {
        let bytes = memory.of(size);
        bytes.copy_from_slice(&chunk.encoded[HEADER as usize..]);
        bytes
    } else {
        let bytes = Vec::new();
        decode_blocks(&header, &mut chunk, size, memory, State { zstd, bytes })?
    };
    Ok(Decoded {
        bytes,
        is_covered: false,
    })
}

/// Decodes the blocks of a chunk that has been checked, to `size` bytes.
fn decode_blocks<'a>(
    header: &Header,
    chunk: &mut Chunk,
    size: usize,
    memory: &'a mut Memory,
    mut state: State,
) -> Result<&'a [u8], Problem> {
    let most = header.block_size as usize;
    let type_size = header.type_size as usize;
    // A block before its bytes are in order, and half-way there.
    let scratch = match header.shuffle() {
        Shuffle::None => 0,
        Shuffle::Bytes => most,
        Shuffle::Bits => 2 * most,
    };
    let (bytes, scratch) = memory.of(size + scratch).split_at_mut(size);
    let (block, planes) = scratch.split_at_mut(scratch.len().min(most));
    let mut targets = bytes.chunks_mut(most);
    for number in 0..header.block_count() {
        let start = header.start_of(number, &mut chunk.reader)? as usize;
        let target = targets.next().unwrap_or_default();
        let shuffle = shuffle_of(header, target.len());
        if shuffle == Shuffle::None {
            decode_streams(header, chunk, start, &mut state, target)?;
            continue;
        }
        let block = &mut block[..target.len()];
        decode_streams(header, chunk, start, &mut state, block)?;
        unshuffle(shuffle, type_size, block, target, planes);
    }
    Ok(bytes)
}

/// Returns how the bytes of a block of `size` bytes are arranged: bits are not shuffled if the number of elements is not
/// a multiple of 8.
fn shuffle_of(header: &Header, size: usize) -> Shuffle {
    match header.shuffle() {
        Shuffle::Bits if !(size / header.type_size as usize).is_multiple_of(8) => Shuffle::None,
        shuffle => shuffle,
    }
}

/// Decodes the streams of a block.
fn decode_streams(
    header: &Header,
    chunk: &mut Chunk,
    start: usize,
    state: &mut State,
    target: &mut [u8],
) -> Result<(), Problem> {
    let size = target.len() / header.streams(target.len() as u64) as usize;
    let mut at = start;
    for target in target.chunks_exact_mut(size) {
        let length = chunk.reader.number(at as u64, NUMBER)? as usize;
        at += NUMBER;
        let stream = &chunk.encoded[at..at + length];
        if length == size {
            target.copy_from_slice(stream);
        } else {
            INNER[header.inner_codec()](state, stream, target)
                .map_err(|problem| Problem::Invalid(problem, at as u64))?;
        }
        at += length;
    }
    Ok(())
}

/// Restores the order of the bytes of a block. Bytes at the end that are no whole element stay where they are.
fn unshuffle(
    shuffle: Shuffle,
    type_size: usize,
    block: &[u8],
    target: &mut [u8],
    planes: &mut [u8],
) {
    if shuffle == Shuffle::Bytes {
        return shuffle::unshuffle(type_size, block, target);
    }
    let (elements, rest) = block.split_at(block.len() / type_size * type_size);
    let (target, target_rest) = target.split_at_mut(elements.len());
    let planes = &mut planes[..elements.len()];
    bitshuffle::unshuffle_bits(type_size, elements, target, planes);
    target_rest.copy_from_slice(rest);
}

fn decode_snappy(stream: &[u8], target: &mut [u8]) -> Result<(), &'static str> {
    match snap::raw::decompress_len(stream) {
        Ok(length) if length == target.len() => {}
        _ => return Err("stream of another length than its block"),
    }
    match snap::raw::Decoder::new().decompress(stream, target) {
        Ok(_) => Ok(()),
        Err(_) => Err("stream that is not valid snappy data"),
    }
}

impl State<'_> {
    fn decode_zstd(&mut self, stream: &[u8], target: &mut [u8]) -> Result<(), &'static str> {
        self.bytes.clear();
        let most = target.len() as u64;
        let problem = |problem| match problem {
            Problem::Invalid(problem, _) => problem,
            _ => "stream with a wrong checksum",
        };
        let read = |at: u64, target: &mut [u8]| {
            target.copy_from_slice(&stream[at as usize..][..target.len()]);
        };
        let mut reader = guard::Reader::new(stream.len() as u64, &read);
        let mut at = 0;
        while let Some(frame) = guard::zstd::next_frame(&mut reader, at).map_err(problem)? {
            at = frame.end;
            let encoded = &stream[frame.start as usize..frame.end as usize];
            let most = most - self.bytes.len() as u64;
            let outcome = self
                .zstd
                .decode(encoded, &frame, most, true, &mut self.bytes);
            if matches!(outcome.map_err(problem)?, zstd::Outcome::TooLong) {
                return Err("stream with more decoded bytes than its block");
            }
        }
        if self.bytes.len() != target.len() {
            return Err("stream with fewer decoded bytes than its block");
        }
        target.copy_from_slice(&self.bytes);
        Ok(())
    }
}
