//! Decodes and encodes whole chunks natively. (Chunks from JavaScript stream through a window: `src/wasm/stream.rs`.)

use super::CodecChain;
use crate::{diagnosis::Diagnosis, error::Error, kernel::ChunkStream};
use alloc::{vec, vec::Vec};

/// Bytes of the payload that are processed at a time, so that they stay in the cache between checksum and conversion.
const PIECE: usize = 1 << 16;

impl CodecChain {
    /// Decodes a chunk to its default array: verifies the checksums and returns the components in the host's byte
    /// order. External steps are ignored.
    ///
    /// # Errors
    /// Returns [`Error::ChunkLength`], [`Error::ChecksumMismatch`] or [`Error::InvalidElement`].
    ///
    /// # Panics
    /// Panics if an external codec decodes bytes to an array.
    pub fn decode(&self, encoded: &[u8]) -> Result<Vec<u8>, Error> {
        let step = self.array_step();
        if step.encoded_byte_length != Some(encoded.len() as u64) {
            return Err(self.encoded_length_error(step, encoded.len() as u64));
        }
        let form = &step.forms[0];
        let widening = form.conversion.widening();
        let mut decoded = vec![0; form.byte_length.unwrap_or_default() as usize];
        let (payload, checksums) = encoded.split_at(decoded.len() / widening);
        let mut stream = ChunkStream::new(form.conversion, step.checksum_count);
        for (payload, decoded) in payload
            .chunks(PIECE)
            .zip(decoded.chunks_mut(PIECE * widening))
        {
            stream.update(payload);
            form.conversion.decode(payload, decoded);
        }
        match stream.verify(checksums) {
            Ok(None) => Ok(decoded),
            Ok(Some(element)) => Err(element.into()),
            Err(mismatch) => {
                let mut diagnosis = Diagnosis::new(mismatch);
                diagnosis.update(encoded);
                Err(diagnosis.conclude())
            }
        }
    }

    /// Encodes a chunk from the components of its default array in the host's byte order, and appends the checksums.
    /// External steps are ignored.
    ///
    /// # Errors
    /// Returns [`Error::ChunkLength`] or [`Error::InvalidElement`].
    ///
    /// # Panics
    /// Panics if an external codec encodes the array as bytes.
    pub fn encode(&self, decoded: &[u8]) -> Result<Vec<u8>, Error> {
        let step = self.array_step();
        let form = &step.forms[0];
        if form.byte_length != Some(decoded.len() as u64) {
            return Err(self.decoded_length_error(form, decoded.len() as u64));
        }
        let widening = form.conversion.widening();
        let mut encoded = vec![0; step.encoded_byte_length.unwrap_or_default() as usize];
        let (payload, checksums) = encoded.split_at_mut(decoded.len() / widening);
        let mut stream = ChunkStream::new(form.conversion, step.checksum_count);
        for (decoded, payload) in decoded
            .chunks(PIECE * widening)
            .zip(payload.chunks_mut(PIECE))
        {
            form.conversion.encode(decoded, payload);
            stream.update(payload);
        }
        stream.append(checksums)?;
        Ok(encoded)
    }
}
