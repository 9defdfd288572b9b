//! Decodes and encodes whole chunks natively. (Chunks from JavaScript stream through a window: `src/wasm/stream.rs`.)

use super::{CodecChain, Form, NativeStep, ShardStep, Step};
use crate::{
    codec::array_to_bytes::sharding_indexed::{self, Bounds, ENTRY_SIZE, IndexLocation},
    diagnosis::diagnose_bytes,
    error::Error,
    kernel::{
        ChunkStream, Conversion, InvalidElement, Permutation,
        checksum::{self, CHECKSUM_SIZE},
        crc32c, filled,
    },
};
use alloc::{borrow::Cow, vec, vec::Vec};
use core::ops::Range;

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
        self.decode_to(0, encoded)
    }

    fn decode_to(&self, form: usize, encoded: &[u8]) -> Result<Vec<u8>, Error> {
        let mut bytes = Cow::Borrowed(encoded);
        for step in self.inner_steps() {
            bytes = match step {
                Step::Bytes(step) => step.operation.decode(&bytes)?.into(),
                Step::Shard(step) => step.decode(&bytes)?.into(),
                Step::Native(step) if step.shape.is_none() => strip(&bytes, step)?.into(),
                _ => bytes,
            };
        }
        self.decode_array(&bytes, form)
    }

    /// Decodes to the array of a form.
    fn decode_array(&self, encoded: &[u8], form: usize) -> Result<Vec<u8>, Error> {
        let step = self.array_step();
        if step.encoded_byte_length != Some(encoded.len() as u64) {
            return Err(self.step_length_error(encoded.len() as u64));
        }
        let form = &step.forms[form];
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
            Err(mismatch) => Err(diagnose_bytes(mismatch, encoded)),
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
        self.encode_from(0, decoded)
    }

    fn encode_from(&self, form: usize, decoded: &[u8]) -> Result<Vec<u8>, Error> {
        let step = self.array_step();
        let form = &step.forms[form];
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
                Step::Shard(step) => encoded = encode_shard(step, &encoded)?,
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

impl ShardStep {
    /// Reads the index of a shard: the places of all inner chunks, none where one is missing. They lie in the shard, outside
    /// the index and apart from each other.
    ///
    /// # Errors
    /// Returns [`Error::ChunkLength`], [`Error::ChecksumMismatch`] or [`Error::InvalidEntry`].
    pub fn read_index(&self, shard: &[u8]) -> Result<Vec<Option<Range<u64>>>, Error> {
        let index_length = self.index_byte_length;
        let length = shard.len() as u64;
        if length < index_length {
            return Err(self.too_short(length));
        }
        let bounds = Bounds::new(
            self.index_location,
            index_length,
            Some(length),
            self.encoded_chunk_byte_length,
        );
        let index = &shard[bounds.index.start as usize..bounds.index.end as usize];
        let mut places: Vec<Option<Range<u64>>> = Vec::new();
        for (number, entry) in self.index.decode(index)?.chunks(ENTRY_SIZE).enumerate() {
            let number = number as u64;
            let place = bounds.place(number, sharding_indexed::numbers(entry), || {
                self.grid_shape.clone()
            })?;
            if let Some(place) = &place {
                // Empty places overlap nothing.
                let overlaps = |(_, other): &(usize, &Range<u64>)| {
                    place.start.max(other.start) < place.end.min(other.end)
                };
                let mut others = places
                    .iter()
                    .enumerate()
                    .filter_map(|(at, other)| Some((at, other.as_ref()?)));
                if let Some((at, other)) = others.find(overlaps) {
                    let other = (at as u64, other.clone());
                    return Err(sharding_indexed::overlap(
                        number,
                        place.clone(),
                        other,
                        &self.grid_shape,
                    ));
                }
            }
            places.push(place);
        }
        Ok(places)
    }

    /// Decodes a shard to its inner chunks, one after another.
    fn decode(&self, shard: &[u8]) -> Result<Vec<u8>, Error> {
        let mut chunks = Vec::new();
        for place in self.read_index(shard)? {
            match place {
                Some(place) => {
                    let chunk = &shard[place.start as usize..place.end as usize];
                    chunks.extend(self.chain.decode_to(self.form, chunk)?);
                }
                None => chunks.extend(self.fill_value.repeat(self.elements_per_chunk())),
            }
        }
        Ok(chunks)
    }
}

/// Encodes inner chunks, one after another, as a shard.
fn encode_shard(step: &ShardStep, chunks: &[u8]) -> Result<Vec<u8>, Error> {
    let mut offset = match step.index_location {
        IndexLocation::Start => step.index_byte_length,
        IndexLocation::End => 0,
    };
    let (mut index, mut encoded) = (Vec::new(), Vec::new());
    for chunk in chunks.chunks(step.chunk_byte_length as usize) {
        if filled::is_filled(chunk, &step.fill_value) {
            index.extend([u8::MAX; ENTRY_SIZE]);
            continue;
        }
        let chunk = step.chain.encode_from(step.form, chunk)?;
        let length = chunk.len() as u64;
        index.extend([offset.to_ne_bytes(), length.to_ne_bytes()].concat());
        offset += length;
        encoded.extend(chunk);
    }
    let index = step.index.encode(&index)?;
    Ok(match step.index_location {
        IndexLocation::Start => [index, encoded],
        IndexLocation::End => [encoded, index],
    }
    .concat())
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
        .map_err(|mismatch| diagnose_bytes(mismatch, encoded))?;
    Ok(payload.to_vec())
}

/// Appends the checksums of a step over bytes.
fn append(payload: &mut Vec<u8>, step: &NativeStep) {
    let crc = crc32c::update(0, payload);
    let end = payload.len();
    payload.resize(end + step.checksum_count * CHECKSUM_SIZE, 0);
    checksum::append(crc, &mut payload[end..]);
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
