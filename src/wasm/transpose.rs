//! The permutation of a chunk whose components move.
//!
//! JavaScript writes its words to an area, from where the functions for the window read it: passing them would allocate.
//!
//! A chunk that does not fit into the window is split into blocks that do. A block consists of runs on both sides. They are
//! listed here and copied by JavaScript, because from here a copy takes five times as long (150 ns).

use super::window;
use crate::{
    chain::blocks::{Blocks, Lengths, MOST_RUNS, Runs},
    kernel::{
        Conversion, Permutation,
        transpose::{MOST_DIMENSIONS, MOST_WORDS},
    },
};
use core::cell::UnsafeCell;
use js_sys::Uint32Array;
use wasm_bindgen::prelude::*;

/// What JavaScript and Rust tell each other about a permuted chunk. All zeros at first: other bytes would be part of the
/// module.
struct Area {
    /// The words of the permutation from the payload to the array.
    words: [u32; MOST_WORDS],
    /// The lengths of a block of the chunk that is being converted.
    lengths: Lengths,
    runs: [[u32; RUNS]; 2],
}

/// The length of a list of runs: their length in bytes, their number, and their offsets in bytes.
const RUNS: usize = 2 + MOST_RUNS;

struct Shared(UnsafeCell<Area>);

// SAFETY: as for the window.
unsafe impl Sync for Shared {}

static AREA: Shared = Shared(UnsafeCell::new(Area {
    words: [0; MOST_WORDS],
    lengths: [0; MOST_DIMENSIONS],
    runs: [[0; RUNS]; 2],
}));

/// Runs `f` with the area.
fn with<T>(f: impl FnOnce(&mut Area) -> T) -> T {
    // SAFETY: as for the window, see [`window::with`]. No function that is called here calls another one of this file.
    f(unsafe { &mut *AREA.0.get() })
}

/// Returns the permutation whose words JavaScript has written, if the chunk has one.
pub fn permutation(is_permuted: bool) -> Option<Permutation> {
    is_permuted.then(|| with(|area| Permutation::from_words(&area.words)))
}

/// Returns a view of the area for the words of a chunk's permutation.
#[wasm_bindgen(js_name = permutationWords)]
pub fn permutation_words() -> Uint32Array {
    // SAFETY: the area is static and the memory fixed. JavaScript and Rust never use it at once, see [`window::with`].
    with(|area| unsafe { Uint32Array::view(&area.words) })
}

/// Returns a view of the runs of the block that [`select_block`] has selected: the length of a run of the source in bytes,
/// the number of runs, their offsets in bytes; from the middle on the same for the target.
#[wasm_bindgen(js_name = blockRuns)]
pub fn block_runs() -> Uint32Array {
    // SAFETY: as above.
    with(|area| unsafe { Uint32Array::view(area.runs.as_flattened()) })
}

/// Splits the chunk of the permutation into blocks and returns their number.
#[wasm_bindgen(js_name = splitIntoBlocks)]
pub fn split_into_blocks(conversion: u32, encodes: bool) -> usize {
    with(|area| {
        let permutation = Permutation::from_words(&area.words);
        let blocks = Blocks::split(&permutation, Conversion::from_number(conversion), encodes);
        area.lengths = blocks.lengths;
        blocks.count()
    })
}

/// Lists the runs of a block.
#[wasm_bindgen(js_name = selectBlock)]
pub fn select_block(index: usize, conversion: u32, encodes: bool) {
    with(|area| {
        let blocks = area.blocks(conversion, encodes);
        let block = blocks.block(index);
        let (source, target) = blocks.sizes();
        list(&block.source, source, &mut area.runs[0]);
        list(&block.target, target, &mut area.runs[1]);
    });
}

/// Converts a block, whose runs are in one half of the window, into the other half.
#[wasm_bindgen(js_name = convertBlock)]
pub fn convert_block(index: usize, conversion: u32, encodes: bool) {
    let blocks = with(|area| area.blocks(conversion, encodes));
    window::with(|window| blocks.convert(window, &blocks.block(index)));
}

impl Area {
    /// Returns the blocks that [`split_into_blocks`] has split the chunk into.
    fn blocks(&self, conversion: u32, encodes: bool) -> Blocks {
        let permutation = Permutation::from_words(&self.words);
        let conversion = Conversion::from_number(conversion);
        Blocks::of_lengths(&permutation, conversion, encodes, self.lengths)
    }
}

/// Lists runs of components of `size` bytes.
fn list(runs: &Runs, size: usize, words: &mut [u32; RUNS]) {
    words[0] = (runs.length * size) as u32;
    words[1] = runs.count as u32;
    let mut offsets = words[2..].iter_mut();
    runs.for_each(size, |start| {
        if let Some(offset) = offsets.next() {
            *offset = start as u32;
        }
    });
}
