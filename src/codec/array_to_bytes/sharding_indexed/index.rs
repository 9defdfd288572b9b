//! Indexes of shards, which may be longer than the window.

use crate::{
    codec::Location,
    error::Error,
    kernel::window::Window,
    stream::{Memory, parts},
};
use alloc::{string::String, vec::Vec};
use core::ops::Range;

/// The bytes that an entry of the index takes: two integers of 64 bits.
pub const ENTRY_SIZE: usize = 16;

/// What both numbers of an entry are if the inner chunk is missing.
const MISSING: u64 = u64::MAX;

/// Reads an entry of a decoded index: offset and length.
///
/// # Panics
/// Panics if there are fewer than [`ENTRY_SIZE`] bytes.
fn numbers(entry: &[u8]) -> [u64; 2] {
    let number = |at: usize| u64::from_ne_bytes(*entry[at..].first_chunk().expect("8 bytes"));
    [number(0), number(8)]
}

/// What entries of an index are compared with.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The length of the shard in bytes, if known.
    pub shard_length: Option<u64>,
    /// The place of the index in the shard. If that is not known, it is empty.
    pub index: Range<u64>,
    /// The length of encoded inner chunks, if it is fixed.
    pub chunk_length: Option<u64>,
}

impl Bounds {
    /// Describes a shard. `shard_length`, if known, is at least `index_length`.
    pub fn new(
        location: Location,
        index_length: u64,
        shard_length: Option<u64>,
        chunk_length: Option<u64>,
    ) -> Self {
        let index = match (location, shard_length) {
            (Location::Start, _) => 0..index_length,
            (Location::End, Some(length)) => length - index_length..length,
            (Location::End, None) => u64::MAX..u64::MAX,
        };
        Self {
            shard_length,
            index,
            chunk_length,
        }
    }

    /// Reads an entry of the index: the place of inner chunk `index` in the shard, or none if the chunk is missing. `grid` is
    /// the number of inner chunks in each dimension.
    ///
    /// # Errors
    /// Returns [`Error::InvalidEntry`] if that is not in the shard, overlaps the index, or has the wrong length.
    pub fn place(
        &self,
        index: u64,
        entry: [u64; 2],
        grid: impl Fn() -> Vec<u64>,
    ) -> Result<Option<Range<u64>>, Error> {
        let [offset, length] = entry;
        if entry == [MISSING; 2] {
            return Ok(None);
        }
        // Beyond 2^53 no file is that long, and JavaScript's numbers would be rounded.
        let longest = self.shard_length.unwrap_or(1 << 53);
        let (mut start, mut value) = (INCONSISTENT, offset);
        let problem = match offset.checked_add(length) {
            _ if offset == MISSING || length == MISSING => {
                ": only one of the two says that it is missing".into()
            }
            Some(end) if end <= longest => {
                let is_before = end <= self.index.start || length == 0;
                match self.chunk_length {
                    _ if !is_before && offset < self.index.end => {
                        if self.index.start > 0 {
                            start = UNFIT;
                        }
                        text![", overlaps the index at ", bytes(&self.index)]
                    }
                    Some(expected) if length != expected => {
                        value = length;
                        text![", expected length ", expected]
                    }
                    _ => return Ok(Some(offset..end)),
                }
            }
            _ => {
                start = UNFIT;
                text![", beyond its end (", longest, " bytes)"]
            }
        };
        Err(Error::InvalidEntry {
            problem: text![
                start,
                chunk(index, &grid()),
                " at offset ",
                offset,
                " of the shard, length ",
                length,
                problem
            ],
            index,
            value: value as f64,
        })
    }
}

const INCONSISTENT: &str = "shard index is inconsistent: inner chunk ";
/// The index may be right, and the shard truncated.
const UNFIT: &str = "shard index does not fit the shard: inner chunk ";

/// Names an inner chunk by its coordinates, like `(0, 3)`.
fn chunk(index: u64, grid: &[u64]) -> String {
    let mut rest = index;
    let mut text = String::from(")");
    for (axis, length) in grid.iter().enumerate().rev() {
        let comma = if axis > 0 { ", " } else { "(" };
        text = text![comma, rest % length, text];
        rest /= length;
    }
    text
}

fn bytes(place: &Range<u64>) -> String {
    text!["bytes ", place.start, " to ", place.end - 1]
}

/// Returns the error for inner chunk `index`, which overlaps the inner chunk `other.0` at `other.1`.
fn overlap(index: u64, place: Range<u64>, other: (u64, Range<u64>), grid: &[u64]) -> Error {
    Error::InvalidEntry {
        problem: text![
            INCONSISTENT,
            chunk(index, grid),
            " at ",
            bytes(&place),
            " of the shard overlaps inner chunk ",
            chunk(other.0, grid),
            " at ",
            bytes(&other.1)
        ],
        index,
        value: place.start as f64,
    }
}

/// The size in bytes of a number of JavaScript, which states a place.
pub const NUMBER: usize = 8;

/// Checks the entries of a decoded index, and writes the place of each inner chunk to `places`: the offsets of all as numbers
/// of JavaScript, then the offsets of their ends. Both are infinite if the chunk is missing. Returns whether the chunks are in
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
            let place = bounds.place((first + at) as u64, numbers(entry), &grid)?;
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
    let found = find(window, (places, 0), (places, middle), |index, from, to| {
        if !(from <= start && start < to) {
            return None;
        }
        let place = from as u64..to as u64;
        match first.take() {
            Some(other) => Some(overlap(index, place, other, &grid())),
            None => {
                first = Some((index, place));
                None
            }
        }
    });
    found.map_or(Ok(()), Err)
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
