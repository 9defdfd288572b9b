//! The steps of a chain, and the arrays that a chunk can be decoded to.

use super::{Form, Options, form::words, length, records::Records};
use crate::{
    codec::{
        array_to_array::{ArrayCodecs, c_order},
        array_to_bytes::{bytes, sharding_indexed::ShardStep},
        bytes_to_bytes::Operation,
    },
    data_type::{BITS, DataType, Parameters, TypedArray},
    kernel::{Conversion, checksum::CHECKSUM_SIZE},
    metadata::{Endian, Extension, Located},
};
use alloc::{boxed::Box, string::String, vec, vec::Vec};
use serde::{Serialize, Serializer};

/// A part of a chain that is executed as a unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Step {
    /// Consecutive codecs of this package.
    Native(NativeStep),
    /// One codec of this package that is executed by itself, over bytes.
    Bytes(BytesStep),
    /// The `sharding_indexed` codec.
    Shard(Box<ShardStep>),
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
    /// Its JSON path, by which TypeScript finds its implementation.
    pub path: String,
    /// The length of the bytes that it decodes to, if it is a bytes-to-bytes codec and that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decoded_byte_length: Option<u64>,
}

/// Consecutive codecs of this package, executed in one pass: a conversion, then checksums.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NativeStep {
    /// The arrays that the chunk can be decoded to, the default first; only bytes where an external codec decodes next.
    pub forms: Vec<Form>,
    /// The same arrays in the order of the payload, if it is not C order and can be described by strides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<Layout>,
    /// The length of the payload in bytes, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload_byte_length: Option<u64>,
    /// The length of the payload and its checksums in bytes, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoded_byte_length: Option<u64>,
    /// The number of checksums after the payload.
    pub checksum_count: usize,
    /// The shape of the array, in elements, if the step includes the array-to-bytes codec.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<Vec<u64>>,
    /// The strides of the array in C order, in elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stride: Option<Vec<u64>>,
    /// What is swapped in each element, where an element has components of several sizes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<Records>,
    /// Whether there is more to an element than its components: fields, or a string.
    pub has_views: bool,
}

/// The arrays that a chunk can be decoded to and encoded from with other strides than those of C order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Layout {
    /// The strides, in elements.
    pub stride: Vec<u64>,
    /// The arrays, in the order of [`NativeStep::forms`].
    pub forms: Vec<Form>,
}

impl ExternalStep {
    /// Creates the step of a codec.
    pub(super) fn new(extension: &Extension, metadata: &Located) -> Self {
        Self {
            name: extension.name.into(),
            path: metadata.path(),
            decoded_byte_length: None,
        }
    }
}

impl Step {
    /// Returns the native step, if this is one.
    pub(super) fn native(&self) -> Option<&NativeStep> {
        match self {
            Self::Native(step) => Some(step),
            Self::Bytes(_) | Self::Shard(_) | Self::External(_) => None,
        }
    }

    /// Returns the length of the encoded bytes, if known.
    pub(super) fn encoded_byte_length(&self) -> Option<u64> {
        match self {
            Self::Native(step) => step.encoded_byte_length,
            Self::Bytes(step) => step.encoded_byte_length,
            Self::Shard(_) | Self::External(_) => None,
        }
    }
}

impl NativeStep {
    /// Creates the step that begins with the `bytes` codec, after array-to-array codecs.
    pub(crate) fn from_array(
        data_type: &DataType,
        shape: &[u64],
        array_codecs: &ArrayCodecs,
        endian: Option<Endian>,
        options: &Options,
    ) -> Self {
        let payload = length::payload(data_type, shape);
        let wanted = match data_type.arrays[0].array {
            TypedArray::Float16Array => options.array.as_deref(),
            _ => options.small_float_bits.then_some(BITS),
        };
        let mut forms: Vec<Form> = Vec::new();
        for array in data_type.arrays {
            let conversion = bytes::conversion(data_type, endian, array, options);
            let mut form = Form::new(array.array, conversion, Some(payload));
            form.array_check = conversion.check_of_array(data_type.components);
            match wanted {
                Some(name) if name == array.name => forms.insert(0, form),
                _ => forms.push(form),
            }
        }
        let mut step = Self {
            forms,
            stored: None,
            payload_byte_length: Some(payload),
            encoded_byte_length: Some(payload),
            checksum_count: 0,
            shape: Some(shape.to_vec()),
            stride: Some(c_order(shape)),
            records: Records::swapped(data_type, endian),
            has_views: data_type.parameters == Parameters::Fields || data_type.is_text(),
        };
        let in_c_order = c_order(shape);
        let c_forms = step.arranged(data_type, shape, array_codecs, &in_c_order);
        if c_forms[0].permutation.is_some()
            && let Some(stride) = array_codecs.stored_stride()
        {
            let forms = step.arranged(data_type, shape, array_codecs, &stride);
            step.stored = Some(Layout { stride, forms });
        }
        step.forms = c_forms;
        step
    }

    /// Returns the forms for arrays with these strides.
    fn arranged(
        &self,
        data_type: &DataType,
        shape: &[u64],
        array_codecs: &ArrayCodecs,
        stride: &[u64],
    ) -> Vec<Form> {
        let permutations = array_codecs.permutations(data_type, stride);
        let in_c_order = c_order(shape);
        let mut forms = Vec::new();
        for Form {
            array,
            conversion,
            byte_length,
            array_check,
            ..
        } in &self.forms
        {
            let mut form = Form::new(*array, *conversion, None);
            form.byte_length = *byte_length;
            form.array_check = *array_check;
            form.permute(&permutations);
            if form.is_checked || array_check.is_some() {
                let of_array = ArrayCodecs::of_array(shape, stride);
                form.payload_order = words(&array_codecs.permutations(data_type, &in_c_order));
                form.array_order = words(&of_array.permutations(data_type, &in_c_order));
            }
            if let Some(encoded) = self.encoded_byte_length {
                form.choose_window(encoded, self.checksum_count);
            }
            forms.push(form);
        }
        forms
    }

    /// Returns the forms for arrays with these strides, which are dense.
    pub(super) fn layout(
        &self,
        data_type: &DataType,
        shape: &[u64],
        array_codecs: &ArrayCodecs,
        stride: &[u64],
    ) -> Layout {
        Layout {
            stride: stride.to_vec(),
            forms: self.arranged(data_type, shape, array_codecs, stride),
        }
    }

    /// Creates the step that begins with a bytes-to-bytes codec, after `payload` bytes, if their number is known.
    pub(super) fn from_bytes(payload: Option<u64>) -> Self {
        let form = Form::new(TypedArray::Uint8Array, Conversion::IDENTITY, payload);
        Self {
            forms: vec![form],
            stored: None,
            payload_byte_length: payload,
            encoded_byte_length: payload,
            checksum_count: 0,
            shape: None,
            stride: None,
            records: None,
            has_views: false,
        }
    }

    /// Adds the `crc32c` codec.
    pub(crate) fn add_checksum(&mut self) {
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
        let stored = self.stored.iter_mut().flat_map(|layout| &mut layout.forms);
        for form in self.forms.iter_mut().chain(stored) {
            form.choose_window(encoded, self.checksum_count);
        }
    }
}

/// Returns the data types, each with its default array, for which that array can be a view of a little-endian payload
/// on a little-endian host. Leaves out arrays that some hosts lack, elements of several components, and data types with a
/// configuration.
pub fn little_endian_views() -> impl Iterator<Item = (String, TypedArray)> {
    DataType::all().filter_map(|data_type| {
        let default = data_type.arrays.first()?;
        let host_order = Some(Endian::HOST);
        let conversion = bytes::conversion(&data_type, host_order, default, &Options::default());
        let is_view = conversion == Conversion::IDENTITY
            && default.array != TypedArray::Float16Array
            && data_type.components == 1
            && data_type.parameters == Parameters::None;
        is_view.then(|| (data_type.name.into_owned(), default.array))
    })
}
