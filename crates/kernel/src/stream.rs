//! One chunk, piece by piece: what is checked and computed of its encoded bytes while they are in the cache.
//! [`Conversion`] takes the same pieces to their decoded form and back.

use crate::{
    Conversion,
    checksum::{self, Mismatch},
    crc32c::Digest,
};

/// An element that the data type does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidElement {
    /// Its position in the chunk.
    pub index: u64,
    /// Its byte.
    pub value: u8,
}

/// What is known of the encoded bytes of a chunk so far.
pub struct ChunkStream {
    conversion: Conversion,
    has_checksums: bool,
    digest: Digest,
    /// Bytes, which are also elements in the data types whose elements are checked.
    seen: u64,
    /// The first element that the data type does not allow. It is reported when the checksums turned out right: a
    /// damaged chunk is damaged, not a chunk with an odd element.
    invalid: Option<InvalidElement>,
}

impl ChunkStream {
    /// Begins a chunk that ends with `checksum_count` checksums. Where there are none, none is computed.
    pub fn new(conversion: Conversion, checksum_count: usize) -> Self {
        Self {
            conversion,
            has_checksums: checksum_count > 0,
            digest: Digest::new(0),
            seen: 0,
            invalid: None,
        }
    }

    /// Takes the next encoded bytes, whole components.
    pub fn update(&mut self, encoded: &[u8]) {
        self.check_elements(encoded);
        if self.has_checksums {
            self.digest.update(encoded);
        }
    }

    /// The same for bytes behind [`Digest::ROOM`] in a buffer that may be overwritten, see [`Digest::update_in_place`].
    pub fn update_in_place(&mut self, buffer: &mut [u8], is_last: bool) {
        self.check_elements(&buffer[Digest::ROOM..]);
        if self.has_checksums {
            self.digest.update_in_place(buffer, is_last);
        }
    }

    /// After decoding: compares with the checksums at the end of the chunk, and gives the first invalid element, if any.
    pub fn verify(self, checksums: &[u8]) -> Result<Option<InvalidElement>, Mismatch> {
        if self.has_checksums {
            checksum::verify(self.digest.crc(), self.seen, checksums)?;
        }
        Ok(self.invalid)
    }

    /// After encoding: fills the checksums at the end of the chunk, or reports the first invalid element.
    pub fn append(self, checksums: &mut [u8]) -> Result<(), InvalidElement> {
        checksum::append(self.digest.crc(), checksums);
        self.invalid.map_or(Ok(()), Err)
    }

    fn check_elements(&mut self, encoded: &[u8]) {
        if self.invalid.is_none() {
            let invalid = self.conversion.first_invalid(encoded);
            self.invalid = invalid.map(|(index, value)| InvalidElement {
                index: self.seen + index as u64,
                value,
            });
        }
        self.seen += encoded.len() as u64;
    }
}

/// A part of a chunk.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Its first byte in the chunk.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
    /// Whether no other follows.
    pub is_last: bool,
}

impl Piece {
    /// Returns its length in bytes.
    pub const fn length(self) -> usize {
        (self.end - self.start) as usize
    }
}

/// Consecutive pieces of `length` bytes, of `size` at most each (a multiple of 8) and nearly the same length: none is too
/// short for [`Digest::update_in_place`], and no component is divided between two.
pub fn pieces(length: u32, size: usize) -> impl Iterator<Item = Piece> {
    /// The largest component. Rounding to it adds to a piece less than is left free here.
    const UNIT: u32 = 8;
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
    fn pieces_are_consecutive_whole_components_and_none_is_short() {
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
                        piece.start % 8 == 0 && piece.end - piece.start <= size,
                        "{length} bytes"
                    );
                    assert_eq!(piece.is_last, piece.end == length, "{length} bytes");
                    let is_whole = piece.start == 0 && piece.is_last;
                    assert!(is_whole || piece.length() >= Digest::ROOM, "{length} bytes");
                    end = piece.end;
                    count += 1;
                }
                assert_eq!(end, length);
                assert!(count > 0 || length == 0);
            }
        }
    }
}
