//! Array-to-array codecs. They move elements and change none, so all of a chain become one [`Permutation`].

mod arrangement;
pub mod reshape;
pub mod transpose;

pub use arrangement::Arrangement;

use crate::{data_type::DataType, kernel::Permutation};
use alloc::{vec, vec::Vec};

/// The array-to-array codecs of a chain, in the order of encoding.
///
/// They are one arrangement, unless a `reshape` splits a dimension where a `transpose` before it has joined two, and does so
/// neither at a multiple nor at a divisor of their lengths. The elements then move once for each arrangement.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayCodecs {
    arrangements: Vec<Arrangement>,
}

impl ArrayCodecs {
    /// Starts with an array of this shape, and no codec.
    pub fn new(shape: &[u64]) -> Self {
        Self {
            arrangements: vec![Arrangement::new(shape)],
        }
    }

    /// Returns the arrangement that the next codec encodes.
    pub fn last(&self) -> &Arrangement {
        self.arrangements.last().expect("at least one")
    }

    /// Returns the arrangement that the next codec encodes, to change it.
    pub fn last_mut(&mut self) -> &mut Arrangement {
        self.arrangements.last_mut().expect("at least one")
    }

    /// Changes the shape of the encoded array to one of as many elements.
    pub fn reshape(&mut self, shape: &[u64]) {
        if !self.last_mut().reshape(shape) {
            self.arrangements.push(Arrangement::new(shape));
        }
    }

    /// Returns the shape of the encoded array.
    pub fn encoded_shape(&self) -> Vec<u64> {
        self.last().shape()
    }

    /// Adds the order of a shard's elements, whose inner chunks come one after another, each in C order.
    pub fn split(&mut self, shape: &[u64], chunk_shape: &[u64]) {
        let (mut lengths, mut order) = (Vec::new(), Vec::new());
        for (axis, length) in chunk_shape.iter().enumerate() {
            lengths.extend([shape[axis] / length, *length]);
            order.push(2 * axis);
        }
        order.extend((0..shape.len()).map(|axis| 2 * axis + 1));
        let last = self.last_mut();
        if !last.reshape(&lengths) {
            self.arrangements.push(Arrangement::new(shape));
            return self.split(shape, chunk_shape);
        }
        last.transpose(&order);
    }

    /// Starts with an array of this shape that is encoded in the order of its memory, in which it has these strides.
    pub fn of_array(shape: &[u64], stride: &[u64]) -> Self {
        let mut arrangement = Arrangement::new(shape);
        arrangement.transpose(&outermost_first(stride));
        Self {
            arrangements: vec![arrangement],
        }
    }

    /// Returns the permutations from the payload to an array with these strides, in the order of decoding, without those
    /// that move nothing.
    pub fn permutations(&self, data_type: &DataType, stride: &[u64]) -> Vec<Permutation> {
        let mut permutations = Vec::new();
        for (i, arrangement) in self.arrangements.iter().enumerate().rev() {
            let permutation = match i {
                0 => arrangement.permutation(data_type, stride),
                _ => arrangement.permutation(data_type, &c_order(arrangement.decoded_shape())),
            };
            if !permutation.is_identity() {
                permutations.push(permutation);
            }
        }
        permutations
    }

    /// Returns the strides of the array that has the payload's order, if there are any.
    pub fn stored_stride(&self) -> Option<Vec<u64>> {
        match &self.arrangements[..] {
            [only] => only.stored_stride(),
            _ => None,
        }
    }
}

/// Returns the strides in C order, in elements.
pub fn c_order(shape: &[u64]) -> Vec<u64> {
    let mut stride = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        stride[axis - 1] = stride[axis] * shape[axis];
    }
    stride
}

/// Returns whether an array of this shape with these strides has each element once and no gaps. Those of axes of length 1 have
/// no meaning.
pub fn is_dense(shape: &[u64], stride: &[u64]) -> bool {
    let mut expected = 1;
    outermost_first(stride).into_iter().rev().all(|axis| {
        let is_next = shape[axis] == 1 || stride[axis] == expected;
        expected *= shape[axis];
        is_next
    })
}

/// Returns the indexes of strides, the largest first. (The sort of the standard library would add 5 KB to the module.)
fn outermost_first(stride: &[u64]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    for (axis, step) in stride.iter().enumerate() {
        let at = order.iter().position(|&other| stride[other] < *step);
        order.insert(at.unwrap_or(order.len()), axis);
    }
    order
}
