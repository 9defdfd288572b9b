//! How array-to-array codecs arrange the elements of an array.

use super::outermost_first;
use crate::{data_type::DataType, kernel::Permutation};
use alloc::{vec, vec::Vec};

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
        let mut parts = self.parts();
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
    fn parts(&self) -> Vec<Part> {
        let mut parts = self.dimensions.concat();
        parts.retain(|part| part.length > 1);
        parts
    }

    /// Returns the permutation from the encoded array to a decoded one with these strides.
    pub fn permutation(&self, data_type: &DataType, stride: &[u64]) -> Permutation {
        let (mut lengths, mut in_array) = (Vec::new(), Vec::new());
        for part in self.parts() {
            lengths.push(part.length as u32);
            in_array.push(part.step * stride[part.axis]);
        }
        // The components of an element stay together.
        if data_type.components > 1 {
            lengths.push(data_type.components as u32);
            in_array.push(0);
        }
        let order: Vec<u8> = outermost_first(&in_array)
            .iter()
            .map(|&at| at as u8)
            .collect();
        Permutation::new(data_type.component_size.into(), &lengths, &order)
    }

    /// Returns the strides of the decoded array whose elements are in the order of the encoded one, in elements, if there
    /// are any: where the parts of an axis are apart, there are none.
    pub fn stored_stride(&self) -> Option<Vec<u64>> {
        let mut stride = vec![0; self.decoded_shape.len()];
        let mut encoded_stride = 1;
        // The innermost part of an axis has the step 1, and comes before its other parts here if there are strides.
        for part in self.parts().iter().rev() {
            if part.step == 1 {
                stride[part.axis] = encoded_stride;
            }
            if encoded_stride != part.step * stride[part.axis] {
                return None;
            }
            encoded_stride *= part.length;
        }
        // Axes of length 1 have no parts.
        stride.iter_mut().for_each(|step| *step = (*step).max(1));
        Some(stride)
    }
}
