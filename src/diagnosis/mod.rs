//! Explains wrong checksums.

use crate::{
    error::Error,
    kernel::{
        checksum::{CHECKSUM_SIZE, Mismatch},
        crc32, crc32c,
        digest::Algorithm,
    },
};

/// Compares the stored checksum of `byte_length` bytes with the computed one.
///
/// # Errors
/// Returns [`Error::ChecksumMismatch`], without a diagnosis.
pub fn compare(
    algorithm: Algorithm,
    stored: u32,
    computed: u32,
    byte_length: u64,
) -> Result<(), Error> {
    if stored == computed {
        return Ok(());
    }
    Err(Error::ChecksumMismatch {
        checksum: algorithm.name(),
        stored,
        computed,
        byte_length,
        diagnosis: None,
    })
}

/// A second pass over a chunk with a wrong checksum, which looks for known mistakes of writers.
pub struct Diagnosis {
    mismatch: Mismatch,
    seen: u64,
    crc32: u32,
    first: [u8; CHECKSUM_SIZE],
    crc32c_after_first: u32,
}

impl Diagnosis {
    /// Creates a diagnosis of a mismatch; pass the whole chunk to [`Self::update`].
    pub fn new(mismatch: Mismatch) -> Self {
        Self {
            mismatch,
            seen: 0,
            crc32: 0,
            first: [0; CHECKSUM_SIZE],
            crc32c_after_first: 0,
        }
    }

    /// Processes the next bytes of the chunk. Bytes after the stored checksum are ignored.
    pub fn update(&mut self, bytes: &[u8]) {
        // How many of `bytes` come before the position `end` of the chunk.
        let before =
            |end: u64, bytes: &[u8]| end.saturating_sub(self.seen).min(bytes.len() as u64) as usize;
        let covered = &bytes[..before(self.mismatch.byte_length, bytes)];
        let with_stored = &bytes[..before(self.mismatch.byte_length + CHECKSUM_SIZE as u64, bytes)];
        let head = before(CHECKSUM_SIZE as u64, with_stored);
        self.first[self.seen.min(CHECKSUM_SIZE as u64) as usize..][..head]
            .copy_from_slice(&with_stored[..head]);
        self.crc32 = crc32::update(self.crc32, covered);
        self.crc32c_after_first = crc32c::update(self.crc32c_after_first, &with_stored[head..]);
        self.seen += bytes.len() as u64;
    }

    /// Returns the error for the mismatch, explained if the mistake is a known one.
    pub fn conclude(self) -> Error {
        let Mismatch {
            stored, computed, ..
        } = self.mismatch;
        let diagnosis = if stored == self.crc32 {
            Some(
                "the stored value is the CRC-32 of these bytes; some writers confuse it with CRC-32C",
            )
        } else if stored == computed.swap_bytes() {
            Some("the checksum is stored big endian")
        } else if stored == !computed {
            Some("the stored value is the CRC-32C without its final inversion")
        } else if u32::from_le_bytes(self.first) == self.crc32c_after_first {
            Some("the checksum is at the start of the chunk")
        } else {
            None
        };
        Error::checksum(self.mismatch, diagnosis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::checksum::verify;

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

    /// The check values of CRC-32 (ISO-HDLC) and CRC-32C (iSCSI) in the CRC catalogue, those of "123456789".
    #[test]
    fn known_mistakes_are_recognized_in_pieces_of_any_length() {
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
}
