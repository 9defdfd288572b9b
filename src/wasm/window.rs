//! Streams JavaScript's bytes through a fixed window of WebAssembly memory, which stays in the cache.
//!
//! Chunks of any size thus need the same memory, and no view of that memory is ever handed out.

use crate::{
    codec::{
        ChunkDecoder, ChunkEncoder,
        bytes::Conversion,
        crc32c::{CHECKSUM_SIZE, Diagnosis},
    },
    error::Error,
};
use js_sys::Uint8Array;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of each half of the window: the encoded and the decoded form of one piece.
const SIZE: usize = 64 * 1024;

struct Window {
    encoded: [u8; SIZE],
    decoded: [u8; SIZE],
}

/// The memory of the window. There is one thread, so the lock is a flag and never waits.
fn window() -> MutexGuard<'static, Window> {
    static WINDOW: Mutex<Window> = Mutex::new(Window {
        encoded: [0; SIZE],
        decoded: [0; SIZE],
    });
    WINDOW.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The bounds of consecutive pieces of `length` bytes, `size` at most each.
fn pieces(length: u32, size: usize) -> impl Iterator<Item = (u32, u32)> {
    (0..length)
        .step_by(size)
        .map(move |start| (start, length.min(start.saturating_add(size as u32))))
}

/// Copies `source[start..end]` into the window.
fn load<'a>(source: &Uint8Array, (start, end): (u32, u32), window: &'a mut [u8]) -> &'a mut [u8] {
    let window = &mut window[..(end - start) as usize];
    source.subarray(start, end).copy_to(window);
    window
}

/// Copies `window` to `target[start..]`.
fn store(window: &[u8], target: &Uint8Array, start: u32) {
    target
        .subarray(start, start + window.len() as u32)
        .copy_from(window);
}

/// Calls `update` with what it gave last and the next bytes, until there are none.
pub fn fold<T>(bytes: &Uint8Array, initial: T, mut update: impl FnMut(T, &[u8]) -> T) -> T {
    let mut window = window();
    pieces(bytes.length(), SIZE).fold(initial, |value, piece| {
        update(value, load(bytes, piece, &mut window.encoded))
    })
}

/// Decodes or, without a place for the outcome, only checks a chunk.
pub fn decode(
    encoded: &Uint8Array,
    decoded: Option<&Uint8Array>,
    conversion: Conversion,
    checksum_count: usize,
) -> Result<(), Error> {
    let widening = conversion.widening();
    let data_length = encoded.length() - (checksum_count * CHECKSUM_SIZE) as u32;
    let mut decoder = ChunkDecoder::new(conversion, checksum_count);
    let mut guard = window();
    let window = &mut *guard;
    for piece in pieces(data_length, SIZE / widening) {
        let source = load(encoded, piece, &mut window.encoded);
        match decoded {
            None => decoder.update(source, None),
            Some(target) => {
                let converted = &mut window.decoded[..source.len() * widening];
                decoder.update(source, Some(converted));
                store(converted, target, piece.0 * widening as u32);
            }
        }
    }
    let checksums = load(
        encoded,
        (data_length, encoded.length()),
        &mut window.encoded,
    );
    let outcome = decoder.finish(checksums);
    drop(guard);
    match outcome {
        Ok(None) => Ok(()),
        Ok(Some(invalid_element)) => Err(invalid_element),
        Err(mismatch) => {
            let mut diagnosis = Diagnosis::new(mismatch);
            fold(encoded, (), |(), bytes| diagnosis.update(bytes));
            Err(diagnosis.conclude())
        }
    }
}

/// Encodes a chunk.
pub fn encode(
    decoded: &Uint8Array,
    encoded: &Uint8Array,
    conversion: Conversion,
    checksum_count: usize,
) -> Result<(), Error> {
    let widening = conversion.widening();
    let data_length = encoded.length() - (checksum_count * CHECKSUM_SIZE) as u32;
    let mut encoder = ChunkEncoder::new(conversion, checksum_count);
    let mut guard = window();
    let window = &mut *guard;
    for (start, end) in pieces(data_length, SIZE / widening) {
        let widened = (start * widening as u32, end * widening as u32);
        let source = load(decoded, widened, &mut window.decoded);
        let converted = &mut window.encoded[..(end - start) as usize];
        encoder.update(source, converted);
        store(converted, encoded, start);
    }
    let checksums = &mut window.encoded[..checksum_count * CHECKSUM_SIZE];
    encoder.finish(checksums)?;
    store(checksums, encoded, data_length);
    Ok(())
}
