//! What can be known of the chunks of external codecs: of their encoded bytes before the codec decodes them, and of the
//! decoded bytes after.
//!
//! Contract of the files below, each a format: `check(encoded, decoded_length)` reads the structure of encoded bytes,
//! and returns what must be true of the decoded ones. `decoded_length` is their length, if the chain knows it. Bytes
//! that a correct encoder writes and a decoder accepts are never rejected. Everything is bounded by the number of
//! encoded bytes, and nothing panics, whatever they are.
//!
//! | error | for |
//! | --- | --- |
//! | [`Error::ExternalCodec`] | bytes that are no chunk of the codec, or contradict themselves |
//! | [`Error::ChunkLength`] | a length that contradicts the one that the chain requires |
//! | [`Error::ChecksumMismatch`] | decoded bytes whose checksum is not the stored one |

pub mod blosc;
pub mod gzip;
pub mod lz4;
mod reader;
pub mod zlib;
pub mod zstd;

pub use reader::Reader;

use crate::{
    error::Error,
    kernel::digest::{Algorithm, Digest},
    text::counted,
};
use alloc::string::String;

/// The longest chunk that is decoded: a module has 4 GiB, of which the encoded bytes take some, and the formats with lengths
/// in their headers have signed numbers of 32 bits.
pub const LONGEST_DECODED: u64 = 1 << 31;

/// The longest chunk that is decoded if the metadata do not tell its length, as of strings, and of bytes that are compressed
/// twice or after they were sharded. Of a bomb, a kilobyte may decode to hundreds of megabytes.
pub const LONGEST_UNKNOWN: u64 = 1 << 29;

/// A format of encoded bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One that is not known, of which only the decoded length can be checked.
    Unknown,
    /// Blosc 1.
    Blosc,
    /// gzip.
    Gzip,
    /// zlib.
    Zlib,
    /// Zstandard.
    Zstd,
    /// LZ4 as numcodecs stores it.
    Lz4,
}

impl Format {
    /// All formats, in the order of their numbers.
    pub const ALL: [Self; 6] = [
        Self::Unknown,
        Self::Blosc,
        Self::Gzip,
        Self::Zlib,
        Self::Zstd,
        Self::Lz4,
    ];

    /// Returns the format of a codec.
    pub fn of_codec(name: &str) -> Self {
        match name.strip_prefix("numcodecs.").unwrap_or(name) {
            "blosc" => Self::Blosc,
            "gzip" => Self::Gzip,
            "lz4" => Self::Lz4,
            "zlib" => Self::Zlib,
            "zstd" => Self::Zstd,
            _ => Self::Unknown,
        }
    }

    /// Checks encoded bytes before they are decoded, and returns what must be true of the decoded ones.
    /// `decoded_length` is their length, if the chain knows it.
    ///
    /// # Errors
    /// Returns a [`Problem`] of the encoded bytes.
    pub fn check(
        self,
        encoded: &mut Reader,
        decoded_length: Option<u64>,
    ) -> Result<Expected, Problem> {
        let check = match self {
            Self::Unknown => {
                return Ok(Expected {
                    byte_length: decoded_length,
                    ..Expected::default()
                });
            }
            Self::Blosc => blosc::check,
            Self::Gzip => gzip::check,
            Self::Zlib => zlib::check,
            Self::Zstd => zstd::check,
            Self::Lz4 => lz4::check,
        };
        check(encoded, decoded_length)
    }

    /// Returns the length of what follows deflated data.
    fn trailer(self) -> u64 {
        match self {
            Self::Gzip => gzip::TRAILER as u64,
            Self::Zlib => zlib::TRAILER as u64,
            Self::Unknown | Self::Blosc | Self::Zstd | Self::Lz4 => 0,
        }
    }

    /// Checks that the trailer follows the deflated data, which ends at `end`.
    /// `checksum` computes that of what it decodes to. Returns whether that is all; a file of gzip may have further members.
    ///
    /// # Errors
    /// Returns [`Problem::Invalid`].
    pub fn check_end(
        self,
        encoded: &mut Reader,
        end: u64,
        checksum: impl FnOnce(Algorithm) -> u32,
    ) -> Result<bool, Problem> {
        let length = encoded.length();
        let expected = end + self.trailer();
        if expected > length {
            return Err(encoded.invalid("truncated", length));
        }
        let has_another = self == Self::Gzip && gzip::is_member(encoded, expected);
        if expected == length || has_another {
            return Ok(!has_another);
        }
        let stored = encoded.number(end, 4)? as u32;
        let (stored, algorithm) = match self {
            Self::Gzip => (stored, Algorithm::Crc32),
            _ => (stored.swap_bytes(), Algorithm::Adler32),
        };
        Err(match stored == checksum(algorithm) {
            true => encoded.invalid("trailing bytes", expected),
            false => encoded.invalid("deflated data that ends too early", end),
        })
    }
}

/// What must be true of decoded bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Their length, if known.
    pub byte_length: Option<u64>,
    /// The checksum of all or some of them, if one is stored.
    pub checksum: Option<Stored>,
    /// Their length modulo 2^32 according to a trailer, which may itself be damaged.
    pub stated: Option<u32>,
    /// Whether that cannot be, so that the encoded bytes are damaged, and a decoder may believe it.
    pub is_contradictory: bool,
}

/// A stored checksum of decoded bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The checksum.
    pub value: u32,
    /// The number of bytes that it covers, at the end of the decoded ones; none if it covers all.
    pub covered: Option<u32>,
}

/// What is wrong with the chunk of an external codec. Becomes an error with the place of the codec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The bytes are not a chunk of the codec, or contradict themselves: what is wrong, and at which byte.
    Invalid(&'static str, u64),
    /// A length other than the one that the chain requires.
    Length {
        /// What has the length, with its verb: `header says`.
        origin: &'static str,
        /// The required length in bytes.
        expected: u64,
        /// The length in bytes according to `origin`.
        actual: u64,
    },
    /// Decoded bytes whose checksum is not the stored one.
    Checksum {
        /// The algorithm.
        algorithm: Algorithm,
        /// The stored checksum.
        stored: u32,
        /// The checksum of the bytes that it covers.
        computed: u32,
        /// The number of those bytes.
        byte_length: u64,
    },
}

impl Problem {
    /// Says what is wrong, and where in the encoded bytes.
    pub fn text(&self) -> String {
        match *self {
            Self::Invalid(problem, at) => text![problem, " at byte ", at],
            Self::Length {
                origin,
                expected,
                actual,
            } => {
                let decoded = counted(actual, "decoded byte");
                text![origin, " ", decoded, ", expected ", expected]
            }
            Self::Checksum { .. } => self
                .clone()
                .into_error(String::new(), String::new())
                .message(),
        }
    }

    /// Returns the error about the codec `name` at the JSON path `path`.
    pub fn into_error(self, path: String, name: String) -> Error {
        match self {
            Self::Invalid(..) => Error::ExternalCodec {
                problem: self.text(),
                path,
                codec: name,
            },
            Self::Length {
                expected, actual, ..
            } => Error::ChunkLength {
                problem: text![path, ": ", name, ": ", self.text()],
                expected,
                actual,
            },
            Self::Checksum {
                algorithm,
                stored,
                computed,
                byte_length,
            } => Error::ChecksumMismatch {
                checksum: algorithm.name(),
                stored,
                computed,
                byte_length,
                diagnosis: None,
            },
        }
    }
}

/// Checks that a length is the one that the chain requires, if it is known.
fn expect_length(origin: &'static str, actual: u64, expected: Option<u64>) -> Result<(), Problem> {
    match expected {
        Some(expected) if expected != actual => Err(Problem::Length {
            origin,
            expected,
            actual,
        }),
        _ => Ok(()),
    }
}

impl Expected {
    /// Checks the length of the decoded bytes.
    ///
    /// # Errors
    /// Returns [`Problem::Length`].
    pub fn check_length(&self, actual: u64) -> Result<(), Problem> {
        let covered = self.checksum.and_then(|stored| stored.covered);
        let least = covered.map_or(0, u64::from);
        let expected = self.byte_length.unwrap_or(actual.max(least));
        expect_length("decoder returned", actual, Some(expected))
    }

    /// Checks what a trailer states, after all else.
    ///
    /// # Errors
    /// Returns [`Problem::Invalid`].
    pub fn check_stated(&self, actual: u64, encoded_length: u64) -> Result<(), Problem> {
        match self.stated {
            Some(stated) if stated != actual as u32 => Err(Problem::Invalid(
                "trailer with a wrong length",
                encoded_length.saturating_sub(4),
            )),
            _ => Ok(()),
        }
    }
}

impl Stored {
    /// Returns the position of the first byte that the checksum covers, of `length` decoded bytes.
    pub fn start(&self, length: u64) -> u64 {
        let covered = self.covered.map_or(length, u64::from);
        length.saturating_sub(covered)
    }

    /// Returns whether the checksum follows deflated data, whose end only decoding tells.
    pub fn is_trailer(&self) -> bool {
        matches!(self.algorithm, Algorithm::Crc32 | Algorithm::Adler32)
    }

    /// Starts the checksum.
    pub fn digest(&self) -> Digest {
        Digest::new(self.algorithm)
    }

    /// Compares the stored checksum with that of the `byte_length` bytes that it covers.
    ///
    /// # Errors
    /// Returns [`Problem::Checksum`].
    pub fn verify(&self, digest: &Digest, byte_length: u64) -> Result<(), Problem> {
        compare(self.algorithm, self.value, digest.finish(), byte_length)
    }
}

/// Compares the stored checksum of `byte_length` bytes with the computed one.
///
/// # Errors
/// Returns [`Problem::Checksum`].
pub fn compare(
    algorithm: Algorithm,
    stored: u32,
    computed: u32,
    byte_length: u64,
) -> Result<(), Problem> {
    if stored == computed {
        return Ok(());
    }
    Err(Problem::Checksum {
        algorithm,
        stored,
        computed,
        byte_length,
    })
}
