//! Chunks of any length, streamed through the window.

use super::window::{load, store, with};
use crate::{
    chain::Records,
    diagnosis,
    error::Error,
    kernel::{
        ChunkStream, Conversion, InvalidElement, Permutation,
        checksum::{self, CHECKSUM_SIZE, Mismatch},
        digest::Digest,
        pieces,
        records::{self, Run},
        window::SIZE,
    },
};
use js_sys::Uint8Array;

/// Copies `source[from..from + length]` to `target[to..]`.
///
/// Through the window if the bytes move: large arrays begin at the same place of a memory page, and copying between
/// places a few bytes apart stalls the processor (64 KiB moved by 4 bytes: 25 µs, through the window 5; Node 20).
pub fn copy(source: &Uint8Array, from: u32, target: &Uint8Array, to: u32, length: u32) {
    if from == to {
        return target.set(&source.subarray(from, from + length), to);
    }
    with(|window| {
        for piece in pieces(length, SIZE) {
            let part = &mut window.halves().0[..piece.length()];
            load(source, from + piece.start, part);
            store(part, target, to + piece.start);
        }
    });
}

/// Continues a checksum over `bytes[start..start + length]`.
pub fn digest(bytes: &Uint8Array, start: u32, length: u32, digest: &mut Digest) {
    with(|window| {
        for piece in pieces(length, SIZE) {
            let (history, encoded, _) = window.parts();
            let part = &mut encoded[..piece.length()];
            load(bytes, start + piece.start, part);
            digest.update_with(history, part, piece.is_last);
        }
    });
}

/// Returns the error for a mismatch in a chunk, parts of which are read once more.
pub fn diagnose(mismatch: Mismatch, encoded: &Uint8Array) -> Error {
    let read = |at: u64, target: &mut [u8]| load(encoded, at as u32, target);
    with(|window| diagnosis::diagnose(mismatch, encoded.length().into(), window.parts(), &read))
}

/// Decodes a chunk of any length or, without `decoded`, only verifies it.
pub fn decode(
    encoded: &Uint8Array,
    decoded: Option<&Uint8Array>,
    conversion: Conversion,
    checksum_count: usize,
) -> Result<(), Error> {
    let widening = conversion.widening();
    let checksums_length = (checksum_count * CHECKSUM_SIZE) as u32;
    let Some(payload_length) = encoded.length().checked_sub(checksums_length) else {
        return Err(Error::too_short(checksum_count, encoded.length().into()));
    };
    let mut stream = ChunkStream::new(conversion, checksum_count);
    let outcome = with(|window| {
        for piece in pieces(payload_length, SIZE / widening) {
            let (history, part, converted) = window.parts();
            let part = &mut part[..piece.length()];
            load(encoded, piece.start, part);
            match decoded {
                Some(decoded) if !conversion.is_identity() => {
                    let converted = &mut converted[..piece.length() * widening];
                    stream.decode(history, part, converted, piece.is_last);
                    store(converted, decoded, piece.start * widening as u32);
                    continue;
                }
                Some(decoded) => store(part, decoded, piece.start),
                None => {}
            }
            stream.update_with(history, part, piece.is_last);
        }
        let checksums = &mut window.halves().1[..checksum_count * CHECKSUM_SIZE];
        load(encoded, payload_length, checksums);
        stream.verify(checksums)
    });
    match outcome {
        Ok(None) => Ok(()),
        Ok(Some(invalid_element)) => Err(invalid_element.into()),
        Err(mismatch) => Err(diagnose(mismatch, encoded)),
    }
}

/// Returns the error for the invalid element that comes first in C order, in a chunk that has one. `order` holds the words
/// of the permutations from the payload to C order.
pub fn first_invalid(
    encoded: &Uint8Array,
    conversion: Conversion,
    checksum_count: usize,
    order: &[u32],
) -> Result<(), Error> {
    let payload_length = encoded.length() - (checksum_count * CHECKSUM_SIZE) as u32;
    let mut first: Option<InvalidElement> = None;
    with(|window| {
        for piece in pieces(payload_length, SIZE) {
            let bytes = &mut window.halves().0[..piece.length()];
            load(encoded, piece.start, bytes);
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
    });
    first.map_or(Ok(()), |element| Err(element.into()))
}

/// Fills in the checksums at the end of an encoded chunk of any length.
pub fn append(encoded: &Uint8Array, checksum_count: usize) {
    let payload_length = encoded.length() - (checksum_count * CHECKSUM_SIZE) as u32;
    let crc = super::window::crc32c(&encoded.subarray(0, payload_length), 0);
    with(|window| {
        let checksums = &mut window.halves().1[..checksum_count * CHECKSUM_SIZE];
        checksum::append(crc, checksums);
        store(checksums, encoded, payload_length);
    });
}

/// Encodes a chunk of any length. `encoded` has room for the checksums after the payload.
pub fn encode(
    decoded: &Uint8Array,
    encoded: &Uint8Array,
    conversion: Conversion,
    checksum_count: usize,
) -> Result<(), Error> {
    let widening = conversion.widening();
    let payload_length = encoded.length() - (checksum_count * CHECKSUM_SIZE) as u32;
    let mut stream = ChunkStream::new(conversion, checksum_count);
    with(|window| {
        for piece in pieces(payload_length, SIZE / widening) {
            let (history, window_encoded, window_decoded) = window.parts();
            let converted = &mut window_encoded[..piece.length()];
            if conversion.is_identity() {
                load(decoded, piece.start, converted);
            } else {
                let source = &mut window_decoded[..piece.length() * widening];
                load(decoded, piece.start * widening as u32, source);
                conversion.encode(source, converted);
            }
            store(converted, encoded, piece.start);
            stream.update_with(history, converted, piece.is_last);
        }
        let checksums = &mut window.halves().1[..checksum_count * CHECKSUM_SIZE];
        stream.append(checksums)?;
        store(checksums, encoded, payload_length);
        Ok(())
    })
}

/// Copies `size` bytes at `offset` of each element of `record_size` bytes to `target`.
pub fn gather(
    elements: &Uint8Array,
    record_size: u32,
    offset: u32,
    size: u32,
    target: &Uint8Array,
) {
    let count = elements.length() / record_size;
    let at_once = SIZE as u32 / record_size;
    if at_once == 0 {
        for i in 0..count {
            copy(elements, i * record_size + offset, target, i * size, size);
        }
        return;
    }
    for first in (0..count).step_by(at_once as usize) {
        let count = at_once.min(count - first);
        with(|window| {
            let (source, gathered) = window.halves();
            let source = &mut source[..(count * record_size) as usize];
            let gathered = &mut gathered[..(count * size) as usize];
            load(elements, first * record_size, source);
            let [record_size, offset, size] = [record_size, offset, size].map(|n| n as usize);
            records::gather(record_size, offset, size, source, gathered);
            store(gathered, target, first * size as u32);
        });
    }
}

/// Swaps the components of whole elements.
pub fn swap_records(elements: &Uint8Array, records: &Records) {
    let size = records.size as u32;
    if records.size <= SIZE {
        return swap(elements, 0, elements.length(), size, &records.runs);
    }
    // Each run by itself, of records of one component.
    for start in (0..elements.length()).step_by(records.size) {
        for run in &records.runs {
            let component = Run {
                offset: 0,
                count: 1,
                ..*run
            };
            let length = run.size * run.count;
            swap(elements, start + run.offset, length, run.size, &[component]);
        }
    }
}

/// Swaps whole records of `size` bytes, at most those of the window.
fn swap(bytes: &Uint8Array, start: u32, length: u32, size: u32, runs: &[Run]) {
    let at_once = SIZE as u32 / size * size;
    for offset in (0..length).step_by(at_once as usize) {
        with(|window| {
            let piece = &mut window.halves().0[..at_once.min(length - offset) as usize];
            load(bytes, start + offset, piece);
            records::swap(size as usize, runs, piece);
            store(piece, bytes, start + offset);
        });
    }
}
