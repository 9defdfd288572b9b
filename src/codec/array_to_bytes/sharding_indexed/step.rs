//! The step of the `sharding_indexed` codec.

use crate::{
    chain::{CodecChain, Form, NativeStep, Options, Step, payload_length},
    codec::{Codec, Location, array_to_array::ArrayCodecs},
    data_type::{ArrayOption, DataType, TypedArray},
    error::Error,
    kernel::Check,
    metadata::{ChainMetadata, Endian, Extension, Json, Located, fill_value},
};
use alloc::{string::String, sync::Arc, vec, vec::Vec};
use core::mem;
use serde::Serialize;

/// Decodes a shard to its inner chunks, one after another in C order of their grid, each decoded to components in the byte
/// order of this host. The native step after it moves them to their places in the array.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShardStep {
    /// The JSON path of the codec.
    pub path: String,
    /// The shape of an inner chunk, in elements.
    pub chunk_shape: Vec<u64>,
    /// The number of inner chunks in each dimension.
    pub grid_shape: Vec<u64>,
    /// The chain of inner chunks. Its codecs, and those of the index, are in the configuration.
    pub chain: CodecChain,
    /// An array, which every host has, whose bytes are those of the elements.
    pub array: TypedArray,
    /// The form of inner chunks for that array, unless a codec of others decodes them.
    pub form: usize,
    /// The length of a decoded inner chunk in bytes.
    pub chunk_byte_length: u64,
    /// The length of an encoded inner chunk in bytes, if it is fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoded_chunk_byte_length: Option<u64>,
    /// The chain of the index: `uint64` of the shape of the grid and 2.
    pub index: CodecChain,
    /// The length of the encoded index in bytes.
    pub index_byte_length: u64,
    /// The place of the index.
    pub index_location: Location,
    /// The bytes of an element of missing inner chunks, which shards in shards share.
    pub fill_value: Arc<[u8]>,
    /// How inner chunks become a part of the array that is contiguous and as small as possible, if that is not all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slab: Option<NativeStep>,
}

impl ShardStep {
    /// Resolves the codec for an array of a data type and shape. Also returns the codecs of inner chunks and of the index.
    ///
    /// # Errors
    /// Returns [`Error::InvalidMetadata`].
    pub(super) fn resolve(
        data_type: &DataType,
        shape: &[u64],
        (chunk_shape, index_location): (&[u64], Location),
        extension: &Extension,
        metadata: &ChainMetadata,
        options: &Options,
    ) -> Result<(Self, Vec<Codec>, Vec<Codec>), Error> {
        let located_shape = extension.configuration.member("chunk_shape");
        let grid_shape = grid_shape(chunk_shape, shape, &located_shape)?;
        let mut chain = CodecChain::resolve(
            &ChainMetadata {
                shape: located_shape,
                codecs: extension.configuration.member("codecs"),
                ..*metadata
            },
            options,
        )?;
        let index_codecs = extension.configuration.member("index_codecs");
        let mut index = index_chain(&grid_shape, index_codecs, &located_shape, options)?;
        let codecs = mem::take(&mut chain.codecs);
        let index_codecs = mem::take(&mut index.codecs);
        let array = element_array(data_type);
        let mut form = 0;
        if let Some(Step::Native(step)) = chain.steps.last_mut() {
            let is_it = |form: &Form| form.array == array;
            form = step.forms.iter().position(is_it).unwrap_or_default();
            // Elements are checked as those of the shard before they are encoded, and then have their encoded bits.
            step.forms[form].array_check = None;
        }
        let fill_value = match chain.shard() {
            Some(inner) => Arc::clone(&inner.fill_value),
            None => fill_value::read(&metadata.data_type, &metadata.fill_value)?.into(),
        };
        let step = Self {
            path: extension.located().path(),
            chunk_shape: chunk_shape.to_vec(),
            grid_shape,
            array,
            form,
            chunk_byte_length: payload_length(data_type, chunk_shape),
            encoded_chunk_byte_length: chain.encoded_byte_length(),
            chain,
            index_byte_length: index.encoded_byte_length().unwrap_or_default(),
            index,
            index_location,
            fill_value,
            slab: None,
        };
        Ok((step, codecs, index_codecs))
    }

    /// Returns the step from all inner chunks, one after another, to the array. `array_codecs` ends with the order of inner
    /// chunks.
    pub(super) fn array(
        data_type: &DataType,
        shape: &[u64],
        array_codecs: &ArrayCodecs,
        options: &Options,
    ) -> NativeStep {
        // Elements have been checked as those of inner chunks.
        let unchecked = DataType {
            check: Check::Nothing,
            ..data_type.clone()
        };
        NativeStep::from_array(&unchecked, shape, array_codecs, Some(Endian::HOST), options)
    }

    /// Returns [`Self::slab`] for an array of this shape.
    pub(super) fn resolve_slab(
        &self,
        data_type: &DataType,
        shape: &[u64],
        options: &Options,
    ) -> Option<NativeStep> {
        let outermost = shape.iter().position(|&length| length > 1)?;
        if self.grid_shape[outermost] == 1 {
            return None;
        }
        let mut shape = shape.to_vec();
        shape[outermost] = self.chunk_shape[outermost];
        let mut array_codecs = ArrayCodecs::new(&shape);
        array_codecs.split(&shape, &self.chunk_shape);
        Some(Self::array(data_type, &shape, &array_codecs, options))
    }

    /// Returns the number of elements of an inner chunk.
    pub fn elements_per_chunk(&self) -> usize {
        self.chunk_byte_length as usize / self.fill_value.len()
    }

    /// Returns the error for a shard of `actual` bytes, which is shorter than its index.
    pub fn too_short(&self, actual: u64) -> Error {
        let least = self.index_byte_length;
        Error::length("encoded", least, actual, "at least the shard index")
    }
}

/// Returns how many inner chunks there are in each dimension of an array.
///
/// # Errors
/// Returns [`Error::InvalidMetadata`] unless inner chunks divide the array evenly. `located` is their shape.
fn grid_shape(chunk_shape: &[u64], shape: &[u64], located: &Located) -> Result<Vec<u64>, Error> {
    if chunk_shape.len() != shape.len() {
        let expected = text![shape.len(), " lengths, one for each dimension"];
        return Err(located.expected(&expected, text![chunk_shape.len()]));
    }
    let mut grid = Vec::new();
    for (axis, item) in located.items("an array")?.enumerate() {
        if !shape[axis].is_multiple_of(chunk_shape[axis]) {
            let expected = text!["a divisor of ", shape[axis], ", the length of the shard"];
            return Err(item.invalid(&expected));
        }
        grid.push(shape[axis] / chunk_shape[axis]);
    }
    Ok(grid)
}

/// Returns an array that every host has, and that holds the components without a cast.
fn element_array(data_type: &DataType) -> TypedArray {
    let holds = |option: &&ArrayOption| {
        option.array != TypedArray::Float16Array
            && option.array.component_size() == data_type.component_size
    };
    let option = data_type.arrays.iter().find(holds);
    option.unwrap_or(&data_type.arrays[0]).array
}

/// Resolves the chain of an index.
fn index_chain(
    grid_shape: &[u64],
    codecs: Located,
    located_shape: &Located,
    options: &Options,
) -> Result<CodecChain, Error> {
    let mut shape = vec![];
    for &length in grid_shape {
        shape.push(Json::Number(length as f64));
    }
    shape.push(Json::Number(2.0));
    let (data_type, shape) = (Json::String("uint64".into()), Json::Array(shape));
    let path = located_shape.path();
    let metadata = ChainMetadata {
        data_type: Located::at("data_type", Some(&data_type)),
        shape: Located::at(&path, Some(&shape)),
        codecs,
        fill_value: Located::at("fill_value", None),
    };
    CodecChain::resolve_index(&metadata, options)
}
