//! Chunks of Blosc 1, which have no checksum: only damage to their structure can be noticed.
//!
//! ```text
//! | version | inner version | flags | type size | nbytes | block size | cbytes | block starts | blocks ... |
//! |    1    |       1       |   1   |     1     |    4   |      4     |    4   |   4 x blocks |            |
//! ```
//!
//! A block is one stream, or one for each byte of an element; a stream is its length (4 bytes) and as many bytes.
//! Blocks may be in any order, but fill the chunk. All numbers are little endian.
//!
//! The flags are not compared with the configuration of the codec: zarrita writes chunks that are not shuffled, whatever
//! the configuration says, and decoders obey the flags.
//!
//! Format: `README_HEADER.rst` and `blosc.c` (`blosc_d`, `write_compression_header`) of c-blosc 1.21.

use super::{Expected, Problem, Reader, expect_length, zlib, zstd};

/// The length of the header.
pub const HEADER: u64 = 16;
/// The size of a block start, and of the length of a stream.
pub const NUMBER: usize = 4;
const VERSION: u8 = 2;
/// The version of each inner codec's format.
const INNER_VERSION: u8 = 1;

mod flag {
    pub const BYTE_SHUFFLE: u8 = 1;
    pub const STORED: u8 = 1 << 1;
    pub const BIT_SHUFFLE: u8 = 1 << 2;
    pub const RESERVED: u8 = 1 << 3;
    pub const ONE_STREAM: u8 = 1 << 4;
}

/// What is known of the streams of each inner codec, by the number in the highest 3 bits of the flags.
const INNER: [InnerCheck; 5] = [
    opaque, // blosclz
    opaque, // lz4
    opaque, // snappy
    zlib_stream,
    zstd_stream,
];

/// Checks a stream that decodes to the given number of bytes.
type InnerCheck = fn(Reader, u64) -> Result<(), Problem>;

/// Elements of more bytes than this are not split into streams.
const MOST_STREAMS: u32 = 16;
/// Streams are not shorter than this.
const SHORTEST_STREAM: u32 = 128;

/// The header of a chunk.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    flags: u8,
    /// The size of an element in bytes.
    pub type_size: u32,
    /// The number of decoded bytes.
    pub nbytes: u32,
    /// The number of decoded bytes in each block but the last.
    pub block_size: u32,
}

/// How the bytes of blocks were arranged before they were encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shuffle {
    /// As they are.
    None,
    /// By their place in elements.
    Bytes,
    /// By the place of their bits in elements.
    Bits,
}

/// Checks a chunk.
pub fn check(encoded: &mut Reader, decoded_length: Option<u64>) -> Result<Expected, Problem> {
    let header = read_checked(encoded, decoded_length)?;
    Ok(Expected {
        byte_length: Some(header.nbytes.into()),
        ..Expected::default()
    })
}

/// Checks a chunk as [`check`] does, and returns its header.
pub fn read_checked(encoded: &mut Reader, decoded_length: Option<u64>) -> Result<Header, Problem> {
    let header = Header::read(encoded)?;
    expect_length("header says", header.nbytes.into(), decoded_length)?;
    if !header.is_stored() {
        header.check_blocks(encoded)?;
    } else if encoded.length() != HEADER + u64::from(header.nbytes) {
        return Err(encoded.invalid("stored bytes of another length than stated", 4));
    }
    Ok(header)
}

impl Header {
    fn read(encoded: &mut Reader) -> Result<Self, Problem> {
        let header = encoded.bytes(0, HEADER as usize)?;
        let number = |at: usize| {
            header[at..]
                .first_chunk()
                .map_or(0, |n| u32::from_le_bytes(*n))
        };
        let (nbytes, block_size, cbytes) = (number(4), number(8), u64::from(number(12)));
        let [version, inner_version, flags, type_size] = number(0).to_le_bytes();
        let type_size = u32::from(type_size);
        let shuffles = flag::BYTE_SHUFFLE | flag::BIT_SHUFFLE;
        let inner = INNER.get(usize::from(flags >> 5));
        let is_whole = block_size <= type_size || block_size.checked_rem(type_size) == Some(0);
        let length = encoded.length();
        for (is_valid, problem, at) in [
            (version == VERSION, "unknown version of the format", 0),
            (
                inner_version == INNER_VERSION,
                "unknown version of the inner codec",
                1,
            ),
            (inner.is_some(), "unknown inner codec", 2),
            (
                flags & flag::RESERVED == 0 && flags & shuffles != shuffles,
                "invalid flags",
                2,
            ),
            (type_size > 0, "type size of 0", 3),
            (cbytes <= length, "truncated", length),
            (cbytes >= length, "trailing bytes", cbytes),
            (
                block_size > 0 && block_size <= nbytes.max(1) && is_whole,
                "invalid block size",
                8,
            ),
        ] {
            if !is_valid {
                return Err(encoded.invalid(problem, at));
            }
        }
        Ok(Self {
            flags,
            type_size,
            nbytes,
            block_size,
        })
    }

    /// Returns whether the decoded bytes follow the header as they are.
    pub fn is_stored(&self) -> bool {
        self.flags & flag::STORED != 0
    }

    /// Returns how the bytes of each block are arranged.
    pub fn shuffle(&self) -> Shuffle {
        if self.flags & flag::BIT_SHUFFLE != 0 {
            Shuffle::Bits
        } else if self.flags & flag::BYTE_SHUFFLE != 0 && self.type_size > 1 {
            Shuffle::Bytes
        } else {
            Shuffle::None
        }
    }

    /// Returns the number of the inner codec: blosclz, lz4, snappy, zlib, zstd.
    pub fn inner_codec(&self) -> usize {
        usize::from(self.flags >> 5)
    }

    /// Returns the number of blocks.
    pub fn block_count(&self) -> u64 {
        u64::from(self.nbytes.div_ceil(self.block_size))
    }

    /// Returns the number of decoded bytes in a block.
    pub fn size_of(&self, block: u64) -> u64 {
        let left = u64::from(self.nbytes) - block * u64::from(self.block_size);
        left.min(self.block_size.into())
    }

    /// Returns the position of a block, which is not checked.
    pub fn start_of(&self, block: u64, encoded: &mut Reader) -> Result<u64, Problem> {
        encoded.number(HEADER + block * NUMBER as u64, NUMBER)
    }

    /// Checks that the blocks, in any order, fill the rest of the chunk.
    fn check_blocks(&self, encoded: &mut Reader) -> Result<(), Problem> {
        let count = self.block_count();
        let first = HEADER + count * NUMBER as u64;
        let end = encoded.length();
        let mut streams = encoded.part(0, end).expect("all of it");
        // Each block begins where another ends. Compared as sums, which do not depend on the order.
        let (mut starts, mut ends) = (mark(end), mark(first));
        let mut room = end.saturating_sub(first);
        for block in 0..count {
            let start = self.start_of(block, encoded)?;
            let end = self.check_block(&mut streams, block, start)?;
            let length = end - start;
            if length > room {
                return Err(encoded.invalid("a block that overlaps another", start));
            }
            room -= length;
            starts = mark(start).wrapping_add(starts);
            ends = mark(end).wrapping_add(ends);
        }
        match starts == ends {
            true => Ok(()),
            false => Err(encoded.invalid("blocks that leave a gap", first)),
        }
    }

    /// Checks the streams of a block, and returns where it ends.
    fn check_block(&self, streams: &mut Reader, block: u64, start: u64) -> Result<u64, Problem> {
        let size = self.size_of(block);
        let count = self.streams(size);
        let decoded = size / count;
        // More than the inner codecs need for any content; snappy needs the most.
        let most = decoded + decoded / 6 + 32;
        let mut at = start;
        for _ in 0..count {
            let length = streams.number(at, NUMBER).unwrap_or_default();
            at += NUMBER as u64;
            let stream = match streams.part(at, length) {
                Some(stream) if (1..=most).contains(&length) => stream,
                _ => return Err(streams.invalid("invalid length of a stream", at - NUMBER as u64)),
            };
            // Streams of the same length are stored uncompressed.
            if length != decoded {
                INNER[self.inner_codec()](stream, decoded)?;
            }
            at += length;
        }
        Ok(at)
    }

    /// Returns the number of streams of a block of `size` bytes. Old chunks lack the flag, so decoders also look at the
    /// sizes.
    pub fn streams(&self, size: u64) -> u64 {
        let is_split = self.flags & flag::ONE_STREAM == 0
            && self.type_size <= MOST_STREAMS
            && self.block_size / self.type_size >= SHORTEST_STREAM
            && size == u64::from(self.block_size);
        if is_split { self.type_size.into() } else { 1 }
    }
}

/// Scrambles a position, so that sums of different positions are different.
const fn mark(position: u64) -> u64 {
    let mixed = (position + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// A stream of which nothing is known before it is decoded.
fn opaque(_: Reader, _: u64) -> Result<(), Problem> {
    Ok(())
}

fn zlib_stream(mut stream: Reader, _: u64) -> Result<(), Problem> {
    zlib::check(&mut stream, None).map(drop)
}

fn zstd_stream(mut stream: Reader, decoded: u64) -> Result<(), Problem> {
    match zstd::check(&mut stream, Some(decoded)) {
        Err(Problem::Length { .. }) => {
            Err(stream.invalid("stream of another length than its block", 0))
        }
        outcome => outcome.map(drop),
    }
}
