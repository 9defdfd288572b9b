//! The checksums that `crc32c` codecs append to a chunk: one per codec, each the CRC-32C of all bytes before it, stored
//! little endian on every host.

use crate::crc32c;

/// The size of a checksum in bytes.
pub const CHECKSUM_SIZE: usize = 4;

/// Fills `checksums` with consecutive checksums, each of all bytes before it. `crc` is the CRC-32C of the bytes before
/// the first.
pub fn append(mut crc: u32, checksums: &mut [u8]) {
    for stored in checksums.as_chunks_mut::<CHECKSUM_SIZE>().0 {
        *stored = crc.to_le_bytes();
        crc = crc32c::update(crc, stored);
    }
}

/// A stored checksum that differs from the CRC-32C of the bytes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The checksum found in the chunk.
    pub stored: u32,
    /// The CRC-32C of the bytes before it.
    pub computed: u32,
    /// The number of those bytes.
    pub byte_length: u64,
}

/// Verifies consecutive checksums. `crc` is the CRC-32C of the `byte_length` bytes before the first.
///
/// # Errors
/// Returns the last mismatch, because decoding starts with the last codec.
pub fn verify(crc: u32, byte_length: u64, checksums: &[u8]) -> Result<(), Mismatch> {
    let mut outcome = Ok(());
    let mut next = Mismatch {
        stored: 0,
        computed: crc,
        byte_length,
    };
    for stored in checksums.as_chunks::<CHECKSUM_SIZE>().0 {
        next.stored = u32::from_le_bytes(*stored);
        if next.stored != next.computed {
            outcome = Err(next);
        }
        next.computed = crc32c::update(next.computed, stored);
        next.byte_length += CHECKSUM_SIZE as u64;
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_mismatch_is_reported() {
        let mut checksums = [0; 8];
        append(crc32c::update(0, b"abc"), &mut checksums);
        assert_eq!(verify(crc32c::update(0, b"abc"), 3, &checksums), Ok(()));
        checksums[0] ^= 1;
        let mismatch = verify(crc32c::update(0, b"abc"), 3, &checksums).unwrap_err();
        assert_eq!(mismatch.byte_length, 7);
    }
}
