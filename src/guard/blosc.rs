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
//! Format: `README_CHUNK_FORMAT.rst` and `blosc.c` (`blosc_d`, `write_compression_header`) of c-blosc 1.21.

use super::{Expected, Problem, Reader, expect_length, zlib, zstd};
use alloc::format;

const HEADER: u64 = 16;
/// The size of a block start, and of the length of a stream.
const NUMBER: u64 = 4;
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

/// The inner codecs, by the number in the highest 3 bits of the flags, and what is known of their streams.
const INNER: [(&str, InnerCheck); 5] = [
    ("blosclz", opaque),
    ("lz4", opaque),
    ("snappy", snappy),
    ("zlib", zlib_stream),
    ("zstd", zstd_stream),
];

/// Checks a stream that decodes to the given number of bytes.
type InnerCheck = fn(Reader, u64) -> Result<(), Problem>;

/// Elements of more bytes than this are not split into streams.
const MOST_STREAMS: u32 = 16;
/// Streams are not shorter than this.
const SHORTEST_STREAM: u32 = 128;

struct Header {
    flags: u8,
    type_size: u32,
    /// The number of decoded bytes.
    nbytes: u32,
    block_size: u32,
    check: InnerCheck,
}

/// Checks a chunk.
pub fn check(encoded: &mut Reader, decoded_length: Option<u64>) -> Result<Expected, Problem> {
    let header = Header::read(encoded)?;
    expect_length("header says", header.nbytes.into(), decoded_length)?;
    let expected = Expected {
        byte_length: Some(header.nbytes.into()),
        checksum: None,
    };
    if header.flags & flag::STORED != 0 {
        let stored = encoded.length() - HEADER;
        return match stored == u64::from(header.nbytes) {
            true => Ok(expected),
            false => Err(invalid(format!(
                "{stored} bytes are stored uncompressed, but the header says {}",
                header.nbytes
            ))),
        };
    }
    header.check_blocks(encoded)?;
    Ok(expected)
}

fn invalid(problem: impl Into<alloc::string::String>) -> Problem {
    Problem::Invalid(problem.into())
}

impl Header {
    fn read(encoded: &mut Reader) -> Result<Self, Problem> {
        let [version, inner_version, flags, type_size] = encoded
            .bytes(0)
            .ok_or_else(|| Problem::truncated("the header"))?;
        let mut number = |at| {
            encoded
                .u32(at)
                .ok_or_else(|| Problem::truncated("the header"))
        };
        let (nbytes, block_size, cbytes) = (number(4)?, number(8)?, number(12)?);
        if version != VERSION {
            return Err(invalid(format!(
                "expected version {VERSION} of the format, got {version}"
            )));
        }
        if u64::from(cbytes) != encoded.length() {
            return Err(invalid(format!(
                "header says {cbytes} encoded bytes, got {}",
                encoded.length()
            )));
        }
        let both = flag::BYTE_SHUFFLE | flag::BIT_SHUFFLE;
        let inner = INNER.get(usize::from(flags >> 5));
        let (Some((name, check)), false, false) =
            (inner, flags & flag::RESERVED != 0, flags & both == both)
        else {
            return Err(invalid(format!("invalid flags 0x{flags:02x}")));
        };
        if inner_version != INNER_VERSION {
            return Err(invalid(format!(
                "expected version {INNER_VERSION} of {name}, got {inner_version}"
            )));
        }
        if type_size == 0 {
            return Err(invalid("type size is 0"));
        }
        let type_size = u32::from(type_size);
        let is_whole = block_size <= type_size || block_size % type_size == 0;
        if block_size == 0 || block_size > nbytes.max(1) || !is_whole {
            return Err(invalid(format!(
                "block size is {block_size}, of {nbytes} bytes of type size {type_size}"
            )));
        }
        Ok(Self {
            flags,
            type_size,
            nbytes,
            block_size,
            check: *check,
        })
    }

    /// Checks that the blocks, in any order, fill the rest of the chunk.
    fn check_blocks(&self, encoded: &mut Reader) -> Result<(), Problem> {
        let count = u64::from(self.nbytes.div_ceil(self.block_size));
        let first = HEADER + count * NUMBER;
        let mut room = encoded
            .length()
            .checked_sub(first)
            .ok_or_else(|| Problem::truncated("the block starts"))?;
        let mut streams = encoded.part(0, encoded.length()).expect("all of it");
        // Blocks fill the chunk if each ends where another starts. Compared as sums, which do not depend on the order.
        let (mut starts, mut ends) = (mark(encoded.length()), mark(first));
        for block in 0..count {
            let at = HEADER + block * NUMBER;
            let start = encoded
                .u32(at)
                .ok_or_else(|| Problem::truncated("the block starts"))?;
            let end = self.check_block(&mut streams, block, start.into())?;
            room = room.checked_sub(end - u64::from(start)).ok_or_else(|| {
                invalid(format!("block {block} at byte {start} overlaps another"))
            })?;
            starts = starts.wrapping_add(mark(start.into()));
            ends = ends.wrapping_add(mark(end));
        }
        match starts == ends {
            true => Ok(()),
            false => Err(invalid("the blocks do not fill the chunk")),
        }
    }

    /// Checks the streams of a block, and returns where it ends.
    fn check_block(&self, streams: &mut Reader, block: u64, start: u64) -> Result<u64, Problem> {
        let position = block * u64::from(self.block_size);
        let left = u64::from(self.nbytes) - position;
        let is_whole = left >= self.block_size.into();
        let size = left.min(self.block_size.into());
        let count = u64::from(self.streams(is_whole));
        let decoded = size / count;
        let mut at = start;
        for _ in 0..count {
            let outside = || {
                invalid(format!(
                    "block {block} at byte {start} ends outside the chunk"
                ))
            };
            let length = u64::from(streams.u32(at).ok_or_else(outside)?);
            at += NUMBER;
            // More than the inner codecs need for any content; snappy needs the most.
            let most = decoded + decoded / 6 + 32;
            if length == 0 || length > most {
                return Err(invalid(format!(
                    "{decoded} bytes of block {block} are encoded in {length}"
                )));
            }
            let stream = streams.part(at, length).ok_or_else(outside)?;
            // Streams of the same length are stored uncompressed.
            if length != decoded {
                (self.check)(stream, decoded)?;
            }
            at += length;
        }
        Ok(at)
    }

    /// Returns the number of streams of a block. Chunks from before c-blosc 1.14 lack the flag, so decoders also look at
    /// the sizes.
    fn streams(&self, is_whole: bool) -> u32 {
        let is_split = self.flags & flag::ONE_STREAM == 0
            && self.type_size <= MOST_STREAMS
            && self.block_size / self.type_size >= SHORTEST_STREAM
            && is_whole;
        if is_split { self.type_size } else { 1 }
    }
}

/// Scrambles a position, so that sums of different positions are different.
const fn mark(position: u64) -> u64 {
    let mixed = (position + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

fn opaque(_: Reader, _: u64) -> Result<(), Problem> {
    Ok(())
}

/// A stream of snappy begins with the number of decoded bytes, 7 bits at a time.
fn snappy(mut stream: Reader, decoded: u64) -> Result<(), Problem> {
    let mut stated = 0;
    for at in 0..5 {
        let byte = stream
            .byte(at)
            .ok_or_else(|| Problem::truncated("a snappy stream"))?;
        stated |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            break;
        }
    }
    match stated == decoded {
        true => Ok(()),
        false => Err(invalid(format!(
            "a snappy stream says {stated} bytes, expected {decoded}"
        ))),
    }
}

fn zlib_stream(mut stream: Reader, _: u64) -> Result<(), Problem> {
    zlib::check(&mut stream, None).map(drop)
}

fn zstd_stream(mut stream: Reader, decoded: u64) -> Result<(), Problem> {
    match zstd::check(&mut stream, Some(decoded)) {
        Err(Problem::Length {
            expected, actual, ..
        }) => Err(invalid(format!(
            "a zstd stream says {actual} bytes, expected {expected}"
        ))),
        outcome => outcome.map(drop),
    }
}
