//! Chunks whose components move, and that do not fit into the window.
//!
//! They are split into blocks that fit. A block consists of runs on both sides; JavaScript copies them, because from here a
//! copy takes five times as long (150 ns). Rust lists their offsets and converts.

use super::window;
use crate::kernel::{Conversion, window::Direction};
use js_sys::Uint32Array;
use wasm_bindgen::prelude::*;

fn direction(encodes: bool) -> Direction {
    match encodes {
        true => Direction::Encode,
        false => Direction::Decode,
    }
}

/// Returns a view of the area for the words of a chunk's permutation, which the functions below and the permuting ones of
/// [`super::chain`] read.
#[wasm_bindgen(js_name = permutationWords)]
pub fn permutation_words() -> Uint32Array {
    window::words_view()
}

/// Returns a view of the runs of the block that [`select_block`] has selected: the length of a run of the source in bytes,
/// the number of runs, their offsets in bytes; from the middle on the same for the target.
#[wasm_bindgen(js_name = blockRuns)]
pub fn block_runs() -> Uint32Array {
    window::runs_view()
}

/// Splits a chunk into blocks and returns their number.
#[wasm_bindgen(js_name = splitIntoBlocks)]
pub fn split_into_blocks(conversion: u32, encodes: bool) -> usize {
    let conversion = Conversion::from_number(conversion);
    window::with(|window| window.split(conversion, direction(encodes)))
}

/// Selects a block of the chunk that has been split, and lists its runs.
#[wasm_bindgen(js_name = selectBlock)]
pub fn select_block(index: usize, conversion: u32, encodes: bool) {
    let conversion = Conversion::from_number(conversion);
    window::with(|window| window.select_block(index, conversion, direction(encodes)));
}

/// Converts the selected block from one half of the window into the other.
#[wasm_bindgen(js_name = convertBlock)]
pub fn convert_block(conversion: u32, encodes: bool) {
    let conversion = Conversion::from_number(conversion);
    window::with(|window| window.convert_block(conversion, direction(encodes)));
}
