//! The lengths of chunks, and how error messages explain them.

use super::{CodecChain, Form, Step};
use crate::{
    data_type::DataType, error::Error, kernel::checksum::CHECKSUM_SIZE, metadata::Located,
    text::counted,
};
use alloc::{borrow::ToOwned, string::String};

/// The longest chunk, encoded or decoded, in bytes: one that every JavaScript engine can hold in an `ArrayBuffer`.
pub const LONGEST_CHUNK: u64 = u32::MAX as u64;

/// Returns the length of a chunk's payload in bytes. [`check`] ensures that it does not overflow.
pub(crate) fn payload(data_type: &DataType, shape: &[u64]) -> u64 {
    shape.iter().product::<u64>() * data_type.element_size()
}

/// Checks that the payload of a chunk is not too long, so that computing lengths cannot overflow.
pub(super) fn check(
    data_type: &DataType,
    shape: &[u64],
    located_shape: &Located,
) -> Result<(), Error> {
    let elements = shape
        .iter()
        .try_fold(1, |n: u64, &length| n.checked_mul(length));
    match elements.and_then(|n| n.checked_mul(data_type.element_size())) {
        Some(payload) if payload <= LONGEST_CHUNK => Ok(()),
        _ => Err(too_long(
            located_shape,
            arithmetic(shape, data_type.element_size(), 0),
        )),
    }
}

fn too_long(located_shape: &Located, arithmetic: String) -> Error {
    let expected = text!["a chunk of at most ", LONGEST_CHUNK, " bytes"];
    located_shape.expected(&expected, arithmetic)
}

impl Form {
    /// Returns whether the array is short enough, as far as its length is known.
    fn fits(&self) -> bool {
        self.byte_length
            .is_none_or(|length| length <= LONGEST_CHUNK)
    }
}

impl CodecChain {
    /// Checks that a chunk is not too long, neither encoded nor decoded to the default array. Drops other arrays that
    /// would be too long.
    pub(super) fn check_lengths(&mut self, located_shape: &Located) -> Result<(), Error> {
        let Some((data_type, shape)) = &self.array else {
            return Ok(());
        };
        let size = data_type.element_size();
        let payload = payload(data_type, shape);
        for step in &mut self.steps {
            if let Some(length) = step.encoded_byte_length()
                && length > LONGEST_CHUNK
            {
                let checksums = checksum_count(length - payload);
                return Err(too_long(located_shape, arithmetic(shape, size, checksums)));
            }
            let Step::Native(step) = step else {
                continue;
            };
            if let [default, ..] = &step.forms[..]
                && !default.fits()
            {
                let size = size * default.conversion.widening() as u64;
                return Err(too_long(located_shape, arithmetic(shape, size, 0)));
            }
            step.forms.retain(Form::fits);
            if let Some(stored) = &mut step.stored {
                stored.forms.retain(Form::fits);
            }
        }
        Ok(())
    }

    /// Returns the error for an encoded chunk of `actual` bytes, which is not the expected length.
    pub fn encoded_length_error(&self, actual: u64) -> Error {
        if let Some(shard) = self.shard() {
            return shard.too_short(actual);
        }
        let length = self.encoded_byte_length();
        self.length_error("encoded", length.unwrap_or_default(), 1, actual)
    }

    /// Returns the error for bytes of the step to an array: `actual` of them, which is not the expected length.
    pub fn step_length_error(&self, actual: u64) -> Error {
        let length = self.array_step().encoded_byte_length;
        self.length_error("encoded", length.unwrap_or_default(), 1, actual)
    }

    /// Returns the error for a decoded chunk of `actual` bytes, which is not the expected length.
    pub fn decoded_length_error(&self, form: &Form, actual: u64) -> Error {
        let widening = form.conversion.widening() as u64;
        let expected = form.byte_length.unwrap_or_default();
        self.length_error("decoded", expected, widening, actual)
    }

    /// Returns the error about a length, where decoded elements are `widening` times as long as encoded ones.
    fn length_error(
        &self,
        representation: &'static str,
        expected: u64,
        widening: u64,
        actual: u64,
    ) -> Error {
        let arithmetic = self.array.as_ref().map(|(data_type, shape)| {
            let checksums = checksum_count(expected - payload(data_type, shape) * widening);
            arithmetic(shape, data_type.element_size() * widening, checksums)
        });
        Error::length(
            representation,
            expected,
            actual,
            &arithmetic.unwrap_or_default(),
        )
    }
}

/// Returns how many checksums `overhead` bytes are: all that codecs of this package add to a payload.
fn checksum_count(overhead: u64) -> usize {
    overhead as usize / CHECKSUM_SIZE
}

/// Describes how the length of a chunk is computed, for example `64 x 16 elements x 4 bytes + 4 checksum`.
fn arithmetic(shape: &[u64], element_size: u64, checksum_count: usize) -> String {
    /// The number of dimensions that are written out at most.
    const MOST: usize = 8;
    let mut elements = String::new();
    for (axis, length) in shape.iter().take(MOST).enumerate() {
        let times = if axis > 0 { " x " } else { "" };
        elements += &text![times, *length];
    }
    elements += &match shape {
        [] => "1 element".to_owned(),
        [1] => " element".to_owned(),
        _ if shape.len() <= MOST => " elements".to_owned(),
        _ => text![" x ... elements in ", shape.len(), " dimensions"],
    };
    let size = counted(element_size, "byte");
    let checksums = match checksum_count {
        0 => String::new(),
        1 => text![" + ", CHECKSUM_SIZE, " checksum"],
        count => text![" + ", count, " x ", CHECKSUM_SIZE, " checksums"],
    };
    text![elements, " x ", size, checksums]
}
