//! The engine: streams chunks of any length through a [`Window`]. Their bytes live in [`Memory`].

use crate::{
    chain::{
        Records,
        blocks::{Blocks, Runs},
    },
    diagnosis,
    error::Error,
    kernel::{
        ChunkStream, Conversion, InvalidElement, Permutation,
        checksum::{self, CHECKSUM_SIZE, Mismatch},
        crc32c::{self, History},
        digest::Digest,
        filled, pieces,
        records::{self, Run},
        window::{SIZE, Window},
    },
};
use core::ops::Range;

/// Bytes of a chunk, in the memory of JavaScript or in Rust's: what the engine reads and writes piece by piece.
pub trait Memory {
    /// Returns the number of bytes.
    fn length(&self) -> u32;

    /// Fills `target` with the bytes from `start` on.
    fn load(&self, start: u32, target: &mut [u8]);

    /// Writes `source` to the bytes from `start` on.
    fn store(&mut self, source: &[u8], start: u32);

    /// Writes a range of the bytes of `source` to the same range of these.
    fn copy(&mut self, source: &Self, range: Range<u32>);
}

impl Memory for [u8] {
    fn length(&self) -> u32 {
        self.len() as u32
    }

    fn load(&self, start: u32, target: &mut [u8]) {
        target.copy_from_slice(&self[start as usize..][..target.len()]);
    }

    fn store(&mut self, source: &[u8], start: u32) {
        self[start as usize..][..source.len()].copy_from_slice(source);
    }

    fn copy(&mut self, source: &Self, range: Range<u32>) {
        let range = range.start as usize..range.end as usize;
        self[range.clone()].copy_from_slice(&source[range]);
    }
}

/// Copies `source[from..from + length]` to `target[to..]`.
///
/// Through the window if the bytes move: large arrays begin at the same place of a memory page, and copying between
/// places a few bytes apart stalls the processor (64 KiB moved by 4 bytes: 25 µs, through the window 5; Node 20).
pub fn copy<M: Memory + ?Sized>(
    window: &mut Window,
    (source, from): (&M, u32),
    (target, to): (&mut M, u32),
    length: u32,
) {
    if from == to {
        return target.copy(source, from..from + length);
    }
    for piece in pieces(length, SIZE) {
        let part = &mut window.halves().0[..piece.length()];
        source.load(from + piece.start, part);
        target.store(part, to + piece.start);
    }
}

/// Continues the CRC-32C `initial` over a range of `bytes`; start with 0.
pub fn crc32c<M: Memory + ?Sized>(
    window: &mut Window,
    bytes: &M,
    range: Range<u32>,
    initial: u32,
) -> u32 {
    let mut digest = crc32c::Digest::new(initial);
    for_each_piece(window, bytes, range, |history, part, is_last| {
        digest.update_with(history, part, is_last);
    });
    digest.crc()
}

/// Continues a checksum over a range of `bytes`.
pub fn digest<M: Memory + ?Sized>(
    window: &mut Window,
    bytes: &M,
    range: Range<u32>,
    digest: &mut Digest,
) {
    for_each_piece(window, bytes, range, |history, part, is_last| {
        digest.update_with(history, part, is_last);
    });
}

/// Calls `f` with the memory of checksums, each piece of a range of `bytes`, and whether it is the last.
fn for_each_piece<M: Memory + ?Sized>(
    window: &mut Window,
    bytes: &M,
    range: Range<u32>,
    mut f: impl FnMut(&mut History, &[u8], bool),
) {
    for piece in pieces(range.end - range.start, SIZE) {
        let (history, encoded, _) = window.parts();
        let part = &mut encoded[..piece.length()];
        bytes.load(range.start + piece.start, part);
        f(history, part, piece.is_last);
    }
}

/// Returns the error for a mismatch in a chunk, parts of which are read once more.
fn diagnose<M: Memory + ?Sized>(window: &mut Window, mismatch: Mismatch, encoded: &M) -> Error {
    let read = |at: u64, target: &mut [u8]| encoded.load(at as u32, target);
    diagnosis::diagnose(mismatch, encoded.length().into(), window.parts(), &read)
}

/// Decodes a chunk of any length or, without `decoded`, only verifies it.
///
/// # Errors
/// Returns [`Error::ChunkLength`] for one that is shorter than its checksums, [`Error::ChecksumMismatch`] or
/// [`Error::InvalidElement`], after writing `decoded`.
pub fn decode<M: Memory + ?Sized>(
    window: &mut Window,
    encoded: &M,
    mut decoded: Option<&mut M>,
    conversion: Conversion,
    checksum_count: usize,
) -> Result<(), Error> {
    let widening = conversion.widening();
    let checksums_length = (checksum_count * CHECKSUM_SIZE) as u32;
    let Some(payload_length) = encoded.length().checked_sub(checksums_length) else {
        return Err(Error::too_short(checksum_count, encoded.length().into()));
    };
    let mut stream = ChunkStream::new(conversion, checksum_count);
    for piece in pieces(payload_length, SIZE / widening) {
        let (history, part, converted) = window.parts();
        let part = &mut part[..piece.length()];
        encoded.load(piece.start, part);
        match &mut decoded {
            Some(decoded) if !conversion.is_identity() => {
                let converted = &mut converted[..piece.length() * widening];
                stream.decode(history, part, converted, piece.is_last);
                decoded.store(converted, piece.start * widening as u32);
                continue;
            }
            Some(decoded) => decoded.store(part, piece.start),
            None => {}
        }
        stream.update_with(history, part, piece.is_last);
    }
    let checksums = &mut window.halves().1[..checksum_count * CHECKSUM_SIZE];
    encoded.load(payload_length, checksums);
    match stream.verify(checksums) {
        Ok(None) => Ok(()),
        Ok(Some(invalid_element)) => Err(invalid_element.into()),
        Err(mismatch) => Err(diagnose(window, mismatch, encoded)),
    }
}

/// Verifies a chunk as [`decode`] does, without decoding it. `order` holds the words of the permutations from the payload to C
/// order, for the index of an invalid element.
///
/// # Errors
/// As [`decode`].
pub fn check<M: Memory + ?Sized>(
    window: &mut Window,
    encoded: &M,
    conversion: Conversion,
    checksum_count: usize,
    order: &[u32],
) -> Result<(), Error> {
    match decode(window, encoded, None, conversion, checksum_count) {
        Err(Error::InvalidElement { .. }) if !order.is_empty() => {
            first_invalid(window, encoded, conversion, checksum_count, order)
        }
        outcome => outcome,
    }
}

/// Returns the error for the invalid element that comes first in C order, in a chunk that has one.
fn first_invalid<M: Memory + ?Sized>(
    window: &mut Window,
    encoded: &M,
    conversion: Conversion,
    checksum_count: usize,
    order: &[u32],
) -> Result<(), Error> {
    let payload_length = encoded.length() - (checksum_count * CHECKSUM_SIZE) as u32;
    let mut first: Option<InvalidElement> = None;
    for piece in pieces(payload_length, SIZE) {
        let bytes = &mut window.halves().0[..piece.length()];
        encoded.load(piece.start, bytes);
        let size = conversion.checked_size();
        let mut at = 0;
        while let Some((component, value)) = conversion.first_invalid(&bytes[at * size..]) {
            at += component + 1;
            let index = piece.start as usize / size + at - 1;
            let index = Permutation::index_after(order, index as u64);
            if first.is_none_or(|first| index < first.index) {
                first = Some(InvalidElement {
                    index,
                    value,
                    conversion,
                });
            }
        }
    }
    first.map_or(Ok(()), |element| Err(element.into()))
}

/// Fills in the checksums at the end of an encoded chunk of any length.
pub fn append<M: Memory + ?Sized>(window: &mut Window, encoded: &mut M, checksum_count: usize) {
    let payload_length = encoded.length() - (checksum_count * CHECKSUM_SIZE) as u32;
    let crc = crc32c(window, encoded, 0..payload_length, 0);
    let checksums = &mut window.halves().1[..checksum_count * CHECKSUM_SIZE];
    checksum::append(crc, checksums);
    encoded.store(checksums, payload_length);
}

/// Encodes a chunk of any length. `encoded` has room for the checksums after the payload.
///
/// # Errors
/// Returns [`Error::InvalidElement`], after writing `encoded`.
pub fn encode<M: Memory + ?Sized>(
    window: &mut Window,
    decoded: &M,
    encoded: &mut M,
    conversion: Conversion,
    checksum_count: usize,
) -> Result<(), Error> {
    let widening = conversion.widening();
    let payload_length = encoded.length() - (checksum_count * CHECKSUM_SIZE) as u32;
    let mut stream = ChunkStream::new(conversion, checksum_count);
    for piece in pieces(payload_length, SIZE / widening) {
        let (history, window_encoded, window_decoded) = window.parts();
        let converted = &mut window_encoded[..piece.length()];
        if conversion.is_identity() {
            decoded.load(piece.start, converted);
        } else {
            let source = &mut window_decoded[..piece.length() * widening];
            decoded.load(piece.start * widening as u32, source);
            conversion.encode(source, converted);
        }
        encoded.store(converted, piece.start);
        stream.update_with(history, converted, piece.is_last);
    }
    let checksums = &mut window.halves().1[..checksum_count * CHECKSUM_SIZE];
    stream.append(checksums)?;
    encoded.store(checksums, payload_length);
    Ok(())
}

/// Copies `size` bytes at `offset` of each element of `record_size` bytes to `target`.
pub fn gather<M: Memory + ?Sized>(
    window: &mut Window,
    elements: &M,
    record_size: u32,
    offset: u32,
    size: u32,
    target: &mut M,
) {
    let count = elements.length() / record_size;
    let at_once = SIZE as u32 / record_size;
    if at_once == 0 {
        for i in 0..count {
            let from = i * record_size + offset;
            copy(window, (elements, from), (target, i * size), size);
        }
        return;
    }
    for first in (0..count).step_by(at_once as usize) {
        let count = at_once.min(count - first);
        let (source, gathered) = window.halves();
        let source = &mut source[..(count * record_size) as usize];
        let gathered = &mut gathered[..(count * size) as usize];
        elements.load(first * record_size, source);
        let [record_size, offset, length] = [record_size, offset, size].map(|n| n as usize);
        records::gather(record_size, offset, length, source, gathered);
        target.store(gathered, first * size);
    }
}

/// Swaps the components of whole elements.
pub fn swap_records<M: Memory + ?Sized>(window: &mut Window, elements: &mut M, records: &Records) {
    let size = records.size as u32;
    let length = elements.length();
    if records.size <= SIZE {
        return swap(window, elements, 0..length, size, &records.runs);
    }
    // Each run by itself, of records of one component.
    for start in (0..length).step_by(records.size) {
        for run in &records.runs {
            let component = Run {
                offset: 0,
                count: 1,
                ..*run
            };
            let start = start + run.offset;
            let range = start..start + run.size * run.count;
            swap(window, elements, range, run.size, &[component]);
        }
    }
}

/// Swaps whole records of `size` bytes, at most as long as the window.
fn swap<M: Memory + ?Sized>(
    window: &mut Window,
    bytes: &mut M,
    range: Range<u32>,
    size: u32,
    runs: &[Run],
) {
    let at_once = SIZE as u32 / size * size;
    for start in range.clone().step_by(at_once as usize) {
        let piece = &mut window.halves().0[..at_once.min(range.end - start) as usize];
        bytes.load(start, piece);
        records::swap(size as usize, runs, piece);
        bytes.store(piece, start);
    }
}

/// Moves the components of `source` to their places in `target`, and converts them, block by block.
///
/// Where blocks have many runs, JavaScript copies the runs in its memory itself (`js/wasm/blocks.ts`).
pub fn by_blocks<M: Memory + ?Sized>(
    window: &mut Window,
    blocks: &Blocks,
    source: &M,
    target: &mut M,
) {
    let (from_size, to_size) = blocks.sizes();
    for index in 0..blocks.count() {
        let block = blocks.block(index);
        let half = blocks.halves(window).0;
        for_each_run(&block.source, from_size, half, |run, start| {
            source.load(start, run);
        });
        blocks.convert(window, &block);
        let half = blocks.halves(window).1;
        for_each_run(&block.target, to_size, half, |run, start| {
            target.store(run, start);
        });
    }
}

/// Calls `f` with each run of a block of components of `size` bytes, and with where it is in the whole array.
fn for_each_run(runs: &Runs, size: usize, half: &mut [u8], mut f: impl FnMut(&mut [u8], u32)) {
    let mut parts = half.chunks_exact_mut(runs.length * size);
    runs.for_each(size, |start| {
        if let Some(run) = parts.next() {
            f(run, start as u32);
        }
    });
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
pub fn parts(length: u32, unit: usize) -> impl Iterator<Item = Range<u32>> {
    let size = SIZE / unit * unit;
    (0..length)
        .step_by(size)
        .map(move |start| start..length.min(start.saturating_add(size as u32)))
}
