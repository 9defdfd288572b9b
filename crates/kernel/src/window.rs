//! The window: fixed memory that chunks go through, so that chunks of any size need the same memory.

use crate::{
    ChunkStream, Conversion,
    checksum::CHECKSUM_SIZE,
    crc32c::{Digest, in_place},
};

/// Bytes of each half of the window. Twice as many gain nothing, half as many cost CRC-32C 3 % (Node 20).
pub const SIZE: usize = 256 * 1024;

/// The longest chunk in bytes that is encoded in the window where more is to be done than to convert it. Longer ones are
/// encoded piece by piece: that saves a copy of bytes that stay as they are, and a checksum is computed faster where it
/// may overwrite the encoded bytes, which must have been copied out before.
pub const LONGEST_TO_ENCODE: usize = in_place::SHORTEST;

/// Whether bytes of this length fit into one half of the window.
pub const fn fits(length: u64) -> bool {
    length <= SIZE as u64
}

/// The encoded and the decoded form of one piece. Vectors that straddle cache lines are slower to load.
#[repr(align(64))]
pub struct Window {
    /// The encoded form, behind the room that its checksum needs.
    buffer: [u8; Digest::ROOM + SIZE],
    decoded: [u8; SIZE],
}

impl Window {
    /// A window with nothing in it.
    #[allow(clippy::new_without_default)] // Nobody makes one but in a static.
    pub const fn new() -> Self {
        Self {
            buffer: [0; Digest::ROOM + SIZE],
            decoded: [0; SIZE],
        }
    }

    /// The encoded half, and the decoded one.
    pub fn halves(&mut self) -> (&mut [u8], &mut [u8]) {
        (&mut self.buffer[Digest::ROOM..], &mut self.decoded)
    }

    /// Returns the first `length` bytes of the encoded half, with the room before them.
    pub fn buffer(&mut self, length: usize) -> &mut [u8] {
        &mut self.buffer[..Digest::ROOM + length]
    }

    /// The CRC-32C of what `initial` is of, followed by the first bytes of the encoded half, which are overwritten.
    pub fn crc32c(&mut self, length: usize, initial: u32) -> u32 {
        let mut digest = Digest::new(initial);
        digest.update_in_place(self.buffer(length), true);
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
        let chunk = self.buffer(length);
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
