//! The errors of this package.

use crate::{
    kernel::{
        Cast, Check, InvalidElement,
        checksum::{CHECKSUM_SIZE, Mismatch},
        digest::Algorithm,
    },
    metadata::Json,
};
use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
};
use serde::Serialize;

/// An error in metadata or in a chunk.
///
/// The message says what was expected, what came, and where. Serializes to a stable `code` and the fields that hold the
/// numbers of the message.
#[derive(Clone, Debug, PartialEq, thiserror::Error, Serialize)]
#[serde(
    tag = "code",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Error {
    /// Metadata that the specifications do not allow, or that this package does not implement.
    #[error("{path}: {problem}")]
    InvalidMetadata {
        /// The JSON path of the offending value, for example `codecs[0].configuration.endian`.
        path: String,
        /// The problem, for example `expected "little" or "big", got "middle"`.
        #[serde(skip)]
        problem: String,
    },

    /// A chunk whose length differs from the one that data type, shape and codecs require.
    #[error("{problem}")]
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
    #[error("{path}: {name}: {problem}")]
    ExternalCodec {
        /// The JSON path of the codec, for example `codecs[1]`.
        path: String,
        /// The name of the codec.
        name: String,
        /// The problem, for example `unknown version of the format at byte 0`.
        #[serde(skip)]
        problem: String,
    },

    /// A chunk whose stored checksum is not that of its payload or, of an external codec, of the decoded bytes.
    #[error("chunk is corrupt: {checksum} stored 0x{stored:08x}, computed 0x{computed:08x} over {byte_length} bytes{}",
            .diagnosis.map(|text| format!("; {text}")).unwrap_or_default())]
    ChecksumMismatch {
        /// The [name](crate::kernel::digest::Algorithm::name) of the checksum.
        checksum: &'static str,
        /// The checksum found in the chunk.
        stored: u32,
        /// The checksum of the bytes that it covers.
        computed: u32,
        /// The number of those bytes.
        byte_length: u64,
        /// The probable mistake of the writer, if it is a known one.
        #[serde(skip_serializing_if = "Option::is_none")]
        diagnosis: Option<&'static str>,
    },

    /// An element that the data type does not allow.
    #[error("{problem}")]
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
    /// Creates an [`Error::ChunkLength`] for the representation `encoded` or `decoded` of a chunk. `arithmetic` says how
    /// `expected` was computed, for example `64 x 16 elements x 4 bytes + 4 checksum`.
    pub fn length(representation: &str, expected: u64, actual: u64, arithmetic: &str) -> Self {
        let problem =
            format!("{representation} chunk is {actual} bytes, expected {expected} ({arithmetic})");
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
    pub fn checksum(mismatch: Mismatch, diagnosis: Option<&'static str>) -> Self {
        Self::ChecksumMismatch {
            checksum: Algorithm::Crc32c.name(),
            stored: mismatch.stored,
            computed: mismatch.computed,
            byte_length: mismatch.byte_length,
            diagnosis,
        }
    }
}

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
        let number = |value: f64| Json::Number(value).to_string();
        let (kind, expected) = match conversion.cast {
            Cast::SmallFloatToFloat32(format) => {
                let (least, greatest, has_nan) = format.range();
                let range = [least, greatest].map(|limit| number(limit.into()));
                let nan = if has_nan { " or NaN" } else { "" };
                (
                    "",
                    format!("a number from {} to {}{nan}", range[0], range[1]),
                )
            }
            Cast::SmallInt(int) => {
                let (least, greatest) = int.range();
                ("", format!("an integer from {least} to {greatest}"))
            }
            _ => ("bool ", "0 or 1".to_owned()),
        };
        let got = number(value);
        Self::InvalidElement {
            problem: format!("{kind}element {index} is {got}, expected {expected}"),
            index,
            value,
        }
    }
}
