//! The window: fixed memory that chunks stream through, so that chunks of any size need the same memory.
//!
//! A chunk that fits goes through it in one step: JavaScript copies it into the window, calls a function here that takes
//! and gives only numbers, and copies the outcome out (a call with numbers takes 20 ns, one with arrays 150 to 300). A
//! longer one is streamed from here, piece by piece.

use crate::{
    codec::{
        ChunkStream, Piece,
        bytes::Conversion,
        crc32c::{CHECKSUM_SIZE, Diagnosis, Mismatch},
        stream::pieces,
    },
    error::Error,
    kernel::crc32c::Digest,
};
use js_sys::Uint8Array;
use std::cell::UnsafeCell;

/// Bytes of each half of the window. Twice as many gain nothing, half as many cost CRC-32C 3 % (Node 20).
pub const SIZE: usize = 256 * 1024;

/// The encoded and the decoded form of one piece. Vectors that straddle cache lines are slower to load.
#[repr(align(64))]
pub struct Window {
    /// The encoded form, behind the room that its checksum needs.
    buffer: [u8; Digest::ROOM + SIZE],
    decoded: [u8; SIZE],
}

struct Shared(UnsafeCell<Window>);

// SAFETY: the module has one thread and one memory; see `with` for who has access when.
unsafe impl Sync for Shared {}

static WINDOW: Shared = Shared(UnsafeCell::new(Window {
    buffer: [0; Digest::ROOM + SIZE],
    decoded: [0; SIZE],
}));

/// Runs `f` with the window.
///
/// A lock would do the same, and stay locked for ever when a stack overflow in JavaScript ends a call half-way.
pub fn with<T>(f: impl FnOnce(&mut Window) -> T) -> T {
    // SAFETY: only exported functions call this, once each, and what they call in JavaScript (the methods of plain
    // typed arrays) does not call back. JavaScript writes to the window between those calls only.
    f(unsafe { &mut *WINDOW.0.get() })
}

impl Window {
    /// JavaScript's views of the halves. They stay valid: this memory does not grow.
    pub fn views(&mut self) -> [Uint8Array; 2] {
        // SAFETY: the window is static and its memory fixed. JavaScript's accesses are not Rust's: `with` separates them.
        unsafe {
            [
                Uint8Array::view(&self.buffer[Digest::ROOM..]),
                Uint8Array::view(&self.decoded),
            ]
        }
    }

    /// The encoded half up to the end of a piece, with the room before it.
    fn up_to(&mut self, piece: Piece) -> &mut [u8] {
        &mut self.buffer[..Digest::ROOM + (piece.end - piece.start) as usize]
    }

    /// The CRC-32C of what `initial` is of, followed by the first bytes of the encoded half, which are overwritten.
    pub fn crc32c(&mut self, length: usize, initial: u32) -> u32 {
        let mut digest = Digest::new(initial);
        digest.update_in_place(&mut self.buffer[..Digest::ROOM + length], true);
        digest.crc()
    }

    /// Decodes the chunk in the encoded half into the other. Overwrites it.
    pub fn decode(&mut self, length: usize, conversion: Conversion, checksum_count: usize) -> bool {
        let data = &self.buffer[Digest::ROOM..][..length - checksum_count * CHECKSUM_SIZE];
        conversion.decode(
            data,
            &mut self.decoded[..data.len() * conversion.widening()],
        );
        self.check(length, conversion, checksum_count)
    }

    /// Checks the chunk in the encoded half. Overwrites it.
    pub fn check(&mut self, length: usize, conversion: Conversion, checksum_count: usize) -> bool {
        let chunk = &mut self.buffer[..Digest::ROOM + length];
        let (data, checksums) = chunk.split_at_mut(chunk.len() - checksum_count * CHECKSUM_SIZE);
        let mut stream = ChunkStream::new(conversion, checksum_count);
        stream.update_in_place(data, true);
        matches!(stream.verify(checksums), Ok(None))
    }

    /// Encodes the chunk in the decoded half into the other, where it takes `length` bytes.
    pub fn encode(&mut self, length: usize, conversion: Conversion, checksum_count: usize) -> bool {
        let chunk = &mut self.buffer[Digest::ROOM..][..length];
        let (data, checksums) = chunk.split_at_mut(length - checksum_count * CHECKSUM_SIZE);
        let mut stream = ChunkStream::new(conversion, checksum_count);
        conversion.encode(&self.decoded[..data.len() * conversion.widening()], data);
        stream.update(data);
        stream.append(checksums).is_ok()
    }
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
            load(
                bytes,
                piece.start,
                piece.end,
                piece.of(&mut window.buffer[Digest::ROOM..]),
            );
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
            let bytes = piece.of(&mut window.buffer);
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
            let source = piece.of(&mut window.buffer[Digest::ROOM..]);
            load(encoded, piece.start, piece.end, source);
            if let Some(target) = decoded {
                let converted = if conversion.is_identity() {
                    source
                } else {
                    let converted = &mut window.decoded[..source.len() * widening];
                    conversion.decode(source, converted);
                    converted
                };
                store(converted, target, piece.start * widening as u32);
            }
            stream.update_in_place(window.up_to(piece), piece.is_last);
        }
        let checksums = &mut window.decoded[..checksum_count * CHECKSUM_SIZE];
        load(encoded, data_length, encoded.length(), checksums);
        stream.verify(checksums)
    });
    match outcome {
        Ok(None) => Ok(()),
        Ok(Some(invalid_element)) => Err(invalid_element),
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
            let converted = piece.of(&mut window.buffer[Digest::ROOM..]);
            if conversion.is_identity() {
                load(decoded, piece.start, piece.end, converted);
            } else {
                let source = &mut window.decoded[..converted.len() * widening as usize];
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
        let checksums = &mut window.decoded[..checksum_count * CHECKSUM_SIZE];
        stream.append(checksums)?;
        store(checksums, encoded, data_length);
        Ok(())
    })
}
