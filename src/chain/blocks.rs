//! Splits an array whose components move, and that does not fit into the window, into blocks that do.

use crate::kernel::{
    Conversion, Permutation,
    transpose::{Dimension, MOST_DIMENSIONS, SAME_PLACE, for_each_offset},
    window::{SIZE, Window},
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

/// The blocks of a chunk. Each is copied into the window run by run, converted there, and copied out run by run.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    /// The permutation from the source to the target.
    permutation: Permutation,
    conversion: Conversion,
    encodes: bool,
    /// The lengths of a block.
    pub lengths: Lengths,
}

impl Blocks {
    /// Splits a chunk. `permutation` moves components when decoding.
    pub fn split(permutation: &Permutation, conversion: Conversion, encodes: bool) -> Self {
        let mut blocks = Self::of_lengths(permutation, conversion, encodes, Lengths::default());
        let capacity = SIZE / (permutation.component() * conversion.widening());
        blocks.lengths = lengths_of_blocks(&blocks.permutation, capacity as u32);
        blocks
    }

    /// Describes a chunk that has been split before, into blocks of these lengths.
    pub fn of_lengths(
        permutation: &Permutation,
        conversion: Conversion,
        encodes: bool,
        lengths: Lengths,
    ) -> Self {
        Self {
            permutation: match encodes {
                true => permutation.inverse(),
                false => *permutation,
            },
            conversion,
            encodes,
            lengths,
        }
    }

    /// Returns the number of blocks.
    pub fn count(&self) -> usize {
        count(&self.permutation, &self.lengths)
    }

    /// Returns a block. They are in the order of the source.
    pub fn block(&self, index: usize) -> Block {
        block(&self.permutation, &self.lengths, index)
    }

    /// Returns the sizes in bytes of a component of the source and of the target.
    pub fn sizes(&self) -> (usize, usize) {
        let encoded = self.permutation.component();
        let decoded = encoded * self.conversion.widening();
        match self.encodes {
            true => (decoded, encoded),
            false => (encoded, decoded),
        }
    }

    /// Returns the two halves of the window: blocks are copied into the first, and out of the second.
    pub fn halves<'a>(&self, window: &'a mut Window) -> (&'a mut [u8], &'a mut [u8]) {
        let (encoded, decoded) = window.halves();
        match self.encodes {
            true => (decoded, encoded),
            false => (encoded, decoded),
        }
    }

    /// Converts a block, whose runs are in one half of the window, into the other half.
    pub fn convert(&self, window: &mut Window, block: &Block) {
        let (permutation, conversion) = (&block.permutation, self.conversion);
        let length = permutation.byte_length();
        match self.encodes {
            true => window.encode_payload(length, conversion, Some(&permutation.inverse())),
            false => window.decode_payload(length, conversion, permutation),
        }
    }
}

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
    /// Calls `f` with the position in bytes of each run of components of `size` bytes, in the order of the block.
    pub fn for_each(&self, size: usize, mut f: impl FnMut(usize)) {
        for_each_offset(
            &self.dimensions,
            |offset, _| f((self.start + offset) * size),
        );
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
