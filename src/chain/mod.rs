//! The codec chain of an array: resolved once, used for every chunk.
//!
//! Specification: [core, "Chunk encoding"](https://zarr-specs.readthedocs.io/en/latest/v3/core/#chunk-encoding).

pub mod blocks;
mod length;
mod records;
mod run;
mod shard;
mod step;

pub use length::LONGEST_CHUNK;
pub use records::{Part, Records};
pub use shard::ShardStep;
pub use step::{BytesStep, ExternalStep, Form, Layout, NativeStep, Step, little_endian_views};

use crate::{
    codec::{
        self, Codec, Definition, Found, Kind,
        array_to_array::{ArrayCodecs, is_dense},
        array_to_bytes::sharding_indexed::Configuration,
        bytes_to_bytes::Operation,
    },
    data_type::DataType,
    error::Error,
    metadata::{ChainMetadata, Endian, Extension, Json, Located, quoted, read_shape},
};
use alloc::{boxed::Box, string::String, vec::Vec};
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
    fn resolve_index(metadata: &ChainMetadata, options: &Options) -> Result<Self, Error> {
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
        let mut builder = Builder {
            metadata,
            is_index,
            array,
            array_codecs: ArrayCodecs::new(&shape),
            options,
            codecs: Vec::new(),
            array_steps: Vec::new(),
            steps: Vec::new(),
            last_kind: None,
        };
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

/// A chain under construction. Codecs are added in the order of the metadata, which is that of encoding.
struct Builder<'a> {
    metadata: &'a ChainMetadata<'a>,
    /// Whether this is the chain of a shard's index.
    is_index: bool,
    /// The data type and the shape that the next codec encodes, as long as they are known.
    array: Option<(DataType, Vec<u64>)>,
    options: &'a Options<'a>,
    /// In the order of the metadata.
    codecs: Vec<Codec>,
    /// The array-to-array codecs so far, which the array-to-bytes codec after them includes in its step.
    array_codecs: ArrayCodecs,
    /// The same, for the case that the codec after them is an external one.
    array_steps: Vec<ExternalStep>,
    /// In the order of encoding.
    steps: Vec<Step>,
    /// The kind of the last codec.
    last_kind: Option<Kind>,
}

/// The rules for the order of codecs, for messages.
const RULE: &str = "exactly one array-to-bytes codec, before all bytes-to-bytes codecs";
const ARRAY_RULE: &str = "array-to-array codecs before all others";

impl Builder<'_> {
    fn add(&mut self, metadata: &Located) -> Result<(), Error> {
        let (extension, found) = codec::find(metadata)?;
        if self.is_index && !found.has_fixed_size() {
            return Err(codec::no_fixed_size(&extension));
        }
        let provided = self.options.external(metadata);
        match (found, provided) {
            (Found::Native(definition), _) => {
                self.check_order(definition.kind, extension.name, metadata)?;
                if definition.kind == Kind::ArrayToArray {
                    self.array_steps
                        .push(ExternalStep::new(&extension, metadata));
                }
                self.add_native(&extension, definition, metadata)
            }
            (Found::External | Found::Ignorable, Some(external)) => {
                self.check_order(external.kind, extension.name, metadata)?;
                self.codecs.push(codec::external(&extension));
                let step = ExternalStep::new(&extension, metadata);
                self.add_external(step, external, metadata)
            }
            (Found::External, None) => Err(codec::unknown(&extension, self.options.loads)),
            (Found::Ignorable, None) => Ok(()),
        }
    }

    fn check_order(&mut self, kind: Kind, name: &str, metadata: &Located) -> Result<(), Error> {
        use Kind::{ArrayToArray, ArrayToBytes, BytesToBytes};
        let (rule, problem) = match (kind, self.last_kind.replace(kind)) {
            (ArrayToArray, Some(ArrayToBytes)) => (ARRAY_RULE, "after an array-to-bytes codec"),
            (ArrayToArray, Some(BytesToBytes)) => (ARRAY_RULE, "after a bytes-to-bytes codec"),
            (ArrayToBytes, Some(ArrayToBytes)) => (RULE, "after another"),
            (ArrayToBytes, Some(BytesToBytes)) => (RULE, "after a bytes-to-bytes codec"),
            (BytesToBytes, Some(ArrayToArray)) => (RULE, "after an array-to-array codec"),
            (BytesToBytes, None) => (RULE, "first"),
            _ => return Ok(()),
        };
        let got = text!["the ", kind.name(), " codec ", quoted([name]), " ", problem];
        Err(metadata.expected(rule, got))
    }

    fn add_native(
        &mut self,
        extension: &Extension,
        definition: &Definition,
        metadata: &Located,
    ) -> Result<(), Error> {
        let data_type = self.array.as_ref().map(|(data_type, _)| data_type);
        let mut codec = (definition.resolve)(extension, data_type, self.options)?;
        match &mut codec {
            Codec::Transpose { .. } | Codec::Reshape { .. } => {
                self.array_codecs.add(&codec, extension)?;
            }
            Codec::Bytes { endian } => {
                if let Some((data_type, shape)) = &self.array {
                    let (array_codecs, options) = (&self.array_codecs, self.options);
                    let step =
                        NativeStep::from_array(data_type, shape, array_codecs, *endian, options);
                    self.steps.push(Step::Native(step));
                }
                self.array_steps.clear();
            }
            Codec::ShardingIndexed(configuration) => {
                self.add_shard(configuration, extension, metadata)?;
            }
            Codec::Crc32c => self.bytes_step().add_checksum(),
            Codec::Shuffle { element_size } => {
                self.add_operation(Operation::Shuffle(*element_size));
            }
            Codec::NumcodecsChecksum(checksum) => {
                self.add_operation(Operation::Checksum(*checksum));
            }
            Codec::External { .. } => {}
        }
        self.codecs.push(codec);
        Ok(())
    }

    /// Adds the `sharding_indexed` codec: a step that decodes to all inner chunks, and one that moves their elements to their
    /// places in the array.
    fn add_shard(
        &mut self,
        configuration: &mut Configuration,
        extension: &Extension,
        metadata: &Located,
    ) -> Result<(), Error> {
        let (Some((data_type, shape)), true) = (&self.array, self.steps.is_empty()) else {
            // They may change the fill value.
            return Err(
                metadata.expected("no array-to-array codec of others before it", "one".into())
            );
        };
        let encoded_shape = self.array_codecs.encoded_shape();
        let mut step = ShardStep::resolve(
            data_type,
            &encoded_shape,
            configuration,
            (extension, metadata),
            self.metadata,
            self.options,
        )?;
        let is_plain = self.array_codecs == ArrayCodecs::new(shape);
        self.array_codecs
            .split(&encoded_shape, &configuration.chunk_shape);
        let array = ShardStep::array(data_type, shape, &self.array_codecs, self.options);
        if is_plain && array.forms[0].permutation.is_some() {
            step.slab = step.resolve_slab(data_type, shape, self.options);
        }
        self.steps.push(Step::Native(array));
        self.steps.push(Step::Shard(Box::new(step)));
        self.array_steps.clear();
        Ok(())
    }

    fn add_external(
        &mut self,
        mut step: ExternalStep,
        external: &External,
        metadata: &Located,
    ) -> Result<(), Error> {
        if external.kind == Kind::BytesToBytes {
            step.decoded_byte_length = self.steps.last().and_then(Step::encoded_byte_length);
        } else {
            // What comes next is not ours, so that our step cannot move elements on the way.
            for step in self.array_steps.drain(..) {
                self.steps.push(Step::External(step));
            }
            if let Some((data_type, shape)) = external.encoded {
                let path = metadata.path();
                let data_type = DataType::from_metadata(&Located::at(&path, Some(data_type)))?;
                let located = Located::at(&path, Some(shape));
                let shape = read_shape(&located)?;
                length::check(&data_type, &shape, &located)?;
                self.array = Some((data_type, shape));
            }
            if let Some((_, shape)) = &self.array {
                self.array_codecs = ArrayCodecs::new(shape);
            }
        }
        self.steps.push(Step::External(step));
        Ok(())
    }

    /// Returns the native step that a `crc32c` codec joins: the last step or, after another codec, a new one.
    fn bytes_step(&mut self) -> &mut NativeStep {
        if !matches!(self.steps.last(), Some(Step::Native(_))) {
            let payload = self.steps.last().and_then(Step::encoded_byte_length);
            self.steps
                .push(Step::Native(NativeStep::from_bytes(payload)));
        }
        match self.steps.last_mut() {
            Some(Step::Native(step)) => step,
            _ => unreachable!("pushed above"),
        }
    }

    /// Adds a bytes-to-bytes codec that is a step of its own.
    fn add_operation(&mut self, operation: Operation) {
        let payload = self.steps.last().and_then(Step::encoded_byte_length);
        let step = BytesStep::new(operation, payload);
        self.steps.push(Step::Bytes(step));
    }

    fn finish(mut self, codecs: &Located) -> Result<Self, Error> {
        match self.last_kind {
            None => return Err(codecs.expected(RULE, "none".into())),
            Some(Kind::ArrayToArray) => {
                return Err(codecs.expected(RULE, "only array-to-array codecs".into()));
            }
            Some(_) => {}
        }
        self.steps.reverse();
        Ok(self)
    }
}
