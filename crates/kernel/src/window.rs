//! The window: fixed memory through which chunks stream, so that memory does not depend on their size.

use crate::{
    ChunkStream, Conversion, Permutation,
    checksum::CHECKSUM_SIZE,
    crc32c::{Digest, History},
};

/// The size in bytes of each half of the window. Twice the size gains nothing, half costs CRC-32C 3 % (Node 20).
pub const SIZE: usize = 256 * 1024;

/// The longest chunk in bytes that is encoded in the window in one call, unless it is only converted. Longer ones are
/// encoded piece by piece, which saves a copy of bytes that are not converted.
pub const LONGEST_TO_ENCODE: usize = 24 * 1024;

/// Returns whether `length` bytes fit into one half of the window.
pub const fn fits(length: u64) -> bool {
    length <= SIZE as u64
}

/// The encoded and the decoded form of one piece. Aligned, because vectors that straddle cache lines load slower.
#[repr(C, align(64))]
pub struct Window {
    history: History,
    encoded: [u8; SIZE],
    /// Keeps the same place of both halves at different places of a first-level cache.
    _gap: [u8; 1024],
    decoded: [u8; SIZE],
}

impl Window {
    /// Creates a window of zeros.
    #[allow(clippy::new_without_default)] // The only one is a static.
    pub const fn new() -> Self {
        Self {
            history: History::new(),
            encoded: [0; SIZE],
            _gap: [0; 1024],
            decoded: [0; SIZE],
        }
    }

    /// Returns the encoded half and the decoded half.
    pub fn halves(&mut self) -> (&mut [u8], &mut [u8]) {
        (&mut self.encoded, &mut self.decoded)
    }

    /// Returns the memory of a checksum, and what [`Self::halves`] returns.
    pub fn parts(&mut self) -> (&mut History, &mut [u8], &mut [u8]) {
        (&mut self.history, &mut self.encoded, &mut self.decoded)
    }

    /// Continues the CRC-32C `initial` over the first `length` bytes of the encoded half.
    pub fn crc32c(&mut self, length: usize, initial: u32) -> u32 {
        let mut digest = Digest::new(initial);
        digest.update_with(&mut self.history, &self.encoded[..length], true);
        digest.crc()
    }

    /// Decodes the chunk of `length` bytes in the encoded half into the other half. Returns whether it is valid.
    pub fn decode(
        &mut self,
        length: usize,
        conversion: Conversion,
        permutation: Option<&Permutation>,
        checksum_count: usize,
    ) -> bool {
        let (payload, checksums) = split(&self.encoded[..length], checksum_count);
        let decoded = &mut self.decoded[..payload.len() * conversion.widening()];
        let mut stream = ChunkStream::new(conversion, checksum_count);
        match permutation {
            Some(permutation) => {
                conversion.decode_permuted(permutation, payload, decoded);
                stream.update_with(&mut self.history, payload, true);
            }
            None => stream.decode(&mut self.history, payload, decoded, true),
        }
        matches!(stream.verify(checksums), Ok(None))
    }

    /// Decodes the payload of `length` bytes in the encoded half into the other half.
    pub fn decode_payload(
        &mut self,
        length: usize,
        conversion: Conversion,
        permutation: &Permutation,
    ) {
        let payload = &self.encoded[..length];
        let decoded = &mut self.decoded[..length * conversion.widening()];
        conversion.decode_permuted(permutation, payload, decoded);
    }

    /// Returns whether the chunk of `length` bytes in the encoded half is valid.
    pub fn check(&mut self, length: usize, conversion: Conversion, checksum_count: usize) -> bool {
        let (payload, checksums) = split(&self.encoded[..length], checksum_count);
        let mut stream = ChunkStream::new(conversion, checksum_count);
        stream.update_with(&mut self.history, payload, true);
        matches!(stream.verify(checksums), Ok(None))
    }

    /// Encodes the chunk in the decoded half into the first `length` bytes of the other half. Returns whether its
    /// elements are valid. May overwrite the decoded half.
    pub fn encode(
        &mut self,
        length: usize,
        conversion: Conversion,
        permutation: Option<&Permutation>,
        checksum_count: usize,
    ) -> bool {
        let payload_length = length - checksum_count * CHECKSUM_SIZE;
        self.encode_payload(payload_length, conversion, permutation);
        let chunk = &mut self.encoded[..length];
        let (payload, checksums) = chunk.split_at_mut(payload_length);
        let mut stream = ChunkStream::new(conversion, checksum_count);
        stream.update(payload);
        stream.append(checksums).is_ok()
    }

    /// Encodes the array in the decoded half into a payload of `length` bytes in the other half. May overwrite the
    /// decoded half.
    pub fn encode_payload(
        &mut self,
        length: usize,
        conversion: Conversion,
        permutation: Option<&Permutation>,
    ) {
        let payload = &mut self.encoded[..length];
        let decoded = &mut self.decoded[..length * conversion.widening()];
        match permutation {
            Some(permutation) => conversion.encode_permuted(permutation, decoded, payload),
            None => conversion.encode(decoded, payload),
        }
    }
}

/// Splits a chunk into its payload and its checksums.
fn split(chunk: &[u8], checksum_count: usize) -> (&[u8], &[u8]) {
    chunk.split_at(chunk.len() - checksum_count * CHECKSUM_SIZE)
}
