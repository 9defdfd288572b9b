//! Shards: their indexes, which may be longer than the window, and inner chunks that contain only the fill value.

use super::{chain::thrown, window::with};
use crate::{
    codec::array_to_bytes::sharding_indexed::{self, Bounds, ENTRY_SIZE, IndexLocation},
    kernel::{filled, window::SIZE},
    stream::Memory,
};
use alloc::vec::Vec;
use core::ops::Range;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;

/// The size of a number of JavaScript in bytes.
const NUMBER: usize = 8;

/// Checks the entries of a decoded index, and writes the place of each inner chunk to `places`: the offsets of all as numbers
/// of JavaScript, then those of their ends. Both are infinite where the chunk is missing. Returns whether the chunks are in
/// the order of the index, so that none overlap. `grid` is the number of inner chunks in each dimension, for errors.
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
        true => IndexLocation::Start,
        false => IndexLocation::End,
    };
    let bounds = Bounds::new(
        location,
        index_length as u64,
        shard_length.map(|length| length as u64),
        chunk_length.map(|length| length as u64),
    );
    let mut places = places;
    let middle = places.length() / 2;
    let (mut is_ordered, mut end) = (true, 0);
    with(|window| {
        for piece in parts(entries.length(), ENTRY_SIZE) {
            let (source, target) = window.halves();
            let source = &mut source[..piece.len()];
            entries.load(piece.start, source);
            let (starts, ends) = target[..piece.len()].split_at_mut(piece.len() / 2);
            let first = piece.start as usize / ENTRY_SIZE;
            for (at, entry) in source.as_chunks::<ENTRY_SIZE>().0.iter().enumerate() {
                let numbers = sharding_indexed::numbers(entry);
                let place = bounds.place((first + at) as u64, numbers, || lengths(grid))?;
                let (mut from, mut to) = (f64::INFINITY, f64::INFINITY);
                if let Some(place) = place {
                    is_ordered &= place.start >= end;
                    end = place.end;
                    (from, to) = (place.start as f64, place.end as f64);
                }
                starts[at * NUMBER..][..NUMBER].copy_from_slice(&from.to_le_bytes());
                ends[at * NUMBER..][..NUMBER].copy_from_slice(&to.to_le_bytes());
            }
            places.store(starts, piece.start / 2);
            places.store(ends, middle + piece.start / 2);
        }
        Ok(is_ordered)
    })
    .map_err(thrown)
}

/// Reads the number of inner chunks in each dimension, for errors.
fn lengths(grid: &Array) -> Vec<u64> {
    let length = |length: JsValue| length.as_f64().unwrap_or(1.0) as u64;
    grid.iter().map(length).collect()
}

/// Splits `length` bytes into parts that fit into the window and consist of whole units.
fn parts(length: u32, unit: usize) -> impl Iterator<Item = Range<u32>> {
    let size = SIZE / unit * unit;
    (0..length)
        .step_by(size)
        .map(move |start| start..length.min(start.saturating_add(size as u32)))
}

/// Checks that no two inner chunks overlap. `starts` and `ends` are the halves of `places`, each sorted by itself.
///
/// They overlap if and only if some chunk starts before all chunks that start before it have ended, so that two sorted lists
/// of numbers tell. JavaScript sorts them, because an index may be longer than the memory of this module.
#[wasm_bindgen(js_name = checkShardPlaces)]
pub fn check_places(
    places: &Uint8Array,
    starts: &Uint8Array,
    ends: &Uint8Array,
    grid: &Array,
) -> Result<(), JsValue> {
    let mut last_end = 0.0;
    let found = find(starts, ends, |_, start, end| {
        let overlaps = start < last_end;
        last_end = end;
        overlaps.then_some(start)
    });
    let Some(start) = found else {
        return Ok(());
    };
    let middle = places.length() / 2;
    let (all_starts, all_ends) = (
        places.subarray(0, middle),
        places.subarray(middle, 2 * middle),
    );
    let mut first: Option<(u64, Range<u64>)> = None;
    let overlap = find(&all_starts, &all_ends, |index, from, to| {
        if !(from <= start && start < to) {
            return None;
        }
        let place = from as u64..to as u64;
        match first.take() {
            Some(other) => Some(sharding_indexed::overlap(
                index,
                place,
                other,
                &lengths(grid),
            )),
            None => {
                first = Some((index, place));
                None
            }
        }
    });
    overlap.map_or(Ok(()), |error| Err(thrown(error)))
}

/// Returns the first result of `f`, which gets an index and the numbers with this index in two arrays.
fn find<T>(
    a: &Uint8Array,
    b: &Uint8Array,
    mut f: impl FnMut(u64, f64, f64) -> Option<T>,
) -> Option<T> {
    with(|window| {
        for piece in parts(a.length(), NUMBER) {
            let (a_part, b_part) = window.halves();
            let (a_part, b_part) = (&mut a_part[..piece.len()], &mut b_part[..piece.len()]);
            a.load(piece.start, a_part);
            b.load(piece.start, b_part);
            let pairs = a_part.as_chunks::<NUMBER>().0.iter();
            for (at, (a, b)) in pairs.zip(b_part.as_chunks::<NUMBER>().0).enumerate() {
                let index = u64::from(piece.start) / NUMBER as u64 + at as u64;
                let found = f(index, f64::from_le_bytes(*a), f64::from_le_bytes(*b));
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    })
}

/// Returns whether all elements of a decoded chunk are `element`, bit for bit.
#[wasm_bindgen(js_name = isFilled)]
pub fn is_filled(chunk: &Uint8Array, element: &[u8]) -> bool {
    with(|window| {
        parts(chunk.length(), element.len()).all(|piece| {
            let bytes = &mut window.halves().0[..piece.len()];
            chunk.load(piece.start, bytes);
            filled::is_filled(bytes, element)
        })
    })
}
