//! The errors of this package.

use crate::{
    diagnosis::Diagnosis,
    kernel::{
        Cast, Check, InvalidElement,
        checksum::{CHECKSUM_SIZE, Mismatch},
        digest::Algorithm,
    },
    metadata::Json,
    text::{Hexadecimal, counted},
};
use alloc::string::String;
use serde::Serialize;

/// An error in metadata or in a chunk.
///
/// The message says what was expected, what came, and where. Serializes to a stable `code` and the fields that hold the
/// numbers of the message.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(
    tag = "code",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Error {
    /// Metadata that the specifications do not allow, or that this package does not implement.
    InvalidMetadata {
        /// The JSON path of the offending value, for example `codecs[0].configuration.endian`.
        path: String,
        /// The problem, for example `expected "little" or "big", got "middle"`.
        #[serde(skip)]
        problem: String,
    },

    /// A chunk whose length differs from the one that data type, shape and codecs require.
    ChunkLength {
        /// The problem, for example `encoded chunk is 11 bytes, expected 12 (2 elements x 4 bytes + 4 checksum)`.
        #[serde(skip)]
        problem: String,
        /// The required length in bytes.
        expected: u64,
        /// The length of the chunk in bytes.
        actual: u64,
    },

    /// A chunk that an external codec cannot have written.
    ExternalCodec {
        /// The JSON path of the codec, for example `codecs[1]`.
        path: String,
        /// The name of the codec.
        codec: String,
        /// The problem, for example `unknown version of the format at byte 0`.
        #[serde(skip)]
        problem: String,
    },

    /// A chunk whose stored checksum is not that of its payload or, of an external codec, of the decoded bytes.
    ChecksumMismatch {
        /// The [name](crate::kernel::digest::Algorithm::name) of the checksum.
        checksum: &'static str,
        /// The checksum found in the chunk.
        stored: u32,
        /// The checksum of the bytes that it covers.
        computed: u32,
        /// The number of those bytes.
        byte_length: u64,
        /// The probable cause, if it is recognized.
        #[serde(skip_serializing_if = "Option::is_none")]
        diagnosis: Option<Diagnosis>,
    },

    /// An entry of a shard's index that cannot be right.
    #[serde(rename = "invalid_element")]
    InvalidEntry {
        /// The problem, for example `shard index has offset 90, length 20, beyond the end of the shard (100 bytes)`.
        #[serde(skip)]
        problem: String,
        /// The index of the inner chunk, in C order.
        index: u64,
        /// The number that cannot be right.
        value: f64,
    },

    /// An element that the data type does not allow.
    InvalidElement {
        /// The problem, for example `bool element 17 is 2, expected 0 or 1`.
        #[serde(skip)]
        problem: String,
        /// The index of the element in the chunk, in C order.
        index: u64,
        /// Its value, or that of its first component that is not allowed.
        value: f64,
    },
}

impl Error {
    /// Returns the message.
    pub fn message(&self) -> String {
        match self {
            Self::InvalidMetadata { path, problem } => text![path, ": ", problem],
            Self::ChunkLength { problem, .. } | Self::InvalidEntry { problem, .. } => {
                problem.clone()
            }
            Self::ExternalCodec {
                path,
                codec,
                problem,
            } => text![path, ": ", codec, ": ", problem],
            Self::ChecksumMismatch {
                checksum,
                stored,
                computed,
                byte_length,
                diagnosis,
            } => {
                let stored = text![" stored ", Hexadecimal(*stored)];
                let computed = text![", computed ", Hexadecimal(*computed)];
                let over = text![" over ", counted(*byte_length, "byte")];
                let diagnosis = match diagnosis {
                    Some(diagnosis) => text!["; ", diagnosis.message],
                    None => String::new(),
                };
                text![
                    "chunk is corrupt: ",
                    checksum,
                    stored,
                    computed,
                    over,
                    diagnosis
                ]
            }
            Self::InvalidElement { problem, .. } => problem.clone(),
        }
    }

    /// Creates an [`Error::ChunkLength`] for the representation `encoded` or `decoded` of a chunk. `arithmetic` says how
    /// `expected` was computed, for example `64 x 16 elements x 4 bytes + 4 checksum`.
    pub fn length(representation: &str, expected: u64, actual: u64, arithmetic: &str) -> Self {
        let bytes = counted(actual, "byte");
        let length = text![bytes, ", expected ", expected];
        let problem = text![representation, " chunk is ", length, " (", arithmetic, ")"];
        Self::ChunkLength {
            problem,
            expected,
            actual,
        }
    }

    /// Creates an [`Error::ChunkLength`] for a chunk that is shorter than its checksums alone.
    pub fn too_short(checksum_count: usize, actual: u64) -> Self {
        let expected = (checksum_count * CHECKSUM_SIZE) as u64;
        Self::length("encoded", expected, actual, "at least the checksum")
    }

    /// Creates an [`Error::ChecksumMismatch`] for a CRC-32C.
    pub fn checksum(mismatch: Mismatch, diagnosis: Option<Diagnosis>) -> Self {
        Self::ChecksumMismatch {
            checksum: Algorithm::Crc32c.name(),
            stored: mismatch.stored,
            computed: mismatch.computed,
            byte_length: mismatch.byte_length,
            diagnosis,
        }
    }
}

impl core::fmt::Display for Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.message())
    }
}

impl core::error::Error for Error {}

impl From<InvalidElement> for Error {
    fn from(invalid: InvalidElement) -> Self {
        let InvalidElement {
            index,
            value,
            conversion,
        } = invalid;
        let index = match conversion.check {
            Check::UnfitComplex => index / 2,
            _ => index,
        };
        let (kind, expected, (least, greatest), end) = match conversion.cast {
            Cast::SmallFloatToFloat32(format) => {
                let nan = if format.has_nan() { " or NaN" } else { "" };
                ("", "a number from ", format.range(), nan)
            }
            Cast::SmallInt(int) => ("", "an integer from ", int.range(), ""),
            _ => ("bool ", "", (0.0, 1.0), ""),
        };
        let [got, least, greatest] =
            [value, least.into(), greatest.into()].map(|number| Json::Number(number).describe());
        let to = if kind.is_empty() { " to " } else { " or " };
        Self::InvalidElement {
            problem: text![
                kind,
                "element ",
                index,
                " is ",
                got,
                ", expected ",
                expected,
                least,
                to,
                greatest,
                end
            ],
            index,
            value,
        }
    }
}
