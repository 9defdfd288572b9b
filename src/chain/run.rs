//! Decodes and encodes whole chunks natively. (Chunks from JavaScript stream through a window: `src/wasm/stream.rs`.)

use super::{CodecChain, Form, NativeStep, Step};
use crate::{
    diagnosis::Diagnosis,
    error::Error,
    kernel::{
        ChunkStream, Conversion, InvalidElement, Permutation,
        checksum::{self, CHECKSUM_SIZE, Mismatch},
        crc32c,
    },
};
use alloc::{borrow::Cow, vec, vec::Vec};

/// Bytes of the payload that are processed at a time, so that they stay in the cache between checksum and conversion.
const PIECE: usize = 1 << 16;

impl CodecChain {
    /// Decodes a chunk to its default array: verifies the checksums and returns the components in the host's byte
    /// order. External steps, and the codecs after them, are ignored.
    ///
    /// # Errors
    /// Returns [`Error::ChunkLength`], [`Error::ChecksumMismatch`] or [`Error::InvalidElement`].
    ///
    /// # Panics
    /// Panics if an external codec decodes bytes to an array.
    pub fn decode(&self, encoded: &[u8]) -> Result<Vec<u8>, Error> {
        let mut bytes = Cow::Borrowed(encoded);
        for step in self.inner_steps() {
            bytes = match step {
                Step::Bytes(step) => step.operation.decode(&bytes)?.into(),
                Step::Native(step) if step.shape.is_none() => strip(&bytes, step)?.into(),
                _ => bytes,
            };
        }
        self.decode_array(&bytes)
    }

    fn decode_array(&self, encoded: &[u8]) -> Result<Vec<u8>, Error> {
        let step = self.array_step();
        if step.encoded_byte_length != Some(encoded.len() as u64) {
            return Err(self.step_length_error(encoded.len() as u64));
        }
        let form = &step.forms[0];
        let widening = form.conversion.widening();
        let mut decoded = vec![0; form.byte_length.unwrap_or_default() as usize];
        let (payload, checksums) = encoded.split_at(decoded.len() / widening);
        let mut stream = ChunkStream::new(form.conversion, step.checksum_count);
        if let Some(permutation) = &form.permutation {
            stream.update(payload);
            decoded = form.decode_permuted(permutation, payload);
        } else {
            for (payload, decoded) in payload
                .chunks(PIECE)
                .zip(decoded.chunks_mut(PIECE * widening))
            {
                stream.update(payload);
                form.conversion.decode(payload, decoded);
            }
        }
        match stream.verify(checksums) {
            Ok(None) => {
                if let Some(records) = &step.records {
                    records.swap(&mut decoded);
                }
                Ok(decoded)
            }
            Ok(Some(element)) => Err(form.in_c_order(element, &decoded).into()),
            Err(mismatch) => Err(diagnose(mismatch, encoded)),
        }
    }

    /// Encodes a chunk from the components of its default array in the host's byte order, and appends the checksums.
    /// External steps, and the codecs after them, are ignored.
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
        let mut swapped = Vec::new();
        let mut decoded = decoded;
        if let Some(records) = &step.records {
            swapped.extend_from_slice(decoded);
            records.swap(&mut swapped);
            decoded = &swapped;
        }
        if let Some(check) = form.array_check
            && let Some(element) = form.first_unfit(check, decoded)
        {
            return Err(element.into());
        }
        let mut encoded = vec![0; step.encoded_byte_length.unwrap_or_default() as usize];
        let (payload, checksums) = encoded.split_at_mut(decoded.len() / widening);
        let mut stream = ChunkStream::new(form.conversion, step.checksum_count);
        if let Some(permutation) = &form.permutation {
            form.encode_permuted(permutation, decoded, payload);
            stream.update(payload);
        } else {
            for (decoded, payload) in decoded
                .chunks(PIECE * widening)
                .zip(payload.chunks_mut(PIECE))
            {
                form.conversion.encode(decoded, payload);
                stream.update(payload);
            }
        }
        let appended = stream.append(checksums);
        appended.map_err(|element| form.in_c_order(element, decoded))?;
        for step in self.inner_steps().iter().rev() {
            match step {
                Step::Bytes(step) => encoded = step.operation.encode(&encoded),
                Step::Native(step) if step.shape.is_none() => append(&mut encoded, step),
                _ => {}
            }
        }
        Ok(encoded)
    }

    /// Returns the steps after the last external one, in the order of decoding.
    fn inner_steps(&self) -> &[Step] {
        let external = |step: &Step| matches!(step, Step::External(_));
        let outer = self.steps.iter().rposition(external);
        &self.steps[outer.map_or(0, |index| index + 1)..]
    }
}

/// Verifies the checksums of a step over bytes, and returns the payload.
fn strip(encoded: &[u8], step: &NativeStep) -> Result<Vec<u8>, Error> {
    let length = step.checksum_count * CHECKSUM_SIZE;
    let Some((payload, checksums)) = encoded.split_at_checked(encoded.len().wrapping_sub(length))
    else {
        return Err(Error::too_short(step.checksum_count, encoded.len() as u64));
    };
    let crc = crc32c::update(0, payload);
    checksum::verify(crc, payload.len() as u64, checksums)
        .map_err(|mismatch| diagnose(mismatch, encoded))?;
    Ok(payload.to_vec())
}

/// Appends the checksums of a step over bytes.
fn append(payload: &mut Vec<u8>, step: &NativeStep) {
    let crc = crc32c::update(0, payload);
    let end = payload.len();
    payload.resize(end + step.checksum_count * CHECKSUM_SIZE, 0);
    checksum::append(crc, &mut payload[end..]);
}

/// Returns the error for a mismatch.
fn diagnose(mismatch: Mismatch, encoded: &[u8]) -> Error {
    let mut diagnosis = Diagnosis::new(mismatch);
    diagnosis.update(encoded);
    diagnosis.conclude()
}

impl Form {
    /// Decodes a whole payload whose components move.
    fn decode_permuted(&self, permutation: &Permutation, payload: &[u8]) -> Vec<u8> {
        let mut decoded = vec![0; payload.len() * self.conversion.widening()];
        self.conversion
            .decode_permuted(permutation, payload, &mut decoded);
        match self.next.as_deref() {
            Some(
                next @ Self {
                    permutation: Some(permutation),
                    ..
                },
            ) => next.decode_permuted(permutation, &decoded),
            _ => decoded,
        }
    }

    /// Encodes a whole array whose components move.
    fn encode_permuted(&self, permutation: &Permutation, decoded: &[u8], payload: &mut [u8]) {
        let mut array = decoded.to_vec();
        if let Some(
            next @ Self {
                permutation: Some(permutation),
                ..
            },
        ) = self.next.as_deref()
        {
            next.encode_permuted(permutation, decoded, &mut array);
        }
        self.conversion
            .encode_permuted(permutation, &mut array, payload);
    }

    /// Returns the first element of a decoded array in C order that `check` rejects.
    fn first_unfit(&self, check: Conversion, decoded: &[u8]) -> Option<InvalidElement> {
        let (index, value) = check.first_invalid(decoded)?;
        Some(InvalidElement {
            index: index as u64,
            value,
            conversion: check,
        })
    }

    /// Returns the first invalid element of a decoded array. `element` is the first one of the payload, which may have
    /// another order.
    fn in_c_order(&self, element: InvalidElement, decoded: &[u8]) -> InvalidElement {
        self.first_unfit(self.conversion, decoded)
            .unwrap_or(element)
    }
}
