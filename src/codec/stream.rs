//! One chunk, piece by piece: what the chain does to bytes while they are in the cache.

use super::{
    bytes::Conversion,
    crc32c::{self, Mismatch},
};
use crate::{error::Error, kernel::crc32c::Digest};

/// Remembers the first element that the data type does not allow, to be reported when the checksums turned out right:
/// a damaged chunk is damaged, not a chunk with an odd element.
#[derive(Default)]
struct Elements {
    seen: u64,
    invalid: Option<(u64, u8)>,
}

impl Elements {
    /// Looks at the next bytes, one element each in the data types that are checked.
    fn update(&mut self, conversion: Conversion, bytes: &[u8]) {
        if self.invalid.is_none() {
            self.invalid = conversion
                .first_invalid(bytes)
                .map(|(index, value)| (self.seen + index as u64, value));
        }
        self.seen += bytes.len() as u64;
    }

    fn error(&self) -> Option<Error> {
        self.invalid
            .map(|(index, value)| Error::InvalidElement { index, value })
    }
}

/// Checks one chunk on its way to being decoded.
pub struct ChunkDecoder {
    conversion: Conversion,
    checksum_count: usize,
    digest: Digest,
    elements: Elements,
}

impl ChunkDecoder {
    /// Begins a chunk. With a `checksum_count` of 0 no checksum is computed.
    pub fn new(conversion: Conversion, checksum_count: usize) -> Self {
        Self {
            conversion,
            checksum_count,
            digest: Digest::new(0),
            elements: Elements::default(),
        }
    }

    /// Checks the next bytes; to be called for all of them in order. They are decoded by [`Conversion::decode`].
    pub fn check(&mut self, encoded: &[u8]) {
        self.elements.update(self.conversion, encoded);
        if self.checksum_count > 0 {
            self.digest.update(encoded);
        }
    }

    /// The same for bytes behind [`Digest::ROOM`] in a buffer that may be overwritten.
    pub fn check_in_place(&mut self, buffer: &mut [u8], is_last: bool) {
        self.elements
            .update(self.conversion, &buffer[Digest::ROOM..]);
        if self.checksum_count > 0 {
            self.digest.update_in_place(buffer, is_last);
        }
    }

    /// Compares with the checksums at the end of the chunk; gives the error of the first invalid element, if any.
    pub fn finish(self, checksums: &[u8]) -> Result<Option<Error>, Mismatch> {
        if self.checksum_count > 0 {
            crc32c::verify(self.digest.crc(), self.elements.seen, checksums)?;
        }
        Ok(self.elements.error())
    }
}

/// Encodes one chunk.
pub struct ChunkEncoder {
    conversion: Conversion,
    checksum_count: usize,
    digest: Digest,
    elements: Elements,
}

impl ChunkEncoder {
    /// Begins a chunk that ends with `checksum_count` checksums.
    pub fn new(conversion: Conversion, checksum_count: usize) -> Self {
        Self {
            conversion,
            checksum_count,
            digest: Digest::new(0),
            elements: Elements::default(),
        }
    }

    /// Encodes the next whole components.
    pub fn update(&mut self, decoded: &[u8], encoded: &mut [u8]) {
        self.conversion.encode(decoded, encoded);
        self.elements.update(self.conversion, encoded);
        if self.checksum_count > 0 {
            self.digest.update(encoded);
        }
    }

    /// Fills the checksums at the end of the chunk, or reports the first invalid element.
    pub fn finish(self, checksums: &mut [u8]) -> Result<(), Error> {
        crc32c::append(self.digest.crc(), checksums);
        self.elements.error().map_or(Ok(()), Err)
    }
}
