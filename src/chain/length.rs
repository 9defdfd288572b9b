//! The lengths of chunks, and how error messages explain them.

use super::{CodecChain, Form, NativeStep, Step};
use crate::{
    data_type::DataType, error::Error, kernel::checksum::CHECKSUM_SIZE, metadata::Located,
};
use alloc::{borrow::ToOwned, format, string::String};

/// The longest chunk, encoded or decoded, in bytes: one that every JavaScript engine can hold in an `ArrayBuffer`.
pub const LONGEST_CHUNK: u64 = u32::MAX as u64;

/// Returns the length of a chunk's payload in bytes. [`check`] ensures that it does not overflow.
pub(super) fn payload(data_type: &DataType, shape: &[u64]) -> u64 {
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
    let expected = format!("a chunk of at most {LONGEST_CHUNK} bytes");
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
        let Self {
            data_type,
            shape,
            steps,
            ..
        } = self;
        for step in steps {
            let Step::Native(step) = step else {
                continue;
            };
            let checksums = step.checksum_count;
            if step
                .encoded_byte_length
                .is_some_and(|length| length > LONGEST_CHUNK)
            {
                return Err(too_long(
                    located_shape,
                    arithmetic(shape, data_type.element_size(), checksums),
                ));
            }
            if let [default, ..] = &step.forms[..]
                && !default.fits()
            {
                let size = data_type.element_size() * default.conversion.widening() as u64;
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
    pub fn encoded_length_error(&self, step: &NativeStep, actual: u64) -> Error {
        let size = self.data_type.element_size();
        let arithmetic = arithmetic(&self.shape, size, step.checksum_count);
        let expected = step.encoded_byte_length.unwrap_or_default();
        Error::length("encoded", expected, actual, &arithmetic)
    }

    /// Returns the error for a decoded chunk of `actual` bytes, which is not the expected length.
    pub fn decoded_length_error(&self, form: &Form, actual: u64) -> Error {
        let size = self.data_type.element_size() * form.conversion.widening() as u64;
        let expected = form.byte_length.unwrap_or_default();
        Error::length(
            "decoded",
            expected,
            actual,
            &arithmetic(&self.shape, size, 0),
        )
    }
}

/// Describes how the length of a chunk is computed, for example `64 x 16 elements x 4 bytes + 4 checksum`.
fn arithmetic(shape: &[u64], element_size: u64, checksum_count: usize) -> String {
    /// The number of dimensions that are written out at most.
    const MOST: usize = 8;
    let mut elements = String::new();
    for (axis, length) in shape.iter().take(MOST).enumerate() {
        let times = if axis > 0 { " x " } else { "" };
        elements += &format!("{times}{length}");
    }
    elements += &match shape {
        [] => "1 element".to_owned(),
        [1] => " element".to_owned(),
        _ if shape.len() <= MOST => " elements".to_owned(),
        _ => format!(" x ... elements in {} dimensions", shape.len()),
    };
    let unit = if element_size == 1 { "byte" } else { "bytes" };
    let checksums = match checksum_count {
        0 => String::new(),
        1 => format!(" + {CHECKSUM_SIZE} checksum"),
        count => format!(" + {count} x {CHECKSUM_SIZE} checksums"),
    };
    format!("{elements} x {element_size} {unit}{checksums}")
}
