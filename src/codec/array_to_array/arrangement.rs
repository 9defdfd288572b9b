//! How array-to-array codecs arrange the elements of an array.

use crate::{data_type::DataType, kernel::Permutation};
use alloc::{vec, vec::Vec};
use core::cmp::Reverse;

/// The dimensions of an encoded array, in terms of the axes of the decoded one.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrangement {
    decoded_shape: Vec<u64>,
    /// The parts of each dimension of the encoded array, outermost first.
    dimensions: Vec<Vec<Part>>,
}

/// An axis of the decoded array, or a part of one: a `reshape` may split axes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Part {
    axis: usize,
    length: u64,
    /// The number of indexes of the axis from one index of the part to the next.
    step: u64,
}

impl Arrangement {
    /// Creates the arrangement of an array that is encoded as it is.
    pub fn new(shape: &[u64]) -> Self {
        let part = |(axis, &length)| {
            vec![Part {
                axis,
                length,
                step: 1,
            }]
        };
        Self {
            decoded_shape: shape.to_vec(),
            dimensions: shape.iter().enumerate().map(part).collect(),
        }
    }

    /// Returns the shape of the decoded array.
    pub fn decoded_shape(&self) -> &[u64] {
        &self.decoded_shape
    }

    /// Returns the number of dimensions of the encoded array.
    pub fn rank(&self) -> usize {
        self.dimensions.len()
    }

    /// Returns the shape of the encoded array.
    pub fn shape(&self) -> Vec<u64> {
        let length = |parts: &Vec<Part>| parts.iter().map(|part| part.length).product();
        self.dimensions.iter().map(length).collect()
    }

    /// Permutes the dimensions: dimension `i` becomes what dimension `order[i]` was.
    pub fn transpose(&mut self, order: &[usize]) {
        let moved = order
            .iter()
            .map(|&dimension| self.dimensions[dimension].clone());
        self.dimensions = moved.collect();
    }

    /// Changes the shape without moving elements, to one of as many elements. Returns false where that would split a
    /// dimension in a way that cannot be expressed, and then changes nothing.
    pub fn reshape(&mut self, shape: &[u64]) -> bool {
        // Parts of length 1 have no effect.
        let mut parts = self.dimensions.concat();
        parts.retain(|part| part.length > 1);
        parts.reverse();
        let mut dimensions = Vec::new();
        for &length in shape {
            let mut dimension = Vec::new();
            let mut left = length;
            while left > 1 {
                let Some(part) = parts.pop() else {
                    return false;
                };
                if left % part.length == 0 {
                    dimension.push(part);
                    left /= part.length;
                } else if part.length % left == 0 {
                    let inner = part.length / left;
                    dimension.push(Part {
                        length: left,
                        step: part.step * inner,
                        ..part
                    });
                    parts.push(Part {
                        length: inner,
                        ..part
                    });
                    left = 1;
                } else {
                    return false;
                }
            }
            dimensions.push(dimension);
        }
        self.dimensions = dimensions;
        true
    }

    /// Returns the parts of the encoded array that are longer than 1, outermost first.
    fn parts(&self) -> impl DoubleEndedIterator<Item = Part> {
        let parts = self.dimensions.iter().flatten().copied();
        parts.filter(|part| part.length > 1)
    }

    /// Returns the permutation from the encoded array to a decoded one with these strides.
    pub fn permutation(&self, data_type: &DataType, stride: &[u64]) -> Permutation {
        let parts: Vec<Part> = self.parts().collect();
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_by_key(|&at| Reverse(parts[at].step * stride[parts[at].axis]));
        let mut lengths: Vec<usize> = parts.iter().map(|part| part.length as usize).collect();
        // The components of an element stay together.
        if data_type.components > 1 {
            order.push(lengths.len());
            lengths.push(data_type.components as usize);
        }
        Permutation::new(data_type.component_size.into(), lengths, order)
    }

    /// Returns the strides of the decoded array whose elements are in the order of the encoded one, in elements, if there
    /// are any: where the parts of an axis are apart, there are none.
    pub fn stored_stride(&self) -> Option<Vec<u64>> {
        let mut stride = vec![1; self.decoded_shape.len()];
        let mut encoded_stride = 1;
        // Of the parts of an axis that follow each other, the innermost comes first here. Its step is 1.
        for part in self.parts().rev() {
            if part.step == 1 {
                stride[part.axis] = encoded_stride;
            }
            encoded_stride *= part.length;
        }
        let mut encoded_stride = 1;
        self.parts()
            .rev()
            .all(|part| {
                let is_expressed = encoded_stride == part.step * stride[part.axis];
                encoded_stride *= part.length;
                is_expressed
            })
            .then_some(stride)
    }
}
