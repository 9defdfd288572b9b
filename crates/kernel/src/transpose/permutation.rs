//! The value that says how the dimensions of an array are permuted.

use alloc::vec::Vec;
use core::hint::black_box;

/// The largest number of dimensions. Each is at least 2 long, and an array has fewer than 2^32 components.
pub const MOST_DIMENSIONS: usize = 32;

/// The largest number of words of [`Permutation::push_words`].
pub const MOST_WORDS: usize = 2 + 2 * MOST_DIMENSIONS;

/// A permutation of the dimensions of an array, both of whose sides are dense.
///
/// Normalised: there are no dimensions of length 1, and dimensions that stay together are one. So two permutations that
/// move all components alike are equal, and the identity has at most one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permutation {
    component: u32,
    rank: usize,
    /// The length of each dimension of the source, outermost first.
    lengths: [u32; MOST_DIMENSIONS],
    /// The dimension of the source that each dimension of the target is, outermost first.
    order: [u8; MOST_DIMENSIONS],
}

/// One dimension, with its strides on both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dimension {
    /// The length.
    pub length: usize,
    /// The stride in the source.
    pub source: usize,
    /// The stride in the target.
    pub target: usize,
}

impl Permutation {
    /// Creates the permutation of components of `component` bytes from a source with dimensions of these lengths to a target
    /// whose dimension `i` is dimension `order[i]` of the source. Both lists are outermost first.
    ///
    /// # Panics
    /// Panics if there are more than [`MOST_DIMENSIONS`] dimensions.
    pub fn new(component: usize, lengths: &[u32], order: &[u8]) -> Self {
        let mut permutation = Self {
            component: component as u32,
            rank: lengths.len(),
            lengths: [0; MOST_DIMENSIONS],
            order: [0; MOST_DIMENSIONS],
        };
        permutation.lengths[..lengths.len()].copy_from_slice(lengths);
        permutation.order[..lengths.len()].copy_from_slice(order);
        permutation.normalize();
        permutation
    }

    /// Removes dimensions of length 1, and merges those that follow each other on both sides.
    fn normalize(&mut self) {
        let mut at = 0;
        while at < self.rank {
            let dimension = self.order[at];
            let length = self.lengths[dimension as usize];
            let follows = at > 0 && self.order[at - 1] + 1 == dimension;
            if length == 1 {
                self.remove(at);
                at = 0; // Others may follow each other now.
            } else if follows {
                self.lengths[dimension as usize - 1] *= length;
                self.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// Removes the dimension at a place of the target.
    #[inline(never)]
    fn remove(&mut self, at: usize) {
        let dimension = self.order[at];
        self.lengths
            .copy_within(dimension as usize + 1.., dimension as usize);
        self.order.copy_within(at + 1.., at);
        self.rank -= 1;
        (self.lengths[self.rank], self.order[self.rank]) = (0, 0);
        for other in &mut self.order {
            // Not a loop over vectors, which would be several times as long.
            *other = black_box(*other - u8::from(*other > dimension));
        }
    }

    /// Returns whether source and target are in the same order.
    pub const fn is_identity(&self) -> bool {
        self.rank <= 1
    }

    /// Returns the size of a component in bytes.
    pub const fn component(&self) -> usize {
        self.component as usize
    }

    /// Returns the lengths of the source's dimensions, outermost first.
    pub fn lengths(&self) -> &[u32] {
        &self.lengths[..self.rank]
    }

    /// Returns the dimension of the source that each dimension of the target is, outermost first.
    pub fn order(&self) -> &[u8] {
        &self.order[..self.rank]
    }

    /// Returns the length of the array in bytes.
    pub fn byte_length(&self) -> usize {
        let elements: u32 = self.lengths().iter().product();
        elements as usize * self.component()
    }

    /// Returns the permutation from the target to the source.
    pub fn inverse(&self) -> Self {
        let mut inverse = *self;
        for (at, &dimension) in self.order().iter().enumerate() {
            inverse.lengths[at] = self.lengths[dimension as usize];
            inverse.order[dimension as usize] = at as u8;
        }
        inverse
    }

    /// Returns the same permutation of components that are this many times as long.
    pub fn widened(&self, widening: usize) -> Self {
        let component = self.component * widening as u32;
        Self { component, ..*self }
    }

    /// Returns the same order of dimensions with other lengths.
    pub fn with_lengths(&self, lengths: &[u32]) -> Self {
        Self::new(self.component(), lengths, self.order())
    }

    /// Returns the dimensions of the source, outermost first, with strides in units of `unit`, and their number.
    pub fn dimensions(&self, unit: usize) -> ([Dimension; MOST_DIMENSIONS], usize) {
        let mut dimensions = [Dimension::default(); MOST_DIMENSIONS];
        let mut stride = unit;
        for (dimension, &length) in dimensions[..self.rank].iter_mut().zip(self.lengths()).rev() {
            dimension.length = length as usize;
            dimension.source = stride;
            stride *= dimension.length;
        }
        let mut stride = unit;
        for &dimension in self.order().iter().rev() {
            let dimension = &mut dimensions[dimension as usize];
            dimension.target = stride;
            stride *= dimension.length;
        }
        (dimensions, self.rank)
    }

    /// Returns the index, after the permutations that `words` holds one after another, of the component `index`.
    pub fn index_after(mut words: &[u32], mut index: u64) -> u64 {
        while !words.is_empty() {
            let permutation = Self::from_words(words);
            index = permutation.target_index(index);
            words = &words[2 + 2 * permutation.rank..];
        }
        index
    }

    /// Returns the index in the target of a component of the source.
    pub fn target_index(&self, mut index: u64) -> u64 {
        let (dimensions, rank) = self.dimensions(1);
        let mut target = 0;
        for dimension in dimensions[..rank].iter().rev() {
            target += index % dimension.length as u64 * dimension.target as u64;
            index /= dimension.length as u64;
        }
        target
    }

    /// Appends the permutation as numbers, opaque to JavaScript.
    pub fn push_words(&self, words: &mut Vec<u32>) {
        words.extend_from_slice(&[self.component, self.rank as u32]);
        words.extend_from_slice(self.lengths());
        for &dimension in self.order() {
            words.push(dimension.into());
        }
    }

    /// Unpacks the numbers of [`Self::push_words`], which may be followed by others.
    pub fn from_words(words: &[u32]) -> Self {
        let rank = words[1] as usize;
        let mut permutation = Self {
            component: words[0],
            rank,
            lengths: [0; MOST_DIMENSIONS],
            order: [0; MOST_DIMENSIONS],
        };
        permutation.lengths[..rank].copy_from_slice(&words[2..][..rank]);
        for (slot, &dimension) in permutation.order.iter_mut().zip(&words[2 + rank..][..rank]) {
            *slot = dimension as u8;
        }
        permutation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permutation(lengths: &[u32], order: &[u8]) -> Permutation {
        Permutation::new(4, lengths, order)
    }

    #[test]
    fn dimensions_that_stay_together_are_one() {
        let expected = permutation(&[6, 20], &[1, 0]);
        assert_eq!(permutation(&[2, 3, 4, 5], &[2, 3, 0, 1]), expected);
        assert_eq!(
            permutation(&[1, 2, 3, 1, 4, 5], &[4, 3, 5, 1, 0, 2]),
            expected
        );
        assert_eq!(expected.lengths(), [6, 20]);
        let partly = permutation(&[2, 3, 4, 5], &[3, 0, 1, 2]);
        assert_eq!(partly, permutation(&[24, 5], &[1, 0]));
        let reversed = permutation(&[2, 3, 4], &[2, 1, 0]);
        assert_eq!(reversed.lengths().len(), 3);
    }

    #[test]
    fn the_identity_is_recognized() {
        for (lengths, order) in [
            (&[][..], &[][..]),
            (&[1], &[0]),
            (&[7], &[0]),
            (&[2, 3, 4], &[0, 1, 2]),
            (&[2, 1, 3, 1], &[0, 2, 3, 1]),
        ] {
            assert!(permutation(lengths, order).is_identity());
        }
        assert!(!permutation(&[2, 3], &[1, 0]).is_identity());
    }

    #[test]
    fn words_and_inverses_return_to_the_same_value() {
        let cycle = permutation(&[2, 3, 4], &[2, 0, 1]);
        assert_eq!(cycle, permutation(&[6, 4], &[1, 0]));
        let three = permutation(&[2, 3, 4, 5], &[2, 0, 3, 1]);
        assert_eq!(three.inverse(), permutation(&[4, 2, 5, 3], &[1, 3, 0, 2]));
        assert_eq!(three.inverse().inverse(), three);
        let mut words = Vec::new();
        three.push_words(&mut words);
        assert_eq!(words, [4, 4, 2, 3, 4, 5, 2, 0, 3, 1]);
        assert_eq!(Permutation::from_words(&words), three);
    }

    #[test]
    fn indexes_move_with_their_components() {
        let two = permutation(&[2, 3], &[1, 0]);
        let indexes: Vec<_> = (0..6).map(|index| two.target_index(index)).collect();
        assert_eq!(indexes, [0, 2, 4, 1, 3, 5]);
    }
}
