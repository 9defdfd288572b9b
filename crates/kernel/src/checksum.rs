//! The checksums that the `crc32c` codec leaves at the end of a chunk: one for each time that it stands in the chain, each
//! of all bytes before it, little endian whatever the host.

use crate::crc32c;

/// Bytes that one checksum takes.
pub const CHECKSUM_SIZE: usize = 4;

/// Fills `checksums` with one checksum after another, each of all that comes before it; `crc` is that of what comes
/// before the first.
pub fn append(mut crc: u32, checksums: &mut [u8]) {
    for stored in checksums.as_chunks_mut::<CHECKSUM_SIZE>().0 {
        *stored = crc.to_le_bytes();
        crc = crc32c::update(crc, stored);
    }
}

/// A stored checksum that is not the CRC-32C of the bytes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The checksum found in the chunk.
    pub stored: u32,
    /// The CRC-32C of the bytes it should be of.
    pub computed: u32,
    /// How many bytes those are.
    pub byte_length: u64,
}

/// Checks consecutive checksums against `crc`, the CRC-32C of the `byte_length` bytes before them.
///
/// Decoding begins with the last codec, so the last mismatch is the one to report.
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
    fn the_outermost_mismatch_is_reported() {
        let mut checksums = [0; 8];
        append(crc32c::update(0, b"abc"), &mut checksums);
        assert_eq!(verify(crc32c::update(0, b"abc"), 3, &checksums), Ok(()));
        checksums[0] ^= 1;
        let mismatch = verify(crc32c::update(0, b"abc"), 3, &checksums).unwrap_err();
        assert_eq!(mismatch.byte_length, 7);
    }
}
