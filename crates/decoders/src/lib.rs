//! Decoders of the compressed chunks that Zarr stores: `zstd`, `blosc`, `lz4`, `gzip` and `zlib`.
//!
//! The containers (headers, frames, blocks, trailers, checksums) are read by [`guard`](zarr_codecs::guard), which also checks
//! what decoders of others return; what they contain is decompressed by kept crates. Each file is a format, with the
//! contract of [`decode`].
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

use zarr_codecs::guard::{Format, Problem, Reader};

/// A decoded chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether verified checksums cover all of them.
    pub is_covered: bool,
}

/// Decodes a chunk. `decoded_length` is the number of its bytes, if it is known; bytes that state or decode to another are
/// rejected before memory is allocated for them. Checksums are compared if `verify` is true; everything else always is.
///
/// # Errors
/// Returns a [`Problem`] of the encoded bytes, also for a format that has no decoder.
pub fn decode(
    format: Format,
    encoded: &[u8],
    decoded_length: Option<u64>,
    verify: bool,
) -> Result<Decoded, Problem> {
    let read = |at: u64, target: &mut [u8]| {
        target.copy_from_slice(&encoded[at as usize..][..target.len()]);
    };
    let chunk = Chunk {
        encoded,
        reader: Reader::new(encoded.len() as u64, &read),
        decoded_length,
        verify,
    };
    if let Some(length) = decoded_length {
        size(length)?;
    }
    match format {
        Format::Blosc => blosc::decode(chunk),
        Format::Gzip => deflate::decode_gzip(chunk),
        Format::Lz4 => lz4::decode(chunk),
        Format::Zlib => deflate::decode_zlib(chunk),
        Format::Zstd => zstd::decode(chunk),
        Format::Unknown => Err(Problem::Invalid("no format that can be decoded", 0)),
    }
}

/// The longest chunk that is decoded: the memory of a module is at most twice as large.
const LONGEST: u64 = 1 << 31;

/// Returns a length as a number of bytes in memory.
fn size(length: u64) -> Result<usize, Problem> {
    match length {
        0..=LONGEST => Ok(length as usize),
        _ => Err(Problem::Invalid("more than 2 GiB of decoded bytes", 0)),
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
    /// Returns the problem of a chunk that decodes to more bytes than expected.
    fn too_long(&self, expected: u64) -> Problem {
        Problem::Length {
            origin: "encoded bytes hold at least",
            expected,
            actual: expected + 1,
        }
    }
}
