//! Adds codecs to a chain, one after another, and checks their order.

use super::{BytesStep, External, ExternalStep, NativeStep, Options, Step, length};
use crate::{
    codec::{self, Codec, Found, Kind, array_to_array::ArrayCodecs, bytes_to_bytes::Operation},
    data_type::DataType,
    error::Error,
    metadata::{ChainMetadata, Endian, Located, quoted, read_shape},
};
use alloc::vec::Vec;

/// A chain under construction. Codecs are added in the order of the metadata, which is that of encoding.
pub struct Builder<'a> {
    pub(crate) metadata: &'a ChainMetadata<'a>,
    /// Whether this is the chain of a shard's index.
    is_index: bool,
    /// The data type and the shape that the next codec encodes, as long as they are known.
    pub(crate) array: Option<(DataType, Vec<u64>)>,
    pub(crate) options: &'a Options<'a>,
    /// In the order of the metadata.
    pub(super) codecs: Vec<Codec>,
    /// The array-to-array codecs so far, which the array-to-bytes codec after them includes in its step.
    pub(crate) array_codecs: ArrayCodecs,
    /// The same, for the case that the codec after them is an external one.
    array_steps: Vec<ExternalStep>,
    /// In the order of encoding.
    pub(crate) steps: Vec<Step>,
    /// The kind of the last codec.
    last_kind: Option<Kind>,
}

/// The rules for the order of codecs, for messages.
const RULE: &str = "exactly one array-to-bytes codec, before all bytes-to-bytes codecs";
const ARRAY_RULE: &str = "array-to-array codecs before all others";

impl<'a> Builder<'a> {
    /// Begins a chain that encodes `array`, if its data type is known, of this shape.
    pub(super) fn new(
        metadata: &'a ChainMetadata<'a>,
        options: &'a Options<'a>,
        is_index: bool,
        array: Option<(DataType, Vec<u64>)>,
        shape: &[u64],
    ) -> Self {
        Self {
            metadata,
            is_index,
            array,
            array_codecs: ArrayCodecs::new(shape),
            options,
            codecs: Vec::new(),
            array_steps: Vec::new(),
            steps: Vec::new(),
            last_kind: None,
        }
    }

    pub(super) fn add(&mut self, metadata: &Located) -> Result<(), Error> {
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
                let codec = (definition.add)(&extension, self)?;
                self.codecs.push(codec);
                Ok(())
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

    /// Returns the data type that the next codec encodes, as long as it is known.
    pub(crate) fn data_type(&self) -> Option<&DataType> {
        self.array.as_ref().map(|(data_type, _)| data_type)
    }

    /// Adds the step from an array to components of this byte order, which includes the array-to-array codecs.
    pub(crate) fn add_array(&mut self, endian: Option<Endian>) {
        let step = self.array.as_ref().map(|(data_type, shape)| {
            let (array_codecs, options) = (&self.array_codecs, self.options);
            Step::Native(NativeStep::from_array(
                data_type,
                shape,
                array_codecs,
                endian,
                options,
            ))
        });
        self.add_array_to_bytes(step);
    }

    /// Adds the steps of an array-to-bytes codec, which include the array-to-array codecs.
    pub(crate) fn add_array_to_bytes(&mut self, steps: impl IntoIterator<Item = Step>) {
        self.steps.extend(steps);
        self.array_steps.clear();
    }

    /// Returns the native step that a checksum of all its bytes joins: the last step or, after another codec, a new one.
    pub(crate) fn native_step(&mut self) -> &mut NativeStep {
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
    pub(crate) fn add_operation(&mut self, operation: Operation) {
        let payload = self.steps.last().and_then(Step::encoded_byte_length);
        let step = BytesStep::new(operation, payload);
        self.steps.push(Step::Bytes(step));
    }

    #[inline(never)] // Compiled at the first call, which few programs make.
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

    pub(super) fn finish(mut self, codecs: &Located) -> Result<Self, Error> {
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
