//! What a bytes-to-bytes codec does to a chunk.

use super::{
    numcodecs_checksum::{Checksum, Location},
    shuffle,
};
use crate::{
    error::Error,
    kernel::{checksum::CHECKSUM_SIZE, digest::Algorithm, window::Window},
    stream::Memory,
};

/// A bytes-to-bytes codec and its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Adds a checksum.
    Checksum(Checksum),
    /// Groups the bytes of elements of this size.
    Shuffle(u32),
}

/// The lowest byte of the number of [`Operation::Shuffle`]; that of the other is 0.
const SHUFFLE: u32 = 1;

impl Operation {
    /// Packs the operation into a number, opaque to JavaScript: the codec in the lowest byte, its parameters above.
    pub fn to_number(self) -> u32 {
        match self {
            Self::Checksum(Checksum {
                algorithm,
                location,
            }) => (algorithm as u32) << 8 | (location as u32) << 16,
            Self::Shuffle(size) => SHUFFLE | size << 8,
        }
    }

    /// Unpacks a number from [`Self::to_number`].
    ///
    /// # Panics
    /// Panics if the number names no algorithm.
    pub fn from_number(number: u32) -> Self {
        if number & 0xff == SHUFFLE {
            return Self::Shuffle(number >> 8);
        }
        Self::Checksum(Checksum {
            algorithm: Algorithm::ALL[(number >> 8 & 0xff) as usize],
            location: if number >> 16 & 1 == 0 {
                Location::Start
            } else {
                Location::End
            },
        })
    }

    /// Returns the number of bytes that encoding adds.
    pub fn overhead(self) -> usize {
        match self {
            Self::Checksum(_) => CHECKSUM_SIZE,
            Self::Shuffle(_) => 0,
        }
    }

    /// Decodes a chunk into `decoded`, which is shorter by the overhead. Verifies checksums unless `verify` is false.
    ///
    /// # Errors
    /// Returns [`Error::ChunkLength`] or [`Error::ChecksumMismatch`]; `decoded` is then unchanged.
    pub fn decode<M: Memory + ?Sized>(
        self,
        window: &mut Window,
        encoded: &M,
        decoded: &mut M,
        verify: bool,
    ) -> Result<(), Error> {
        match self {
            Self::Checksum(checksum) => checksum.decode(window, encoded, decoded, verify)?,
            Self::Shuffle(size) => shuffle::decode(window, size, encoded, decoded),
        }
        Ok(())
    }

    /// Encodes a chunk into `encoded`, which is longer by the overhead.
    pub fn encode<M: Memory + ?Sized>(self, window: &mut Window, decoded: &M, encoded: &mut M) {
        match self {
            Self::Checksum(checksum) => checksum.encode(window, decoded, encoded),
            Self::Shuffle(size) => shuffle::encode(window, size, decoded, encoded),
        }
    }
}
