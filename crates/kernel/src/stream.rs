//! Verifies a chunk piece by piece, while its encoded bytes are in the cache. [`Conversion`] decodes and encodes the
//! same pieces.

use crate::{
    Conversion,
    checksum::{self, Mismatch},
    crc32c::{Digest, History, long},
};

/// An element that the data type does not allow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InvalidElement {
    /// The index of its first invalid component in the chunk.
    pub index: u64,
    /// The value of that component.
    pub value: f64,
    /// The conversion that rejects it.
    pub conversion: Conversion,
}

/// The checksum and the first invalid element of a chunk, as far as its payload has been processed.
pub struct ChunkStream {
    conversion: Conversion,
    has_checksums: bool,
    digest: Digest,
    /// Bytes so far.
    seen: u64,
    /// The first invalid element. Reported only if the checksums match: in a corrupt chunk an invalid element is only a
    /// symptom.
    invalid: Option<InvalidElement>,
}

impl ChunkStream {
    /// Starts a chunk that ends with `checksum_count` checksums. If there are none, no CRC-32C is computed.
    pub fn new(conversion: Conversion, checksum_count: usize) -> Self {
        Self {
            conversion,
            has_checksums: checksum_count > 0,
            digest: Digest::new(0),
            seen: 0,
            invalid: None,
        }
    }

    /// Processes the next encoded bytes: whole components.
    pub fn update(&mut self, encoded: &[u8]) {
        self.check_elements(encoded);
        if self.has_checksums {
            self.digest.update(encoded);
        }
    }

    /// Processes the next encoded bytes as [`Digest::update_with`] does.
    pub fn update_with(&mut self, history: &mut History, encoded: &[u8], is_last: bool) {
        self.check_elements(encoded);
        if self.has_checksums {
            self.digest.update_with(history, encoded, is_last);
        }
    }

    /// Decodes the next encoded bytes into `decoded`, and processes them as [`Self::update_with`] does: in one pass where
    /// they are only swapped.
    pub fn decode(
        &mut self,
        history: &mut History,
        encoded: &[u8],
        decoded: &mut [u8],
        is_last: bool,
    ) {
        match self.conversion.only_swaps() {
            Some(size) if self.has_checksums => {
                self.seen += encoded.len() as u64;
                self.digest
                    .swap_with(history, encoded, decoded, size, is_last);
            }
            _ => {
                self.conversion.decode(encoded, decoded);
                self.update_with(history, encoded, is_last);
            }
        }
    }

    /// Verifies the checksums at the end of a decoded chunk, and returns the first invalid element, if any.
    ///
    /// # Errors
    /// Returns the last [`Mismatch`].
    pub fn verify(self, checksums: &[u8]) -> Result<Option<InvalidElement>, Mismatch> {
        if self.has_checksums {
            checksum::verify(self.digest.crc(), self.seen, checksums)?;
        }
        Ok(self.invalid)
    }

    /// Fills in the checksums at the end of an encoded chunk.
    ///
    /// # Errors
    /// Returns the first invalid element.
    pub fn append(self, checksums: &mut [u8]) -> Result<(), InvalidElement> {
        checksum::append(self.digest.crc(), checksums);
        self.invalid.map_or(Ok(()), Err)
    }

    /// Finds the first invalid element.
    fn check_elements(&mut self, encoded: &[u8]) {
        if self.invalid.is_none() {
            let invalid = self.conversion.first_invalid(encoded);
            self.invalid = invalid.map(|(index, value)| InvalidElement {
                index: self.seen / self.conversion.checked_size() as u64 + index as u64,
                value,
                conversion: self.conversion,
            });
        }
        self.seen += encoded.len() as u64;
    }
}

/// A range of the bytes of a chunk.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// The position of the first byte.
    pub start: u32,
    /// The position after the last byte.
    pub end: u32,
    /// Whether it is the last piece of the chunk.
    pub is_last: bool,
}

impl Piece {
    /// Returns its length in bytes.
    pub const fn length(self) -> usize {
        (self.end - self.start) as usize
    }
}

/// Splits `length` bytes into consecutive pieces of at most `size` bytes (a multiple of [`long::STEP`]) and of nearly the same
/// length, as [`Digest::update_with`] requires. No component is split.
pub fn pieces(length: u32, size: usize) -> impl Iterator<Item = Piece> {
    /// Rounding boundaries to multiples of this can make a piece longer by less than this.
    const UNIT: u32 = long::STEP as u32;
    let count = length.div_ceil(size as u32 - UNIT);
    let boundary = move |index: u32| {
        let even = u64::from(length) * u64::from(index) / u64::from(count);
        if index == count {
            length
        } else {
            even as u32 / UNIT * UNIT
        }
    };
    (0..count).map(move |index| Piece {
        start: boundary(index),
        end: boundary(index + 1),
        is_last: index + 1 == count,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_consecutive_and_long_enough_and_split_no_component() {
        for size in [128 * 1024, 256 * 1024] {
            let edges = [
                0,
                1,
                7,
                8,
                9,
                size,
                2 * size,
                3 * size,
                2_147_352_577,
                u32::MAX - 9,
            ];
            for length in edges
                .iter()
                .flat_map(|&edge| edge.saturating_sub(9)..=edge.saturating_add(9))
            {
                let mut end = 0;
                let mut count = 0;
                for piece in pieces(length, size as usize) {
                    assert_eq!(piece.start, end, "{length} bytes");
                    assert!(
                        piece.start % 64 == 0 && piece.end - piece.start <= size,
                        "{length} bytes"
                    );
                    assert_eq!(piece.is_last, piece.end == length, "{length} bytes");
                    let is_whole = piece.start == 0 && piece.is_last;
                    assert!(
                        is_whole || piece.length() >= Digest::SHORTEST_PIECE,
                        "{length} bytes"
                    );
                    end = piece.end;
                    count += 1;
                }
                assert_eq!(end, length);
                assert!(count > 0 || length == 0);
            }
        }
    }
}
