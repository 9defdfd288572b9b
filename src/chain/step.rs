//! The steps of a chain, and the arrays that a chunk can be decoded to.

use super::{Options, length};
use crate::{
    codec::{array_to_bytes::bytes, bytes_to_bytes::Operation},
    data_type::{DataType, TypedArray},
    kernel::{Conversion, checksum::CHECKSUM_SIZE, window},
    metadata::Endian,
};
use alloc::{string::String, vec, vec::Vec};
use serde::{Serialize, Serializer};

/// A part of a chain that is executed as a unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Step {
    /// Consecutive codecs of this package.
    Native(NativeStep),
    /// One codec of this package that is executed by itself, over bytes.
    Bytes(BytesStep),
    /// A codec from outside this package.
    External(ExternalStep),
}

/// A bytes-to-bytes codec of this package that is executed by itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BytesStep {
    /// The codec and its parameters.
    #[serde(serialize_with = "serialize_operation")]
    pub operation: Operation,
    /// The number of bytes that encoding adds.
    pub overhead: usize,
    /// The length of the decoded bytes, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload_byte_length: Option<u64>,
    /// The length of the encoded bytes, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoded_byte_length: Option<u64>,
}

fn serialize_operation<S: Serializer>(
    operation: &Operation,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_u32(operation.to_number())
}

impl BytesStep {
    /// Creates the step of a codec after `payload` bytes, if their number is known.
    pub(super) fn new(operation: Operation, payload: Option<u64>) -> Self {
        let overhead = operation.overhead();
        Self {
            operation,
            overhead,
            payload_byte_length: payload,
            encoded_byte_length: payload.map(|length| length + overhead as u64),
        }
    }
}

/// A codec from outside this package.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExternalStep {
    /// Its name in the metadata.
    pub name: String,
    /// Its index in the metadata's `codecs`, where TypeScript finds its configuration.
    pub index: usize,
    /// Its JSON path.
    pub path: String,
}

/// Consecutive codecs of this package, executed in one pass: a conversion, then checksums.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NativeStep {
    /// The arrays that the chunk can be decoded to, the default first; only bytes where an external codec decodes next.
    pub forms: Vec<Form>,
    /// The length of the payload in bytes, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload_byte_length: Option<u64>,
    /// The length of the payload and its checksums in bytes, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoded_byte_length: Option<u64>,
    /// The number of checksums after the payload.
    pub checksum_count: usize,
}

/// An array that a chunk can be decoded to and encoded from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Form {
    /// The constructor of the array.
    pub array: TypedArray,
    /// The length of the array in bytes, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte_length: Option<u64>,
    /// How the payload is converted to the array's components.
    #[serde(serialize_with = "serialize_conversion")]
    pub conversion: Conversion,
    /// Whether payload and array have the same bytes, so that decoding can return a view.
    pub is_view: bool,
    /// Whether elements are checked.
    pub is_checked: bool,
    /// Whether the chunk is decoded in the window, in one call.
    pub decodes_in_window: bool,
    /// Whether the chunk is encoded in the window, in one call.
    pub encodes_in_window: bool,
}

fn serialize_conversion<S: Serializer>(
    conversion: &Conversion,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_u32(conversion.to_number())
}

impl Step {
    /// Returns the native step, if this is one.
    pub(super) fn native(&self) -> Option<&NativeStep> {
        match self {
            Self::Native(step) => Some(step),
            Self::Bytes(_) | Self::External(_) => None,
        }
    }

    /// Returns the length of the encoded bytes, if known.
    pub(super) fn encoded_byte_length(&self) -> Option<u64> {
        match self {
            Self::Native(step) => step.encoded_byte_length,
            Self::Bytes(step) => step.encoded_byte_length,
            Self::External(_) => None,
        }
    }
}

impl NativeStep {
    /// Returns whether the step includes the array-to-bytes codec.
    pub(super) fn decodes_to_array(&self) -> bool {
        self.payload_byte_length.is_some()
    }

    /// Creates the step that begins with the `bytes` codec.
    pub(super) fn from_array(
        data_type: &DataType,
        shape: &[u64],
        endian: Option<Endian>,
        options: &Options,
    ) -> Self {
        let payload = length::payload(data_type, shape);
        let mut forms: Vec<Form> = Vec::new();
        for array in data_type.arrays {
            let conversion = bytes::conversion(data_type, endian, array, options);
            let form = Form::new(array.array, conversion, Some(payload));
            match &options.array {
                Some(name) if name == array.name => forms.insert(0, form),
                _ => forms.push(form),
            }
        }
        let mut step = Self {
            forms,
            payload_byte_length: Some(payload),
            encoded_byte_length: Some(payload),
            checksum_count: 0,
        };
        step.choose_window();
        step
    }

    /// Creates the step that begins with a bytes-to-bytes codec, after an external codec.
    pub(super) fn from_bytes() -> Self {
        let form = Form::new(TypedArray::Uint8Array, Conversion::IDENTITY, None);
        Self {
            forms: vec![form],
            payload_byte_length: None,
            encoded_byte_length: None,
            checksum_count: 0,
        }
    }

    /// Adds the `crc32c` codec.
    pub(super) fn add_checksum(&mut self) {
        self.checksum_count += 1;
        if let Some(length) = &mut self.encoded_byte_length {
            *length += CHECKSUM_SIZE as u64;
        }
        self.choose_window();
    }

    /// Decides for each form whether chunks fit into the window.
    fn choose_window(&mut self) {
        let Some(encoded) = self.encoded_byte_length else {
            return;
        };
        for form in &mut self.forms {
            let fits = window::fits(encoded) && form.byte_length.is_some_and(window::fits);
            let only_converts = self.checksum_count == 0 && !form.is_view;
            form.decodes_in_window = fits;
            form.encodes_in_window =
                fits && (only_converts || encoded <= window::LONGEST_TO_ENCODE as u64);
        }
    }
}

impl Form {
    fn new(array: TypedArray, conversion: Conversion, payload: Option<u64>) -> Self {
        Self {
            array,
            byte_length: payload.map(|length| length * conversion.widening() as u64),
            conversion,
            is_view: conversion.is_identity(),
            is_checked: conversion.is_checked(),
            decodes_in_window: false,
            encodes_in_window: false,
        }
    }
}

/// Returns the data types, each with its default array, for which that array can be a view of a little-endian payload
/// on a little-endian host. Leaves out arrays that some hosts lack, and elements of several components.
pub fn little_endian_views() -> impl Iterator<Item = (&'static str, TypedArray)> {
    DataType::all().filter_map(|data_type| {
        let default = data_type.arrays.first()?;
        let host_order = Some(Endian::HOST);
        let conversion = bytes::conversion(data_type, host_order, default, &Options::default());
        let is_view = conversion == Conversion::IDENTITY
            && default.array != TypedArray::Float16Array
            && data_type.components == 1;
        is_view.then_some((&*data_type.name, default.array))
    })
}
