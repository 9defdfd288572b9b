//! What a bytes-to-bytes codec does to a chunk.

use super::numcodecs_checksum::{Checksum, Location};
use crate::{
    error::Error,
    kernel::{
        checksum::CHECKSUM_SIZE,
        digest::{Algorithm, Digest},
    },
};
use alloc::vec::Vec;

/// A bytes-to-bytes codec and its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Adds a checksum.
    Checksum(Checksum),
}

impl Operation {
    /// Packs the operation into a number, opaque to JavaScript: the codec in the lowest byte, its parameters above.
    pub fn to_number(self) -> u32 {
        match self {
            Self::Checksum(Checksum {
                algorithm,
                location,
            }) => (algorithm as u32) << 8 | (location as u32) << 16,
        }
    }

    /// Unpacks a number from [`Self::to_number`].
    ///
    /// # Panics
    /// Panics if the number names no algorithm.
    pub fn from_number(number: u32) -> Self {
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
        }
    }

    /// Decodes a whole chunk.
    ///
    /// # Errors
    /// Returns [`Error::ChunkLength`] or [`Error::ChecksumMismatch`].
    pub fn decode(self, encoded: &[u8]) -> Result<Vec<u8>, Error> {
        let Self::Checksum(checksum) = self;
        let length = encoded.len() as u64;
        let payload = checksum.payload(length)?;
        let payload = &encoded[payload.start as usize..payload.end as usize];
        let stored = &encoded[checksum.position(length) as usize..];
        let stored = *stored.first_chunk().expect("as long as a checksum");
        checksum.verify(&digest_of(checksum, payload), stored, payload.len() as u64)?;
        Ok(payload.to_vec())
    }

    /// Encodes a whole chunk.
    pub fn encode(self, decoded: &[u8]) -> Vec<u8> {
        let Self::Checksum(checksum) = self;
        let stored = digest_of(checksum, decoded).finish().to_le_bytes();
        match checksum.location {
            Location::Start => [&stored, decoded].concat(),
            Location::End => [decoded, &stored].concat(),
        }
    }
}

fn digest_of(checksum: Checksum, payload: &[u8]) -> Digest {
    let mut digest = checksum.digest();
    digest.update(payload);
    digest
}
