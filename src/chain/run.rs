//! Decodes and encodes whole chunks natively: allocates arrays and calls the engine ([`stream`] and [`Window`]), as `js/chain/`
//! and `js/wasm/chunks.ts` do for chunks in the memory of JavaScript.

use super::{CodecChain, Form, NativeStep, Step, blocks::Blocks};
use crate::{
    codec::{
        Location,
        array_to_bytes::sharding_indexed::{self, Bounds, ENTRY_SIZE, NUMBER, ShardStep},
    },
    error::Error,
    kernel::{Conversion, checksum::CHECKSUM_SIZE, window::Window},
    stream,
};
use alloc::{borrow::Cow, boxed::Box, vec, vec::Vec};
use core::ops::Range;

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
        self.decode_to(0, encoded, &mut Box::new(Window::new()))
    }

    fn decode_to(
        &self,
        form: usize,
        encoded: &[u8],
        window: &mut Window,
    ) -> Result<Vec<u8>, Error> {
        let mut bytes = Cow::Borrowed(encoded);
        for step in self.inner_steps() {
            bytes = match step {
                Step::Bytes(step) => {
                    let length = bytes.len().saturating_sub(step.operation.overhead());
                    let mut decoded = vec![0; length];
                    step.operation
                        .decode(window, &bytes[..], &mut decoded[..], true)?;
                    decoded.into()
                }
                Step::Shard(step) => step.decode(&bytes, window)?.into(),
                Step::Native(step) if step.shape.is_none() => strip(&bytes, step, window)?.into(),
                _ => bytes,
            };
        }
        self.decode_array(&bytes, form, window)
    }

    /// Decodes to the array of a form.
    fn decode_array(
        &self,
        encoded: &[u8],
        form: usize,
        window: &mut Window,
    ) -> Result<Vec<u8>, Error> {
        let step = self.array_step();
        if step.encoded_byte_length != Some(encoded.len() as u64) {
            return Err(self.step_length_error(encoded.len() as u64));
        }
        let mut decoded = step.forms[form].decode(window, encoded, step.checksum_count)?;
        if let Some(records) = &step.records {
            stream::swap_records(window, &mut decoded[..], records);
        }
        Ok(decoded)
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
        self.encode_from(0, decoded, &mut Box::new(Window::new()))
    }

    fn encode_from(
        &self,
        form: usize,
        decoded: &[u8],
        window: &mut Window,
    ) -> Result<Vec<u8>, Error> {
        let mut encoded = self.encode_array(form, decoded, window)?;
        for step in self.inner_steps().iter().rev() {
            match step {
                Step::Bytes(step) => {
                    let mut longer = vec![0; encoded.len() + step.operation.overhead()];
                    step.operation.encode(window, &encoded[..], &mut longer[..]);
                    encoded = longer;
                }
                Step::Shard(step) => encoded = encode_shard(step, &encoded, window)?,
                Step::Native(step) if step.shape.is_none() => {
                    encoded.resize(encoded.len() + step.checksum_count * CHECKSUM_SIZE, 0);
                    stream::append(window, &mut encoded[..], step.checksum_count);
                }
                _ => {}
            }
        }
        Ok(encoded)
    }

    /// Encodes the array of a form.
    fn encode_array(
        &self,
        form: usize,
        decoded: &[u8],
        window: &mut Window,
    ) -> Result<Vec<u8>, Error> {
        let step = self.array_step();
        let form = &step.forms[form];
        if form.byte_length != Some(decoded.len() as u64) {
            return Err(self.decoded_length_error(form, decoded.len() as u64));
        }
        let mut decoded = Cow::Borrowed(decoded);
        if let Some(records) = &step.records {
            stream::swap_records(window, &mut decoded.to_mut()[..], records);
        }
        let byte_length = step.encoded_byte_length.unwrap_or_default() as usize;
        form.encode(window, &decoded, step.checksum_count, byte_length)
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
        let entries = self.index.decode(index)?;
        let window = &mut Box::new(Window::new());
        let grid = || self.grid_shape.clone();
        let mut places = vec![0; entries.len()];
        let is_ordered =
            sharding_indexed::read_places(window, &entries[..], &mut places[..], &bounds, grid)?;
        let numbers = |bytes: &[u8]| -> Vec<f64> {
            let number = |bytes: &[u8; NUMBER]| f64::from_le_bytes(*bytes);
            bytes.as_chunks().0.iter().map(number).collect()
        };
        let (starts, ends) = places.split_at(places.len() / 2);
        let (starts, ends) = (numbers(starts), numbers(ends));
        if !is_ordered {
            let sorted = |numbers: &[f64]| -> Vec<u8> {
                let mut numbers = numbers.to_vec();
                numbers.sort_by(f64::total_cmp);
                numbers.into_iter().flat_map(f64::to_le_bytes).collect()
            };
            let (starts, ends) = (sorted(&starts), sorted(&ends));
            sharding_indexed::check_places(window, &places[..], &starts, &ends, grid)?;
        }
        let place =
            |(start, end): (f64, f64)| start.is_finite().then_some(start as u64..end as u64);
        Ok(starts.into_iter().zip(ends).map(place).collect())
    }

    /// Decodes a shard to its inner chunks, one after another.
    fn decode(&self, shard: &[u8], window: &mut Window) -> Result<Vec<u8>, Error> {
        let mut chunks = Vec::new();
        for place in self.read_index(shard)? {
            match place {
                Some(place) => {
                    let chunk = &shard[place.start as usize..place.end as usize];
                    chunks.extend(self.chain.decode_to(self.form, chunk, window)?);
                }
                None => chunks.extend(self.fill_value.repeat(self.elements_per_chunk())),
            }
        }
        Ok(chunks)
    }
}

/// Encodes inner chunks, one after another, as a shard.
fn encode_shard(step: &ShardStep, chunks: &[u8], window: &mut Window) -> Result<Vec<u8>, Error> {
    let mut offset = match step.index_location {
        Location::Start => step.index_byte_length,
        Location::End => 0,
    };
    let (mut index, mut encoded) = (Vec::new(), Vec::new());
    for chunk in chunks.chunks(step.chunk_byte_length as usize) {
        if stream::is_filled(window, chunk, &step.fill_value) {
            index.extend([u8::MAX; ENTRY_SIZE]);
            continue;
        }
        let chunk = step.chain.encode_from(step.form, chunk, window)?;
        let length = chunk.len() as u64;
        index.extend([offset.to_ne_bytes(), length.to_ne_bytes()].concat());
        offset += length;
        encoded.extend(chunk);
    }
    let index = step.index.encode(&index)?;
    Ok(match step.index_location {
        Location::Start => [index, encoded],
        Location::End => [encoded, index],
    }
    .concat())
}

/// Verifies the checksums of a step over bytes, and returns the payload.
fn strip(encoded: &[u8], step: &NativeStep, window: &mut Window) -> Result<Vec<u8>, Error> {
    let count = step.checksum_count;
    stream::check(window, encoded, Conversion::IDENTITY, count, &[])?;
    Ok(encoded[..encoded.len() - count * CHECKSUM_SIZE].to_vec())
}

impl Form {
    /// Decodes a chunk of the right length.
    fn decode(
        &self,
        window: &mut Window,
        encoded: &[u8],
        checksum_count: usize,
    ) -> Result<Vec<u8>, Error> {
        let decoded = match self.decode_in_window(window, encoded, checksum_count) {
            Some(decoded) => decoded,
            None => self.decode_long(window, encoded, checksum_count)?,
        };
        match &self.next {
            Some(next) => next.decode(window, &decoded, 0),
            None => Ok(decoded),
        }
    }

    fn decode_in_window(
        &self,
        window: &mut Window,
        encoded: &[u8],
        checksum_count: usize,
    ) -> Option<Vec<u8>> {
        let (length, permutation) = (encoded.len(), self.permutation.as_ref());
        if !self.decodes_in_window {
            return None;
        }
        window.halves().0[..length].copy_from_slice(encoded);
        let is_valid = match self.is_view {
            true => window.check(length, self.conversion, checksum_count),
            false => window.decode(length, self.conversion, permutation, checksum_count),
        };
        let (encoded, decoded) = window.halves();
        let half = if self.is_view { encoded } else { decoded };
        is_valid.then(|| half[..self.length()].to_vec())
    }

    fn decode_long(
        &self,
        window: &mut Window,
        encoded: &[u8],
        checksum_count: usize,
    ) -> Result<Vec<u8>, Error> {
        let (conversion, order) = (self.conversion, &self.payload_order);
        if self.permutation.is_some() || !order.is_empty() {
            stream::check(window, encoded, conversion, checksum_count, order)?;
        }
        let mut decoded = vec![0; self.length()];
        if let Some(permutation) = &self.permutation {
            let payload = &encoded[..encoded.len() - checksum_count * CHECKSUM_SIZE];
            let blocks = Blocks::split(permutation, conversion, false);
            stream::by_blocks(window, &blocks, payload, &mut decoded[..]);
        } else {
            let target = Some(&mut decoded[..]);
            stream::decode(window, encoded, target, conversion, checksum_count)?;
        }
        Ok(decoded)
    }

    /// Encodes an array of the right length to `byte_length` bytes.
    fn encode(
        &self,
        window: &mut Window,
        array: &[u8],
        checksum_count: usize,
        byte_length: usize,
    ) -> Result<Vec<u8>, Error> {
        if let Some(check) = self.array_check {
            stream::check(window, array, check, 0, &self.array_order)?;
        }
        let decoded = match &self.next {
            Some(next) => Cow::Owned(next.encode(window, array, 0, next.length())?),
            None => Cow::Borrowed(array),
        };
        if let Some(encoded) = self.encode_in_window(window, &decoded, checksum_count, byte_length)
        {
            return Ok(encoded);
        }
        let mut encoded = vec![0; byte_length];
        let conversion = self.conversion;
        if self.permutation.is_some() || !self.array_order.is_empty() {
            stream::check(window, array, conversion, 0, &self.array_order)?;
        }
        if let Some(permutation) = &self.permutation {
            let blocks = Blocks::split(permutation, conversion, true);
            stream::by_blocks(window, &blocks, &decoded[..], &mut encoded[..]);
            stream::append(window, &mut encoded[..], checksum_count);
        } else {
            stream::encode(
                window,
                &decoded[..],
                &mut encoded[..],
                conversion,
                checksum_count,
            )?;
        }
        Ok(encoded)
    }

    fn encode_in_window(
        &self,
        window: &mut Window,
        decoded: &[u8],
        checksum_count: usize,
        byte_length: usize,
    ) -> Option<Vec<u8>> {
        if !self.encodes_in_window {
            return None;
        }
        let permutation = self.permutation.as_ref();
        window.halves().1[..decoded.len()].copy_from_slice(decoded);
        let is_valid = window.encode(byte_length, self.conversion, permutation, checksum_count);
        is_valid.then(|| window.halves().0[..byte_length].to_vec())
    }

    /// Returns the length of the array in bytes.
    fn length(&self) -> usize {
        self.byte_length.unwrap_or_default() as usize
    }
}
