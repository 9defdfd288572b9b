//! Splits an array that does not fit into the window into blocks that do, and lists the runs of their bytes.

use super::{Dimension, MOST_DIMENSIONS, Permutation, for_each_offset};

/// The largest number of runs of a block on one side. A block that is about square has at most about 512.
pub const MOST_RUNS: usize = 2048;

/// What it costs to copy a run into a block and out of it, and what each block costs, all in nanoseconds (Node 20). A run
/// that is copied into the window needs a view of its own; views of the window's runs are cached.
const COST_IN: u64 = 50;
const COST_OUT: u64 = 25;
const COST_OF_BLOCK: u64 = 1000;

/// The blocks of an array.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    permutation: Permutation,
    /// The lengths of a block, except at the ends of the array.
    lengths: [usize; MOST_DIMENSIONS],
}

/// One block.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The permutation of the block by itself.
    pub permutation: Permutation,
    /// Its place in the source of the whole array.
    pub source: Runs,
    /// Its place in the target.
    pub target: Runs,
}

/// The parts of an array that make up a block, in its order and of equal length. Numbers are in components.
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    /// The number of components of a run.
    pub length: usize,
    /// The number of runs.
    pub count: usize,
    start: usize,
    /// The dimensions that the runs are in, outermost first.
    dimensions: [Dimension; MOST_DIMENSIONS],
    rank: usize,
}

impl Runs {
    /// Calls `f` with the index of the first component of each run, in the order of the block.
    pub fn for_each(&self, mut f: impl FnMut(usize)) {
        for_each_offset(&self.dimensions[..self.rank], |offset, _| {
            f(self.start + offset)
        });
    }
}

impl Blocks {
    /// Splits an array into blocks of at most `capacity` components.
    pub fn new(permutation: &Permutation, capacity: usize) -> Self {
        let total: usize = permutation.lengths().product();
        if total <= capacity {
            return Self::of_lengths(permutation, permutation.lengths());
        }
        let mut best = None;
        // The source's runs as long as possible, half as long, and so on: the target's runs become longer.
        for halvings in 0..=capacity.ilog2() {
            let blocks = Self::with_runs(permutation, capacity >> halvings, capacity);
            let cost = blocks.cost();
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, blocks));
            }
        }
        best.expect("at least one candidate").1
    }

    fn of_lengths(permutation: &Permutation, lengths: impl Iterator<Item = usize>) -> Self {
        let mut blocks = Self {
            permutation: *permutation,
            lengths: [1; MOST_DIMENSIONS],
        };
        for (slot, length) in blocks.lengths.iter_mut().zip(lengths) {
            *slot = length;
        }
        blocks
    }

    /// Chooses blocks with runs of up to `run` components in the source, and in the target of what is left of `capacity`.
    fn with_runs(permutation: &Permutation, run: usize, capacity: usize) -> Self {
        let mut lengths = [1; MOST_DIMENSIONS];
        let mut size = 1;
        let mut whole = [0; MOST_DIMENSIONS];
        for (slot, length) in whole.iter_mut().zip(permutation.lengths()) {
            *slot = length;
        }
        let mut grow = |dimension: usize, most: usize| {
            size /= lengths[dimension];
            let length = whole[dimension].min(most / size).max(lengths[dimension]);
            // Of equal length, as far as possible.
            lengths[dimension] = whole[dimension].div_ceil(whole[dimension].div_ceil(length));
            size *= lengths[dimension];
        };
        let rank = permutation.lengths().len();
        (0..rank).rev().for_each(|dimension| grow(dimension, run));
        permutation
            .order()
            .rev()
            .for_each(|dimension| grow(dimension, capacity));
        (0..rank)
            .rev()
            .for_each(|dimension| grow(dimension, capacity));
        Self::of_lengths(permutation, lengths.into_iter().take(rank))
    }

    /// Estimates how long copying all blocks takes.
    fn cost(&self) -> u64 {
        let block = self.get(0);
        if block.source.count.max(block.target.count) > MOST_RUNS {
            return u64::MAX;
        }
        let runs = block.source.count as u64 * COST_IN + block.target.count as u64 * COST_OUT;
        self.count() as u64 * (runs + COST_OF_BLOCK)
    }

    /// Returns the number of blocks.
    pub fn count(&self) -> usize {
        let lengths = self.permutation.lengths().zip(self.lengths);
        lengths
            .map(|(whole, length)| whole.div_ceil(length))
            .product()
    }

    /// Returns a block. They are in the order of the source.
    pub fn get(&self, mut index: usize) -> Block {
        let (mut dimensions, rank) = self.permutation.dimensions(1);
        let (mut source, mut target) = (0, 0);
        let mut whole = [0; MOST_DIMENSIONS];
        for (at, dimension) in dimensions[..rank].iter_mut().enumerate().rev() {
            let count = dimension.length.div_ceil(self.lengths[at]);
            let first = index % count * self.lengths[at];
            index /= count;
            source += first * dimension.source;
            target += first * dimension.target;
            whole[at] = dimension.length;
            dimension.length = self.lengths[at].min(dimension.length - first);
        }
        let lengths = dimensions[..rank].iter().map(|dimension| dimension.length);
        let in_target_order = self.permutation.order().map(|at| {
            let Dimension { length, target, .. } = dimensions[at];
            (
                Dimension {
                    length,
                    source: target,
                    target: 0,
                },
                whole[at],
            )
        });
        let in_source_order = dimensions[..rank].iter().copied().zip(whole);
        Block {
            permutation: self.permutation.with_lengths(lengths),
            source: runs(source, in_source_order),
            target: runs(target, in_target_order),
        }
    }
}

/// Returns the runs of a box in a dense array. Dimensions are outermost first, each with the length of the whole array.
fn runs(start: usize, dimensions: impl DoubleEndedIterator<Item = (Dimension, usize)>) -> Runs {
    let mut runs = Runs {
        length: 1,
        count: 1,
        start,
        dimensions: [Dimension::default(); MOST_DIMENSIONS],
        rank: 0,
    };
    let mut is_contiguous = true;
    for (dimension, whole) in dimensions.rev() {
        if is_contiguous {
            runs.length *= dimension.length;
            is_contiguous = dimension.length == whole;
        } else if dimension.length > 1 {
            runs.count *= dimension.length;
            runs.dimensions[runs.rank] = dimension;
            runs.rank += 1;
        }
    }
    runs.dimensions[..runs.rank].reverse();
    runs
}
