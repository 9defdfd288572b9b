//! The one window (see [`crate::kernel::window`]), and chunks that stream through it.
//!
//! A chunk that fits goes through it in one step: JavaScript copies it into the window, calls a function here that takes
//! and gives only numbers, and copies the outcome out (a call with numbers takes 20 ns, one with arrays 150 to 300). A
//! longer one is streamed from here, piece by piece.

use crate::{
    diagnosis::Diagnosis,
    error::Error,
    kernel::{
        ChunkStream, Conversion,
        checksum::{CHECKSUM_SIZE, Mismatch},
        crc32c::Digest,
        pieces,
        window::{SIZE, Window},
    },
};
use core::cell::UnsafeCell;
use js_sys::Uint8Array;

struct Shared(UnsafeCell<Window>);

// SAFETY: the module has one thread and one memory; see `with` for who has access when.
unsafe impl Sync for Shared {}

static WINDOW: Shared = Shared(UnsafeCell::new(Window::new()));

/// Runs `f` with the window.
///
/// A lock would do the same, and stay locked for ever when a stack overflow in JavaScript ends a call half-way.
pub fn with<T>(f: impl FnOnce(&mut Window) -> T) -> T {
    // SAFETY: only exported functions call this, never one call inside another, and what they call in JavaScript (the
    // methods of plain typed arrays) does not call back. JavaScript writes to the window between those calls only.
    f(unsafe { &mut *WINDOW.0.get() })
}

/// JavaScript's view of the window's encoded half. It stays valid: this memory does not grow.
pub fn encoded_view() -> Uint8Array {
    // SAFETY: the window is static and its memory fixed. JavaScript's accesses are not Rust's: `with` separates them.
    with(|window| unsafe { Uint8Array::view(window.halves().0) })
}

/// The same of the decoded half.
pub fn decoded_view() -> Uint8Array {
    // SAFETY: as above.
    with(|window| unsafe { Uint8Array::view(window.halves().1) })
}

/// Copies `source[start..end]` to `target`.
fn load(source: &Uint8Array, start: u32, end: u32, target: &mut [u8]) {
    source.subarray(start, end).copy_to(target);
}

/// Copies `source` to `target[start..]`.
fn store(source: &[u8], target: &Uint8Array, start: u32) {
    let end = start + source.len() as u32;
    target.subarray(start, end).copy_from(source);
}

/// The CRC-32C of what `initial` is of, followed by `bytes`.
pub fn crc32c(bytes: &Uint8Array, initial: u32) -> u32 {
    let mut digest = Digest::new(initial);
    with(|window| {
        for piece in pieces(bytes.length(), SIZE) {
            let (encoded, _) = window.halves();
            load(bytes, piece.start, piece.end, piece.of(encoded));
            digest.update_in_place(window.up_to(piece), piece.is_last);
        }
    });
    digest.crc()
}

/// What the writer of a mismatching checksum did, from a second look at the chunk.
fn diagnose(mismatch: Mismatch, encoded: &Uint8Array) -> Error {
    let mut diagnosis = Diagnosis::new(mismatch);
    with(|window| {
        for piece in pieces(encoded.length(), SIZE) {
            let bytes = piece.of(window.halves().0);
            load(encoded, piece.start, piece.end, bytes);
            diagnosis.update(bytes);
        }
    });
    diagnosis.conclude()
}

/// Decodes or, without a place for the outcome, only checks a chunk of any length.
pub fn decode(
    encoded: &Uint8Array,
    decoded: Option<&Uint8Array>,
    conversion: Conversion,
    checksum_count: usize,
) -> Result<(), Error> {
    let widening = conversion.widening();
    let data_length = encoded.length() - (checksum_count * CHECKSUM_SIZE) as u32;
    let mut stream = ChunkStream::new(conversion, checksum_count);
    let outcome = with(|window| {
        for piece in pieces(data_length, SIZE / widening) {
            let (source, window_decoded) = window.halves();
            let source = piece.of(source);
            load(encoded, piece.start, piece.end, source);
            if let Some(target) = decoded {
                let converted = if conversion.is_identity() {
                    source
                } else {
                    let converted = &mut window_decoded[..source.len() * widening];
                    conversion.decode(source, converted);
                    converted
                };
                store(converted, target, piece.start * widening as u32);
            }
            stream.update_in_place(window.up_to(piece), piece.is_last);
        }
        let checksums = &mut window.halves().1[..checksum_count * CHECKSUM_SIZE];
        load(encoded, data_length, encoded.length(), checksums);
        stream.verify(checksums)
    });
    match outcome {
        Ok(None) => Ok(()),
        Ok(Some(invalid_element)) => Err(invalid_element.into()),
        Err(mismatch) => Err(diagnose(mismatch, encoded)),
    }
}

/// Encodes a chunk of any length.
pub fn encode(
    decoded: &Uint8Array,
    encoded: &Uint8Array,
    conversion: Conversion,
    checksum_count: usize,
) -> Result<(), Error> {
    let widening = conversion.widening() as u32;
    let data_length = encoded.length() - (checksum_count * CHECKSUM_SIZE) as u32;
    let mut stream = ChunkStream::new(conversion, checksum_count);
    with(|window| {
        for piece in pieces(data_length, SIZE / widening as usize) {
            let (converted, window_decoded) = window.halves();
            let converted = piece.of(converted);
            if conversion.is_identity() {
                load(decoded, piece.start, piece.end, converted);
            } else {
                let source = &mut window_decoded[..converted.len() * widening as usize];
                load(
                    decoded,
                    piece.start * widening,
                    piece.end * widening,
                    source,
                );
                conversion.encode(source, converted);
            }
            store(converted, encoded, piece.start);
            stream.update_in_place(window.up_to(piece), piece.is_last);
        }
        let checksums = &mut window.halves().1[..checksum_count * CHECKSUM_SIZE];
        stream.append(checksums)?;
        store(checksums, encoded, data_length);
        Ok(())
    })
}
