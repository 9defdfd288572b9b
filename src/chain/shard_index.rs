//! Indexes of shards, which may be longer than the window, and inner chunks that contain only the fill value.

use crate::{
    codec::array_to_bytes::sharding_indexed::{self, Bounds, ENTRY_SIZE},
    error::Error,
    kernel::{
        filled,
        window::{SIZE, Window},
    },
    stream::Memory,
};
use alloc::vec::Vec;
use core::ops::Range;

/// The size in bytes of the numbers of places: those of JavaScript.
pub const NUMBER: usize = 8;

/// Checks the entries of a decoded index, and writes the place of each inner chunk to `places`: the offsets of all as numbers
/// of JavaScript, then those of their ends. Both are infinite if the chunk is missing. Returns whether the chunks are in
/// the order of the index, so that none overlap. `grid` returns the number of inner chunks in each dimension, for errors.
///
/// # Errors
/// Returns [`Error::InvalidEntry`].
pub fn read_places<M: Memory + ?Sized>(
    window: &mut Window,
    entries: &M,
    places: &mut M,
    bounds: &Bounds,
    grid: impl Fn() -> Vec<u64>,
) -> Result<bool, Error> {
    let middle = places.length() / 2;
    let (mut is_ordered, mut end) = (true, 0);
    for piece in parts(entries.length(), ENTRY_SIZE) {
        let (source, target) = window.halves();
        let source = &mut source[..piece.len()];
        entries.load(piece.start, source);
        let (starts, ends) = target[..piece.len()].split_at_mut(piece.len() / 2);
        let first = piece.start as usize / ENTRY_SIZE;
        for (at, entry) in source.as_chunks::<ENTRY_SIZE>().0.iter().enumerate() {
            let numbers = sharding_indexed::numbers(entry);
            let place = bounds.place((first + at) as u64, numbers, &grid)?;
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
}

/// Checks that no two inner chunks overlap. `starts` and `ends` are the halves of `places`, each sorted by itself.
///
/// They overlap if and only if some chunk starts before all chunks that start before it have ended, so that two sorted lists
/// of numbers tell. The caller sorts them, because an index may be longer than the memory of the module.
///
/// # Errors
/// Returns [`Error::InvalidEntry`].
pub fn check_places<M: Memory + ?Sized>(
    window: &mut Window,
    places: &M,
    starts: &M,
    ends: &M,
    grid: impl Fn() -> Vec<u64>,
) -> Result<(), Error> {
    let mut last_end = 0.0;
    let found = find(window, (starts, 0), (ends, 0), |_, start, end| {
        let overlaps = start < last_end;
        last_end = end;
        overlaps.then_some(start)
    });
    let Some(start) = found else {
        return Ok(());
    };
    let middle = places.length() / 2;
    let mut first: Option<(u64, Range<u64>)> = None;
    let overlap = find(window, (places, 0), (places, middle), |index, from, to| {
        if !(from <= start && start < to) {
            return None;
        }
        let place = from as u64..to as u64;
        match first.take() {
            Some(other) => Some(sharding_indexed::overlap(index, place, other, &grid())),
            None => {
                first = Some((index, place));
                None
            }
        }
    });
    overlap.map_or(Ok(()), Err)
}

/// Returns the first result of `f`, which gets an index and the numbers with this index in two lists of one length, each from a
/// position on to the end of the second one.
fn find<M: Memory + ?Sized, T>(
    window: &mut Window,
    (a, a_start): (&M, u32),
    (b, b_start): (&M, u32),
    mut f: impl FnMut(u64, f64, f64) -> Option<T>,
) -> Option<T> {
    for piece in parts(b.length() - b_start, NUMBER) {
        let (a_part, b_part) = window.halves();
        let (a_part, b_part) = (&mut a_part[..piece.len()], &mut b_part[..piece.len()]);
        a.load(a_start + piece.start, a_part);
        b.load(b_start + piece.start, b_part);
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
}

/// Returns whether all elements of a decoded chunk are `element`, bit for bit.
pub fn is_filled<M: Memory + ?Sized>(window: &mut Window, chunk: &M, element: &[u8]) -> bool {
    parts(chunk.length(), element.len()).all(|piece| {
        let bytes = &mut window.halves().0[..piece.len()];
        chunk.load(piece.start, bytes);
        filled::is_filled(bytes, element)
    })
}

/// Splits `length` bytes into parts that fit into the window and consist of whole units.
fn parts(length: u32, unit: usize) -> impl Iterator<Item = Range<u32>> {
    let size = SIZE / unit * unit;
    (0..length)
        .step_by(size)
        .map(move |start| start..length.min(start.saturating_add(size as u32)))
}
