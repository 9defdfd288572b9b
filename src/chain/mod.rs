//! The codec chain of an array: resolved once, used for every chunk.
//!
//! Specification: [core, "Chunk encoding"](https://zarr-specs.readthedocs.io/en/latest/v3/core/#chunk-encoding).

pub mod blocks;
mod builder;
mod form;
mod length;
mod records;
mod run;
mod step;

pub use builder::Builder;
pub use form::Form;
pub use length::LONGEST_CHUNK;
pub(crate) use length::payload as payload_length;
pub use records::{Part, Records};
pub use step::{BytesStep, ExternalStep, Layout, NativeStep, Step, little_endian_views};

use crate::{
    codec::{
        Codec, Kind,
        array_to_array::{ArrayCodecs, is_dense},
        array_to_bytes::sharding_indexed::ShardStep,
    },
    data_type::DataType,
    error::Error,
    metadata::{ChainMetadata, Endian, Extension, Json, Located, read_shape},
};
use alloc::{string::String, vec::Vec};
use serde::Serialize;

/// Options of [`CodecChain::resolve`]; the default is strict.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options<'a> {
    /// The byte order to assume where the metadata of a multi-byte data type lacks it.
    pub missing_endian: Option<Endian>,
    /// Whether a `bool` element other than 0 and 1 counts as true, instead of being an error.
    pub accept_invalid_bool: bool,
    /// The [name](crate::data_type::ArrayOption::name) of the default array, for data types that have several. Other
    /// names have no effect.
    pub array: Option<String>,
    /// Whether the default array of `bfloat16` and smaller floating-point numbers is that of their bits.
    pub small_float_bits: bool,
    /// Whether the caller can provide external codecs; none of `external` is then an error that says how.
    pub loads: bool,
    /// The external codecs that the caller provides. They become steps, all others are errors.
    pub external: Vec<External<'a>>,
}

/// An external codec that the caller provides.
#[derive(Clone, Debug, PartialEq)]
pub struct External<'a> {
    /// Its JSON path.
    pub path: &'a str,
    /// Its kind.
    pub kind: Kind,
    /// The data type and the shape that an array-to-array codec encodes to, in metadata, if they change.
    pub encoded: Option<(&'a Json, &'a Json)>,
}

impl<'a> Options<'a> {
    /// Returns the external codec that the caller provides for an entry of `codecs`.
    fn external(&self, codec: &Located) -> Option<&External<'a>> {
        if self.external.is_empty() {
            return None;
        }
        let path = codec.path();
        self.external.iter().find(|external| external.path == path)
    }
}

/// A resolved codec chain.
///
/// TypeScript gets it serialized.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CodecChain {
    /// The name of the data type.
    pub data_type: String,
    /// The data type and the shape that the step to an array decodes to. They differ from those of the chunk only after
    /// external codecs.
    #[serde(skip)]
    array: Option<(DataType, Vec<u64>)>,
    /// The shape of a chunk, in elements.
    pub shape: Vec<u64>,
    /// The codecs in the order of encoding, those of this package with aliases, short-hands and assumed byte orders resolved.
    pub codecs: Vec<Codec>,
    /// The steps, in the order of decoding.
    pub steps: Vec<Step>,
    /// The array-to-array codecs that the step to an array includes.
    #[serde(skip)]
    array_codecs: ArrayCodecs,
}

impl CodecChain {
    /// Validates metadata and resolves it to the steps that decode a chunk.
    ///
    /// # Errors
    /// Returns [`Error::InvalidMetadata`] with the path of the first problem.
    pub fn resolve(metadata: &ChainMetadata, options: &Options) -> Result<Self, Error> {
        Self::resolve_any(metadata, options, false)
    }

    /// Resolves the chain of a shard's index, whose codecs have a fixed size.
    pub(crate) fn resolve_index(
        metadata: &ChainMetadata,
        options: &Options,
    ) -> Result<Self, Error> {
        Self::resolve_any(metadata, options, true)
    }

    fn resolve_any(
        metadata: &ChainMetadata,
        options: &Options,
        is_index: bool,
    ) -> Result<Self, Error> {
        let mut encodes_array = false;
        for item in metadata.codecs.items("").into_iter().flatten() {
            let external = options.external(&item);
            encodes_array |= external.is_some_and(|external| external.kind == Kind::ArrayToBytes);
        }
        // Only an external codec can know other data types.
        let data_type = match encodes_array {
            true => None,
            false => Some(DataType::from_metadata(&metadata.data_type)?),
        };
        let shape = read_shape(&metadata.shape)?;
        if let Some(data_type) = &data_type {
            length::check(data_type, &shape, &metadata.shape)?;
        }
        let array = data_type.map(|data_type| (data_type, shape.clone()));
        let mut builder = Builder::new(metadata, options, is_index, array, &shape);
        for item in metadata.codecs.items("an array of codecs")? {
            builder.add(&item)?;
        }
        let builder = builder.finish(&metadata.codecs)?;
        let mut chain = Self {
            data_type: Extension::read(&metadata.data_type, "a data type")?
                .name
                .into(),
            array: builder.array,
            shape,
            codecs: builder.codecs,
            steps: builder.steps,
            array_codecs: builder.array_codecs,
        };
        chain.check_lengths(&metadata.shape)?;
        Ok(chain)
    }

    /// Returns the length of an encoded chunk in bytes, if it is fixed.
    pub fn encoded_byte_length(&self) -> Option<u64> {
        self.steps.first().and_then(Step::encoded_byte_length)
    }

    /// Returns the `sharding_indexed` codec, if this chain has it.
    pub fn shard(&self) -> Option<&ShardStep> {
        self.steps.iter().find_map(|step| match step {
            Step::Shard(step) => Some(&**step),
            _ => None,
        })
    }

    /// Returns the chain of the inner chunks of a shard.
    ///
    /// # Panics
    /// Panics if this chain has no `sharding_indexed` codec.
    pub fn into_inner(self) -> Self {
        let shard = self.steps.into_iter().find_map(|step| match step {
            Step::Shard(step) => Some(step),
            _ => None,
        });
        shard.expect("a shard").chain
    }

    /// Returns the native step that decodes bytes to an array.
    ///
    /// # Panics
    /// Panics if an external codec does that.
    pub fn array_step(&self) -> &NativeStep {
        self.steps
            .iter()
            .filter_map(Step::native)
            .find(|step| step.shape.is_some())
            .expect("an array-to-bytes codec of this package")
    }

    /// Returns the arrays with these strides that a chunk can be encoded from; none unless an array with these strides
    /// has each element once and no gaps.
    ///
    /// # Panics
    /// As [`Self::array_step`].
    pub fn layout(&self, stride: &[u64]) -> Option<Layout> {
        let (data_type, shape) = self.array.as_ref()?;
        let is_valid = stride.len() == shape.len() && is_dense(shape, stride);
        let layout = || {
            self.array_step()
                .layout(data_type, shape, &self.array_codecs, stride)
        };
        is_valid.then(layout)
    }
}
