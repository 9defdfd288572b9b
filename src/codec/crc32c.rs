//! The `crc32c` codec: bytes-to-bytes. Appends (encode) or verifies and drops (decode) a 4-byte checksum.
//!
//! Specification: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/crc32c/>
//! Configuration: none.
//! Encoded size:  the decoded size + 4. The checksum is stored little endian, whatever the host.
//! Errors:        [`Error::InvalidMetadata`]; [`Error::ChecksumMismatch`].

use super::{Codec, Options};
use crate::{
    data_type::DataType,
    error::Error,
    kernel::{crc32, crc32c},
    metadata::Extension,
};

/// Bytes that one checksum takes.
pub const CHECKSUM_SIZE: usize = 4;

/// Resolves `{ "name": "crc32c" }`.
pub(super) fn resolve(metadata: &Extension, _: &DataType, _: &Options) -> Result<Codec, Error> {
    metadata.no_configuration()?;
    Ok(Codec::Crc32c)
}

/// Fills `checksums` with one checksum after another, each of all that comes before it; `crc` is that of what comes
/// before the first.
pub fn append(mut crc: u32, checksums: &mut [u8]) {
    for stored in checksums.chunks_exact_mut(CHECKSUM_SIZE) {
        stored.copy_from_slice(&crc.to_le_bytes());
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
    for stored in checksums.chunks_exact(CHECKSUM_SIZE) {
        next.stored = stored
            .iter()
            .rev()
            .fold(0, |word, &byte| word << 8 | u32::from(byte));
        if next.stored != next.computed {
            outcome = Err(next);
        }
        next.computed = crc32c::update(next.computed, stored);
        next.byte_length += CHECKSUM_SIZE as u64;
    }
    outcome
}

/// Finds out what the writer of a mismatching checksum did, from a second look at the bytes.
pub struct Diagnosis {
    mismatch: Mismatch,
    seen: u64,
    crc32: u32,
    first: [u8; CHECKSUM_SIZE],
    crc32c_after_first: u32,
}

impl Diagnosis {
    /// Begins the second look.
    pub fn new(mismatch: Mismatch) -> Self {
        Self {
            mismatch,
            seen: 0,
            crc32: 0,
            first: [0; CHECKSUM_SIZE],
            crc32c_after_first: 0,
        }
    }

    /// Takes the next bytes of the chunk. What follows the mismatching checksum is ignored.
    pub fn update(&mut self, bytes: &[u8]) {
        let upto =
            |end: u64, bytes: &[u8]| (end - self.seen.min(end)).min(bytes.len() as u64) as usize;
        let covered = &bytes[..upto(self.mismatch.byte_length, bytes)];
        let with_stored = &bytes[..upto(self.mismatch.byte_length + CHECKSUM_SIZE as u64, bytes)];
        let head = upto(CHECKSUM_SIZE as u64, with_stored);
        self.first[self.seen.min(CHECKSUM_SIZE as u64) as usize..][..head]
            .copy_from_slice(&with_stored[..head]);
        self.crc32 = crc32::update(self.crc32, covered);
        self.crc32c_after_first = crc32c::update(self.crc32c_after_first, &with_stored[head..]);
        self.seen += bytes.len() as u64;
    }

    /// The error, with a diagnosis where there is one.
    pub fn conclude(self) -> Error {
        let Mismatch {
            stored,
            computed,
            byte_length,
        } = self.mismatch;
        let diagnosis = if stored == self.crc32 {
            Some(
                "the stored value is the CRC-32 of these bytes, which some writers confused with CRC-32C",
            )
        } else if stored == computed.swap_bytes() {
            Some("the checksum is stored big endian")
        } else if stored == !computed {
            Some("the stored value is the CRC-32C without its final inversion")
        } else if u32::from_le_bytes(self.first) == self.crc32c_after_first {
            Some("the checksum stands at the start of the chunk")
        } else {
            None
        };
        Error::ChecksumMismatch {
            stored,
            computed,
            byte_length,
            diagnosis,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnose(chunk: &[u8], piece: usize) -> Option<&'static str> {
        let (bytes, checksum) = chunk.split_at(chunk.len() - CHECKSUM_SIZE);
        let mismatch = verify(crc32c::update(0, bytes), bytes.len() as u64, checksum).unwrap_err();
        let mut diagnosis = Diagnosis::new(mismatch);
        chunk
            .chunks(piece)
            .for_each(|piece| diagnosis.update(piece));
        match diagnosis.conclude() {
            Error::ChecksumMismatch { diagnosis, .. } => diagnosis,
            other => panic!("{other}"),
        }
    }

    /// The check values of CRC-32 (ISO-HDLC) and CRC-32C (iSCSI) in the CRC catalogue, of "123456789".
    #[test]
    fn known_mistakes_of_writers_are_named_whatever_the_pieces() {
        let cases: [(&[u8], &str); 4] = [
            (b"123456789\x26\x39\xf4\xcb", "CRC-32 of"),
            (b"123456789\xe3\x06\x92\x83", "big endian"),
            (b"123456789\x7c\x6d\xf9\x1c", "inversion"),
            (b"\x83\x92\x06\xe3123456789", "at the start"),
        ];
        for (chunk, expected) in cases {
            for piece in 1..=chunk.len() {
                let diagnosis = diagnose(chunk, piece).unwrap_or("none");
                assert!(
                    diagnosis.contains(expected),
                    "{expected}: {diagnosis}, pieces of {piece}"
                );
            }
        }
        assert_eq!(diagnose(b"123456789\x00\x00\x00\x00", 5), None);
    }

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
