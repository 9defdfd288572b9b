//! Splits an array whose components move, and that does not fit into the window, into blocks that do.

use crate::kernel::{
    Permutation,
    transpose::{Dimension, MOST_DIMENSIONS, SAME_PLACE, for_each_offset},
};

/// The largest number of runs of a block on one side. A block that is about square has at most about 512.
pub const MOST_RUNS: usize = 2048;

/// What it costs to copy a run into a block and out of it, and what each block costs, all in nanoseconds (Node 20). A run
/// that is copied into the window needs a view of its own; views of the window's runs are cached.
const COST_IN: u64 = 50;
const COST_OUT: u64 = 25;
const COST_OF_BLOCK: u64 = 1000;

/// Moving as many bytes takes a nanosecond longer where a stride is a multiple of [`SAME_PLACE`].
const BYTES_MOVED: usize = 40;

/// The lengths of a block, one for each dimension of the source.
pub type Lengths = [u32; MOST_DIMENSIONS];

/// One block of an array.
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
    /// The dimensions that the runs are in, outermost first: the last ones of the array. Others have the length 1.
    dimensions: [Dimension; MOST_DIMENSIONS],
}

impl Runs {
    /// Calls `f` with the index of the first component of each run, in the order of the block.
    pub fn for_each(&self, mut f: impl FnMut(usize)) {
        for_each_offset(&self.dimensions, |offset, _| f(self.start + offset));
    }
}

/// Chooses the lengths of blocks of at most `capacity` components, for which copying all runs takes the least time.
pub fn lengths_of_blocks(permutation: &Permutation, capacity: u32) -> Lengths {
    let mut best = (u64::MAX, [1; MOST_DIMENSIONS]);
    // The source's runs as long as possible, half as long, and so on: the target's runs become longer.
    for halvings in 0..=capacity.ilog2() {
        // A little less than all of it: where all lengths are powers of two, strides are not.
        for capacity in [capacity, capacity - capacity / 8] {
            let lengths = with_runs(permutation, capacity >> halvings, capacity);
            best = best.min((cost(permutation, &lengths), lengths));
        }
    }
    best.1
}

/// Chooses blocks with runs of up to `run` components in the source, and in the target of what is left of `capacity`.
fn with_runs(permutation: &Permutation, run: u32, capacity: u32) -> Lengths {
    let mut lengths = [1; MOST_DIMENSIONS];
    let mut size = 1;
    let mut grow = |dimension: usize, most: u32| {
        let whole = permutation.lengths()[dimension];
        size /= lengths[dimension];
        let length = whole.min(most / size).max(lengths[dimension]);
        // Of equal length, as far as possible.
        lengths[dimension] = whole.div_ceil(whole.div_ceil(length));
        size *= lengths[dimension];
    };
    let rank = permutation.lengths().len();
    for (most, in_target) in [(run, false), (capacity, true), (capacity, false)] {
        for at in (0..rank).rev() {
            let dimension = if in_target {
                permutation.order()[at].into()
            } else {
                at
            };
            grow(dimension, most);
        }
    }
    lengths
}

/// Estimates how long copying all blocks takes.
fn cost(permutation: &Permutation, lengths: &Lengths) -> u64 {
    let block = block(permutation, lengths, 0);
    if block.source.count.max(block.target.count) > MOST_RUNS {
        return u64::MAX;
    }
    let runs = block.source.count as u64 * COST_IN + block.target.count as u64 * COST_OUT;
    let misses = block.permutation.byte_length() / BYTES_MOVED * conflicts(&block.permutation);
    count(permutation, lengths) as u64 * (runs + misses as u64 + COST_OF_BLOCK)
}

/// Returns on how many sides what is innermost on the other side has a stride to the same place of the cache.
fn conflicts(permutation: &Permutation) -> usize {
    let (dimensions, rank) = permutation.dimensions(permutation.component());
    let source = permutation
        .order()
        .last()
        .map(|&last| dimensions[last as usize].source);
    let target = dimensions[..rank].last().map(|last| last.target);
    [source, target]
        .into_iter()
        .flatten()
        .filter(|stride| stride.is_multiple_of(SAME_PLACE))
        .count()
}

/// Returns the number of blocks of these lengths.
pub fn count(permutation: &Permutation, lengths: &Lengths) -> usize {
    let mut count = 1;
    for (whole, length) in permutation.lengths().iter().zip(lengths) {
        count *= whole.div_ceil(*length) as usize;
    }
    count
}

/// Returns a block. They are in the order of the source.
pub fn block(permutation: &Permutation, lengths: &Lengths, mut index: usize) -> Block {
    let (dimensions, rank) = permutation.dimensions(1);
    let mut first = [0; MOST_DIMENSIONS];
    let mut own = [1; MOST_DIMENSIONS];
    for at in (0..rank).rev() {
        let (whole, length) = (permutation.lengths()[at], lengths[at]);
        let count = whole.div_ceil(length) as usize;
        first[at] = (index % count) as u32 * length;
        own[at] = length.min(whole - first[at]);
        index /= count;
    }
    let runs = |is_target: bool| {
        let mut runs = Runs {
            length: 1,
            count: 1,
            start: 0,
            dimensions: [Dimension::default(); MOST_DIMENSIONS],
        };
        for dimension in &mut runs.dimensions {
            dimension.length = 1;
        }
        let mut is_contiguous = true;
        // The innermost dimensions come last.
        for (at, slot) in (0..rank).rev().zip(runs.dimensions.iter_mut().rev()) {
            let dimension = if is_target {
                permutation.order()[at].into()
            } else {
                at
            };
            let Dimension {
                source,
                target,
                length: whole,
            } = dimensions[dimension];
            let stride = if is_target { target } else { source };
            let length = own[dimension] as usize;
            runs.start += first[dimension] as usize * stride;
            if is_contiguous {
                runs.length *= length;
                is_contiguous = length == whole;
            } else {
                runs.count *= length;
                (slot.length, slot.source) = (length, stride);
            }
        }
        runs
    };
    Block {
        permutation: permutation.with_lengths(&own[..rank]),
        source: runs(false),
        target: runs(true),
    }
}
