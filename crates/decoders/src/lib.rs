//! Decoders of the compressed chunks that Zarr stores: `zstd`, `blosc`, `lz4`, `gzip` and `zlib`.
//!
//! The containers (headers, frames, blocks, trailers, checksums) are read by [`guard`](zarr_codecs::guard), which also checks
//! what decoders of others return; what they contain is decompressed by kept crates. Each file is a format, with the
//! contract of [`Decoder::decode`].
//!
//! | format | decompressed by | because |
//! | --- | --- | --- |
//! | zstd | `zrip-decode` | no `unsafe`, fuzzed, twice as fast as `ruzstd`, a third smaller than `rust-zstd` |
//! | lz4 | `lz4.rs` | `lz4_flex` is slower, and accepts ends of blocks that liblz4 rejects |
//! | deflate | `miniz_oxide` | no `unsafe`, fuzzed, part of Rust's standard library; says where a stream ends |
//! | snappy | `snap` | the only one that is kept |
//! | blosclz | `blosc/blosclz.rs` | there is none |

mod blosc;
mod copy;
mod deflate;
#[cfg(target_arch = "wasm32")]
mod exports;
mod lz4;
mod zstd;

use zarr_codecs::guard::{Format, LONGEST_DECODED, LONGEST_UNKNOWN, Problem, Reader};

/// A decoded chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Whether verified checksums cover all of them.
    pub is_covered: bool,
}

/// Decodes chunks, one after another. What takes time to set up is kept for the next one: tables, and memory that is
/// initialized.
#[derive(Default)]
pub struct Decoder {
    memory: Memory,
    zstd: zstd::Decoder,
}

impl Decoder {
    /// Decodes a chunk. `decoded_length` is the number of its bytes, if it is known; bytes that state or decode to another
    /// are rejected before memory is allocated for them. Checksums are compared if `verify` is true; everything else
    /// always is.
    ///
    /// # Errors
    /// Returns a [`Problem`] of the encoded bytes, also for a format that has no decoder.
    pub fn decode(
        &mut self,
        format: Format,
        encoded: &[u8],
        decoded_length: Option<u64>,
        verify: bool,
    ) -> Result<Decoded<'_>, Problem> {
        let read = |at: u64, target: &mut [u8]| {
            target.copy_from_slice(&encoded[at as usize..][..target.len()]);
        };
        let chunk = Chunk {
            encoded,
            reader: Reader::new(encoded.len() as u64, &read),
            decoded_length,
            verify,
        };
        let Self { memory, zstd } = self;
        match format {
            Format::Blosc => blosc::decode(chunk, memory, zstd),
            Format::Gzip => deflate::decode_gzip(chunk, memory),
            Format::Lz4 => lz4::decode(chunk, memory),
            Format::Zlib => deflate::decode_zlib(chunk, memory),
            Format::Zstd => zstd::decode(chunk, memory, zstd),
            Format::Unknown => Err(Problem::Invalid("no format that can be decoded", 0)),
        }
    }
}

/// Memory for decoded bytes.
#[derive(Default)]
struct Memory(Vec<u8>);

impl Memory {
    /// Returns memory for this many bytes, with whatever the last chunk has left there.
    fn of(&mut self, length: usize) -> &mut [u8] {
        if self.0.capacity() < length {
            self.empty(length);
        }
        if self.0.len() < length {
            self.0.resize(length, 0);
        }
        &mut self.0[..length]
    }

    /// Returns memory for this many bytes, which are appended.
    fn empty(&mut self, length: usize) -> &mut Vec<u8> {
        self.0.clear();
        if self.0.capacity() < length {
            self.0 = Vec::new(); // Freed before.
            self.0.reserve_exact(length);
        }
        &mut self.0
    }
}

/// A chunk to decode.
struct Chunk<'a> {
    encoded: &'a [u8],
    /// Reads `encoded`.
    reader: Reader<'a>,
    decoded_length: Option<u64>,
    verify: bool,
}

impl Chunk<'_> {
    /// Returns how many bytes the chunk may decode to.
    fn most(&self) -> u64 {
        self.decoded_length.unwrap_or(LONGEST_UNKNOWN)
    }

    /// Returns a length as a number of bytes in memory.
    fn size(&self, length: u64) -> Result<usize, Problem> {
        let problem = match self.decoded_length {
            Some(_) if length > LONGEST_DECODED => "decoded length of more than 2 GiB",
            None if length > LONGEST_UNKNOWN => TOO_LONG,
            _ => return Ok(length as usize),
        };
        Err(Problem::Invalid(problem, 0))
    }

    /// Returns the problem of a chunk that decodes to more bytes than it may.
    fn too_long(&self) -> Problem {
        match self.decoded_length {
            Some(expected) => Problem::Length {
                origin: "encoded bytes hold at least",
                expected,
                actual: expected + 1,
            },
            None => Problem::Invalid(TOO_LONG, 0),
        }
    }
}

const TOO_LONG: &str = "unknown decoded length of more than 512 MiB";
