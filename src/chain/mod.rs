//! The codec chain of an array: resolved once, used for every chunk.
//!
//! Specification: [core, "Chunk encoding"](https://zarr-specs.readthedocs.io/en/latest/v3/core/#chunk-encoding).

pub mod blocks;
mod length;
mod records;
mod run;
mod step;

pub use length::LONGEST_CHUNK;
pub use records::{Part, Records};
pub use step::{BytesStep, ExternalStep, Form, Layout, NativeStep, Step, little_endian_views};

use crate::{
    codec::{
        self, Codec, Definition, Found, Kind,
        array_to_array::{ArrayCodecs, is_dense},
        bytes_to_bytes::Operation,
    },
    data_type::DataType,
    error::Error,
    metadata::{ChainMetadata, Endian, Extension, Json, Located, quoted, read_shape},
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
    /// Its index in the metadata's `codecs`.
    pub index: usize,
    /// Its kind.
    pub kind: Kind,
    /// The data type and the shape that an array-to-array codec encodes to, in metadata, if they change.
    pub encoded: Option<(&'a Json, &'a Json)>,
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
    /// The codecs of this package in the order of encoding, with aliases, short-hands and assumed byte orders resolved.
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
        let encodes_array = |external: &External| external.kind == Kind::ArrayToBytes;
        // Only an external codec can know other data types.
        let data_type = match options.external.iter().any(encodes_array) {
            true => None,
            false => Some(DataType::from_metadata(&metadata.data_type)?),
        };
        let shape = read_shape(&metadata.shape)?;
        if let Some(data_type) = &data_type {
            length::check(data_type, &shape, &metadata.shape)?;
        }
        let array = data_type.map(|data_type| (data_type, shape.clone()));
        let mut builder = Builder {
            array,
            array_codecs: ArrayCodecs::new(&shape),
            options,
            codecs: Vec::new(),
            array_steps: Vec::new(),
            steps: Vec::new(),
            last_kind: None,
        };
        for (index, item) in metadata.codecs.items("an array of codecs")?.enumerate() {
            builder.add(index, &item)?;
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
    /// The data type and the shape that the next codec encodes, as long as they are known.
    array: Option<(DataType, Vec<u64>)>,
    options: &'a Options<'a>,
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
    fn add(&mut self, index: usize, metadata: &Located) -> Result<(), Error> {
        let (extension, found) = codec::find(metadata)?;
        let provided = self.options.external.iter().find(|it| it.index == index);
        match (found, provided) {
            (Found::Native(definition), _) => {
                self.check_order(definition.kind, extension.name, metadata)?;
                if definition.kind == Kind::ArrayToArray {
                    let step = ExternalStep::new(&extension, index, metadata);
                    self.array_steps.push(step);
                }
                self.add_native(&extension, definition)
            }
            (Found::External | Found::Ignorable, Some(external)) => {
                self.check_order(external.kind, extension.name, metadata)?;
                let step = ExternalStep::new(&extension, index, metadata);
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

    fn add_native(&mut self, extension: &Extension, definition: &Definition) -> Result<(), Error> {
        let data_type = self.array.as_ref().map(|(data_type, _)| data_type);
        let codec = (definition.resolve)(extension, data_type, self.options)?;
        match codec {
            Codec::Transpose { .. } | Codec::Reshape { .. } => {
                self.array_codecs.add(&codec, extension)?;
            }
            Codec::Bytes { endian } => {
                if let Some((data_type, shape)) = &self.array {
                    let (array_codecs, options) = (&self.array_codecs, self.options);
                    let step =
                        NativeStep::from_array(data_type, shape, array_codecs, endian, options);
                    self.steps.push(Step::Native(step));
                }
                self.array_steps.clear();
            }
            Codec::Crc32c => self.bytes_step().add_checksum(),
            Codec::Shuffle { element_size } => self.add_operation(Operation::Shuffle(element_size)),
            Codec::NumcodecsChecksum(checksum) => {
                self.add_operation(Operation::Checksum(checksum));
            }
        }
        self.codecs.push(codec);
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
                self.codecs.pop();
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
