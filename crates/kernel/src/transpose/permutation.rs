//! The value that says how the dimensions of an array are permuted.

/// The largest number of dimensions. Each is at least 2 long, and an array has fewer than 2^32 components.
pub const MOST_DIMENSIONS: usize = 32;

/// The largest number of words of [`Permutation::to_words`].
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
    /// Creates the permutation of components of `component` bytes from a source with these dimensions to a target whose
    /// dimension `i` is dimension `order[i]` of the source. Both lists are outermost first.
    ///
    /// # Panics
    /// Panics if there are more than [`MOST_DIMENSIONS`] dimensions.
    pub fn new(
        component: usize,
        lengths: impl IntoIterator<Item = usize>,
        order: impl IntoIterator<Item = usize>,
    ) -> Self {
        let mut permutation = Self {
            component: component as u32,
            rank: 0,
            lengths: [0; MOST_DIMENSIONS],
            order: [0; MOST_DIMENSIONS],
        };
        // Where each dimension has gone, of those that are longer than 1.
        let mut kept = [None; MOST_DIMENSIONS];
        for (dimension, length) in lengths.into_iter().enumerate() {
            if length != 1 {
                kept[dimension] = Some(permutation.rank as u8);
                permutation.lengths[permutation.rank] = length as u32;
                permutation.rank += 1;
            }
        }
        let order = order.into_iter().filter_map(|dimension| kept[dimension]);
        for (slot, dimension) in permutation.order.iter_mut().zip(order) {
            *slot = dimension;
        }
        permutation.merge();
        permutation
    }

    /// Merges dimensions that follow each other on both sides.
    fn merge(&mut self) {
        let mut at = 1;
        while at < self.rank {
            let (outer, inner) = (self.order[at - 1], self.order[at]);
            if outer + 1 != inner {
                at += 1;
                continue;
            }
            self.lengths[outer as usize] *= self.lengths[inner as usize];
            self.lengths[..self.rank].copy_within(inner as usize + 1.., inner as usize);
            self.order[..self.rank].copy_within(at + 1.., at);
            self.rank -= 1;
            (self.lengths[self.rank], self.order[self.rank]) = (0, 0);
            for dimension in &mut self.order[..self.rank] {
                *dimension -= u8::from(*dimension > outer);
            }
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
    pub fn lengths(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator {
        self.lengths[..self.rank]
            .iter()
            .map(|&length| length as usize)
    }

    /// Returns the dimension of the source that each dimension of the target is, outermost first.
    pub fn order(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator {
        self.order[..self.rank]
            .iter()
            .map(|&dimension| dimension as usize)
    }

    /// Returns the permutation from the target to the source.
    pub fn inverse(&self) -> Self {
        let mut inverse = *self;
        for (at, dimension) in self.order().enumerate() {
            inverse.lengths[at] = self.lengths[dimension];
            inverse.order[dimension] = at as u8;
        }
        inverse
    }

    /// Returns the same permutation of components that are this many times as long.
    pub fn widened(&self, widening: usize) -> Self {
        let component = self.component * widening as u32;
        Self { component, ..*self }
    }

    /// Returns the same order of dimensions with other lengths.
    pub fn with_lengths(&self, lengths: impl IntoIterator<Item = usize>) -> Self {
        Self::new(self.component(), lengths, self.order())
    }

    /// Returns the dimensions of the source, outermost first, with strides in units of `unit`.
    pub fn dimensions(&self, unit: usize) -> ([Dimension; MOST_DIMENSIONS], usize) {
        let mut dimensions = [Dimension::default(); MOST_DIMENSIONS];
        let mut stride = unit;
        for (dimension, length) in self.lengths().enumerate().rev() {
            dimensions[dimension].length = length;
            dimensions[dimension].source = stride;
            stride *= length;
        }
        let mut stride = unit;
        for dimension in self.order().rev() {
            dimensions[dimension].target = stride;
            stride *= dimensions[dimension].length;
        }
        (dimensions, self.rank)
    }

    /// Returns the index, after the permutations that `words` holds one after another, of the component `index`.
    pub fn index_after(mut words: &[u32], mut index: u64) -> u64 {
        while !words.is_empty() {
            let permutation = Self::from_words(words);
            index = permutation.target_index(index);
            words = &words[permutation.words()..];
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

    /// Packs the permutation into numbers, opaque to JavaScript.
    pub fn to_words(&self) -> impl Iterator<Item = u32> {
        let lengths = self.lengths.into_iter().take(self.rank);
        let order = self.order.into_iter().take(self.rank).map(u32::from);
        [self.component, self.rank as u32]
            .into_iter()
            .chain(lengths)
            .chain(order)
    }

    /// Unpacks the numbers of [`Self::to_words`], which may be followed by others.
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

    /// Returns the number of words of [`Self::to_words`].
    pub const fn words(&self) -> usize {
        2 + 2 * self.rank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permutation(lengths: &[usize], order: &[usize]) -> Permutation {
        Permutation::new(4, lengths.iter().copied(), order.iter().copied())
    }

    #[test]
    fn dimensions_that_stay_together_are_one() {
        let expected = permutation(&[6, 20], &[1, 0]);
        assert_eq!(permutation(&[2, 3, 4, 5], &[2, 3, 0, 1]), expected);
        assert_eq!(
            permutation(&[1, 2, 3, 1, 4, 5], &[4, 3, 5, 1, 0, 2]),
            expected
        );
        assert_eq!(expected.lengths().collect::<Vec<_>>(), [6, 20]);
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
        let words: Vec<_> = three.to_words().collect();
        assert_eq!(words, [4, 4, 2, 3, 4, 5, 2, 0, 3, 1]);
        assert_eq!(words.len(), three.words());
        assert_eq!(Permutation::from_words(&words), three);
    }

    #[test]
    fn indexes_move_with_their_components() {
        let two = permutation(&[2, 3], &[1, 0]);
        let indexes: Vec<_> = (0..6).map(|index| two.target_index(index)).collect();
        assert_eq!(indexes, [0, 2, 4, 1, 3, 5]);
    }
}
