//! The errors of this package: one enum, each variant a stable code and the numbers behind the message.

use crate::kernel::InvalidElement;
use alloc::{format, string::String};

/// What can be wrong with metadata, a chunk or an argument.
///
/// Each message says what was expected, what came, and where.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// Metadata that the specifications do not allow, or that this package does not implement.
    #[error("{path}: expected {expected}, got {got}")]
    InvalidMetadata {
        /// The JSON path of the offending value, like `codecs[0].configuration.endian`.
        path: String,
        /// What the specification asks for there.
        expected: String,
        /// What is there instead.
        got: String,
    },

    /// A chunk whose length does not follow from the data type, the shape and the codecs.
    #[error("{representation} chunk is {actual} bytes, expected {expected} ({arithmetic})")]
    ChunkLength {
        /// Which form of the chunk was measured.
        representation: Representation,
        /// The bytes that the metadata asks for.
        expected: u64,
        /// The bytes that came.
        actual: u64,
        /// Where `expected` comes from, like `64 x 16 elements x 4 bytes + 4 checksum`.
        arithmetic: String,
    },

    /// A chunk whose stored checksum is not the CRC-32C of the bytes before it.
    #[error("crc32c: stored 0x{stored:08x}, computed 0x{computed:08x} over {byte_length} bytes{}",
            .diagnosis.map(|d| format!("; {d}")).unwrap_or_default())]
    ChecksumMismatch {
        /// The checksum found in the chunk.
        stored: u32,
        /// The CRC-32C of the bytes it should be of.
        computed: u32,
        /// How many bytes those are.
        byte_length: u64,
        /// What the writer probably did, where the stored value tells.
        diagnosis: Option<&'static str>,
    },

    /// An element whose bytes the data type does not allow.
    #[error("bool element {index} is {value}, expected 0 or 1")]
    InvalidElement {
        /// The element's position in the chunk, in C order.
        index: u64,
        /// Its byte.
        value: u8,
    },
}

impl Error {
    /// An [`Error::InvalidMetadata`].
    pub fn metadata(
        path: impl Into<String>,
        expected: impl Into<String>,
        got: impl Into<String>,
    ) -> Self {
        Self::InvalidMetadata {
            path: path.into(),
            expected: expected.into(),
            got: got.into(),
        }
    }
}

impl From<InvalidElement> for Error {
    fn from(InvalidElement { index, value }: InvalidElement) -> Self {
        Self::InvalidElement { index, value }
    }
}

/// The two forms of a chunk, in the words of the Zarr specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Representation {
    /// The array's elements in memory.
    Decoded,
    /// The bytes in the store.
    Encoded,
}

impl core::fmt::Display for Representation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Decoded => "decoded",
            Self::Encoded => "encoded",
        })
    }
}
