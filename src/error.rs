//! The errors of this package: one enum, each variant a stable code and the numbers behind its message.

use crate::kernel::{
    InvalidElement,
    checksum::{CHECKSUM_SIZE, Mismatch},
};
use alloc::{format, string::String};
use serde::Serialize;

/// What can be wrong with metadata or with a chunk.
///
/// Each message says what was expected, what came, and where. Serialized, an error is its `code` and its fields.
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
        /// The JSON path of the offending value, like `codecs[0].configuration.endian`.
        path: String,
        /// What is wrong there, like `expected "little" or "big", got "middle"`.
        #[serde(skip)]
        problem: String,
    },

    /// A chunk whose length does not follow from the data type, the shape and the codecs.
    #[error("{representation} chunk is {actual} bytes, expected {expected} ({arithmetic})")]
    ChunkLength {
        /// Which representation of the chunk was measured: `encoded` or `decoded`.
        #[serde(skip)]
        representation: &'static str,
        /// The length in bytes that the metadata asks for.
        expected: u64,
        /// The length in bytes of the chunk.
        actual: u64,
        /// How `expected` was computed, like `64 x 16 elements x 4 bytes + 4 checksum`.
        #[serde(skip)]
        arithmetic: String,
    },

    /// A chunk whose stored checksum is not the CRC-32C of its payload.
    #[error("chunk is corrupt: crc32c stored 0x{stored:08x}, computed 0x{computed:08x} over {byte_length} bytes{}",
            .diagnosis.map(|text| format!("; {text}")).unwrap_or_default())]
    ChecksumMismatch {
        /// The checksum found in the chunk.
        stored: u32,
        /// The CRC-32C of the payload.
        computed: u32,
        /// The length of the payload in bytes.
        byte_length: u64,
        /// What the writer probably did, where the stored checksum reveals it.
        #[serde(skip_serializing_if = "Option::is_none")]
        diagnosis: Option<&'static str>,
    },

    /// An element whose bytes the data type does not allow.
    #[error("bool element {index} is {value}, expected 0 or 1")]
    InvalidElement {
        /// The element's index in the chunk, in C order.
        index: u64,
        /// Its byte.
        value: u8,
    },
}

impl Error {
    /// An [`Error::ChunkLength`] for bytes that are too few for their checksums alone.
    pub fn too_short(checksum_count: usize, actual: u64) -> Self {
        Self::ChunkLength {
            representation: "encoded",
            expected: (checksum_count * CHECKSUM_SIZE) as u64,
            actual,
            arithmetic: "at least the checksum".into(),
        }
    }

    /// An [`Error::ChecksumMismatch`].
    pub fn checksum(mismatch: Mismatch, diagnosis: Option<&'static str>) -> Self {
        Self::ChecksumMismatch {
            stored: mismatch.stored,
            computed: mismatch.computed,
            byte_length: mismatch.byte_length,
            diagnosis,
        }
    }
}

impl From<InvalidElement> for Error {
    fn from(InvalidElement { index, value }: InvalidElement) -> Self {
        Self::InvalidElement { index, value }
    }
}
