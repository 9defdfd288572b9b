//! The codec chain of an array: resolved once, used for every chunk.
//!
//! Specification: [core, "Chunk encoding"](https://zarr-specs.readthedocs.io/en/latest/v3/core/#chunk-encoding).

pub mod blocks;
mod length;
mod run;
mod step;

pub use length::LONGEST_CHUNK;
pub use step::{ExternalStep, Form, Layout, NativeStep, Step, little_endian_views};

use crate::{
    codec::{
        self, Codec, Definition, Found, Kind,
        array_to_array::{ArrayCodecs, c_order, is_dense},
    },
    data_type::DataType,
    error::Error,
    metadata::{ChainMetadata, Endian, Extension, Located, quoted, read_shape},
};
use alloc::{format, string::String, vec::Vec};
use serde::Serialize;

/// Options of [`CodecChain::resolve`]; the default is strict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The byte order to assume where the metadata of a multi-byte data type lacks it.
    pub missing_endian: Option<Endian>,
    /// Whether a `bool` element other than 0 and 1 counts as true, instead of being an error.
    pub accept_invalid_bool: bool,
    /// The [name](crate::data_type::ArrayOption::name) of the default array, for data types that have several. Other
    /// names have no effect.
    pub array: Option<String>,
    /// Whether external codecs become steps; otherwise they are errors.
    pub external: bool,
}

/// A resolved codec chain.
///
/// TypeScript gets it serialized.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CodecChain {
    /// The data type.
    #[serde(serialize_with = "serialize_name")]
    pub data_type: DataType,
    /// The shape of a chunk, in elements.
    pub shape: Vec<u64>,
    /// The strides of a chunk in C order, in elements.
    pub stride: Vec<u64>,
    /// The codecs of this package in the order of encoding, with aliases, short-hands and assumed byte orders resolved.
    pub codecs: Vec<Codec>,
    /// The steps, in the order of decoding.
    pub steps: Vec<Step>,
    /// The array-to-array codecs that the step to an array includes.
    #[serde(skip)]
    array_codecs: ArrayCodecs,
}

fn serialize_name<S: serde::Serializer>(
    data_type: &DataType,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&data_type.name)
}

impl CodecChain {
    /// Validates metadata and resolves it to the steps that decode a chunk.
    ///
    /// # Errors
    /// Returns [`Error::InvalidMetadata`] with the path of the first problem.
    pub fn resolve(metadata: &ChainMetadata, options: &Options) -> Result<Self, Error> {
        let data_type = DataType::from_metadata(&metadata.data_type)?;
        let shape = read_shape(&metadata.shape)?;
        length::check(&data_type, &shape, &metadata.shape)?;
        let mut builder = Builder {
            data_type: &data_type,
            shape: &shape,
            options,
            codecs: Vec::new(),
            array_codecs: ArrayCodecs::new(&shape),
            array_steps: Vec::new(),
            steps: Vec::new(),
        };
        for (index, item) in metadata.codecs.items("an array of codecs")?.enumerate() {
            builder.add(index, &item)?;
        }
        let Builder {
            codecs,
            array_codecs,
            steps,
            ..
        } = builder.finish(&metadata.codecs)?;
        let mut chain = Self {
            stride: c_order(&shape),
            data_type,
            shape,
            codecs,
            steps,
            array_codecs,
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
            .find(|step| step.decodes_to_array())
            .expect("an array-to-bytes codec of this package")
    }

    /// Returns the arrays with these strides that a chunk can be encoded from; none unless an array with these strides
    /// has each element once and no gaps.
    ///
    /// # Panics
    /// As [`Self::array_step`].
    pub fn layout(&self, stride: &[u64]) -> Option<Layout> {
        let Self {
            data_type, shape, ..
        } = self;
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
    data_type: &'a DataType,
    shape: &'a [u64],
    options: &'a Options,
    codecs: Vec<Codec>,
    /// The array-to-array codecs so far, which the array-to-bytes codec after them includes in its step.
    array_codecs: ArrayCodecs,
    /// The same, for the case that the codec after them is an external one.
    array_steps: Vec<ExternalStep>,
    /// In the order of encoding.
    steps: Vec<Step>,
}

/// The rule for the order of codecs, for messages.
const RULE: &str = "exactly one array-to-bytes codec, before all bytes-to-bytes codecs";
const ARRAY_RULE: &str = "array-to-array codecs before all others";

impl Builder<'_> {
    fn add(&mut self, index: usize, metadata: &Located) -> Result<(), Error> {
        match codec::find(metadata)? {
            (extension, Found::Native(definition)) => {
                self.check_order(definition, metadata)?;
                if definition.kind == Kind::ArrayToArray {
                    let step = ExternalStep::new(&extension, index, metadata);
                    self.array_steps.push(step);
                }
                self.add_native(&extension, definition)
            }
            (extension, Found::External) if self.options.external => {
                // What encodes the array is not ours, so that its elements cannot be moved on the way.
                for step in self.array_steps.drain(..) {
                    self.steps.push(Step::External(step));
                    self.codecs.pop();
                }
                self.array_codecs = ArrayCodecs::new(self.shape);
                let step = ExternalStep::new(&extension, index, metadata);
                self.steps.push(Step::External(step));
                Ok(())
            }
            (extension, Found::External) => Err(codec::unknown(&extension)),
            (_, Found::Ignorable) => Ok(()),
        }
    }

    fn check_order(&self, definition: &Definition, metadata: &Located) -> Result<(), Error> {
        let previous = self.steps.iter().find_map(Step::native);
        let mut rule = RULE;
        let problem = match (definition.kind, previous) {
            (Kind::ArrayToArray, Some(step)) => {
                rule = ARRAY_RULE;
                match step.decodes_to_array() {
                    true => "after an array-to-bytes codec",
                    false => "after a bytes-to-bytes codec",
                }
            }
            (Kind::ArrayToBytes, Some(step)) if step.decodes_to_array() => "after another",
            (Kind::ArrayToBytes, Some(_)) => "after a bytes-to-bytes codec",
            // An external codec before it may be the array-to-bytes codec.
            (Kind::BytesToBytes, _) if !self.array_steps.is_empty() && previous.is_none() => {
                "after an array-to-array codec"
            }
            (Kind::BytesToBytes, _) if self.steps.is_empty() => "first",
            _ => return Ok(()),
        };
        let kind = definition.kind.name();
        let name = quoted([definition.name]);
        let got = format!("the {kind} codec {name} {problem}");
        Err(metadata.expected(rule, got))
    }

    fn add_native(&mut self, extension: &Extension, definition: &Definition) -> Result<(), Error> {
        let codec = (definition.resolve)(extension, self.data_type, self.options)?;
        match codec {
            Codec::Transpose { .. } | Codec::Reshape { .. } => {
                self.array_codecs.add(&codec, extension)?;
            }
            Codec::Bytes { endian } => {
                let step = NativeStep::from_array(
                    self.data_type,
                    self.shape,
                    &self.array_codecs,
                    endian,
                    self.options,
                );
                self.steps.push(Step::Native(step));
                self.array_steps.clear();
            }
            Codec::Crc32c => self.bytes_step().add_checksum(),
        }
        self.codecs.push(codec);
        Ok(())
    }

    /// Returns the native step that a bytes-to-bytes codec joins: the last step or, after an external codec, a new one.
    fn bytes_step(&mut self) -> &mut NativeStep {
        if !matches!(self.steps.last(), Some(Step::Native(_))) {
            self.steps.push(Step::Native(NativeStep::from_bytes()));
        }
        match self.steps.last_mut() {
            Some(Step::Native(step)) => step,
            _ => unreachable!("pushed above"),
        }
    }

    fn finish(mut self, codecs: &Located) -> Result<Self, Error> {
        if self.steps.is_empty() {
            return Err(codecs.expected(RULE, "none".into()));
        }
        self.steps.reverse();
        Ok(self)
    }
}
