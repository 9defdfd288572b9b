//! Elements with fields: what is swapped in them, and where a field is.

use super::{CodecChain, NativeStep, Options};
use crate::{
    codec::array_to_array::ArrayCodecs,
    data_type::DataType,
    kernel::records::{Run, swap},
    metadata::Endian,
};
use alloc::{vec, vec::Vec};
use serde::{Serialize, Serializer};

/// What is swapped in each element.
///
/// Serializes to words, opaque to TypeScript.
#[derive(Clone, Debug, PartialEq)]
pub struct Records {
    /// The size of an element in bytes.
    pub size: usize,
    /// Its components of more than one byte.
    pub runs: Vec<Run>,
}

/// A field of the elements of a chunk, or a field inside one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Part {
    /// The size of an element of the chunk in bytes.
    pub record_size: u64,
    /// The position of the field's first byte in it.
    pub offset: u64,
    /// The size of the field in bytes.
    pub size: u64,
    /// Whether the field is a string.
    pub is_text: bool,
    /// How the field of all elements, gathered in the host's byte order, is decoded to an array.
    pub step: NativeStep,
}

impl Records {
    /// Returns what is swapped between this byte order and the host's, if anything is.
    pub(super) fn swapped(data_type: &DataType, endian: Option<Endian>) -> Option<Self> {
        if endian.is_none_or(|endian| endian == Endian::HOST) || data_type.fields.is_empty() {
            return None;
        }
        let mut runs = Vec::new();
        data_type.push_runs(0, &mut runs);
        Some(Self {
            size: data_type.element_size() as usize,
            runs,
        })
    }

    /// Swaps whole elements.
    pub fn swap(&self, elements: &mut [u8]) {
        swap(self.size, &self.runs, elements);
    }

    /// Unpacks the words that it serializes to.
    pub fn from_words(words: &[u32]) -> Self {
        let run = |run: &[u32; 3]| Run {
            offset: run[0],
            size: run[1],
            count: run[2],
        };
        Self {
            size: words[0] as usize,
            runs: words[1..].as_chunks().0.iter().map(run).collect(),
        }
    }
}

impl Serialize for Records {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut words = vec![self.size as u32];
        for run in &self.runs {
            words.extend_from_slice(&[run.offset, run.size, run.count]);
        }
        words.serialize(serializer)
    }
}

impl CodecChain {
    /// Returns the field with this path, `options` being those of the chain; all of an element if the path is empty.
    pub fn part<'a>(&self, path: impl Iterator<Item = &'a str>, options: &Options) -> Option<Part> {
        let (record, shape) = self.array.as_ref()?;
        let (mut data_type, mut offset) = (record, 0);
        for name in path {
            let field = data_type.field(name)?;
            offset += field.offset;
            data_type = &field.data_type;
        }
        let in_c_order = ArrayCodecs::new(shape);
        let step =
            NativeStep::from_array(data_type, shape, &in_c_order, Some(Endian::HOST), options);
        Some(Part {
            record_size: record.element_size(),
            offset,
            size: data_type.element_size(),
            is_text: data_type.is_text(),
            step,
        })
    }
}
