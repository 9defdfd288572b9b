//! Shards: their indexes, and inner chunks that contain only the fill value.

use super::{chain::thrown, window::with};
use crate::{
    codec::{
        Location,
        array_to_bytes::sharding_indexed::{self, Bounds},
    },
    stream,
};
use alloc::vec::Vec;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;

/// Checks the entries of a decoded index, and writes the places of inner chunks ([`sharding_indexed::read_places`]). Returns whether
/// the chunks are in the order of the index. `grid` is the number of inner chunks in each dimension, for errors.
#[wasm_bindgen(js_name = readShardIndex)]
pub fn read_index(
    entries: &Uint8Array,
    places: &Uint8Array,
    is_at_start: bool,
    index_length: f64,
    shard_length: Option<f64>,
    chunk_length: Option<f64>,
    grid: &Array,
) -> Result<bool, JsValue> {
    let location = match is_at_start {
        true => Location::Start,
        false => Location::End,
    };
    let bounds = Bounds::new(
        location,
        index_length as u64,
        shard_length.map(|length| length as u64),
        chunk_length.map(|length| length as u64),
    );
    with(|window| {
        sharding_indexed::read_places(window, &entries, &mut { places }, &bounds, || lengths(grid))
    })
    .map_err(thrown)
}

/// Checks that no two inner chunks overlap ([`sharding_indexed::check_places`]).
#[wasm_bindgen(js_name = checkShardPlaces)]
pub fn check_places(
    places: &Uint8Array,
    starts: &Uint8Array,
    ends: &Uint8Array,
    grid: &Array,
) -> Result<(), JsValue> {
    with(|window| sharding_indexed::check_places(window, &places, &starts, &ends, || lengths(grid)))
        .map_err(thrown)
}

/// Reads the number of inner chunks in each dimension, for errors.
fn lengths(grid: &Array) -> Vec<u64> {
    let length = |length: JsValue| length.as_f64().unwrap_or(1.0) as u64;
    grid.iter().map(length).collect()
}

/// Returns whether all elements of a decoded chunk are `element`, bit for bit.
#[wasm_bindgen(js_name = isFilled)]
pub fn is_filled(chunk: &Uint8Array, element: &[u8]) -> bool {
    with(|window| stream::is_filled(window, &chunk, element))
}
