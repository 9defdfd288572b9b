//! What a bytes-to-bytes codec does to a chunk.

use super::numcodecs_checksum::{Checksum, Location};
use crate::{
    error::Error,
    kernel::{
        checksum::CHECKSUM_SIZE,
        digest::{Algorithm, Digest},
        shuffle,
    },
};
use alloc::{vec, vec::Vec};

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

    /// Decodes a whole chunk.
    ///
    /// # Errors
    /// Returns [`Error::ChunkLength`] or [`Error::ChecksumMismatch`].
    pub fn decode(self, encoded: &[u8]) -> Result<Vec<u8>, Error> {
        match self {
            Self::Checksum(checksum) => decode_checksum(checksum, encoded),
            Self::Shuffle(size) => {
                let mut decoded = vec![0; encoded.len()];
                shuffle::unshuffle(size as usize, encoded, &mut decoded);
                Ok(decoded)
            }
        }
    }

    /// Encodes a whole chunk.
    pub fn encode(self, decoded: &[u8]) -> Vec<u8> {
        match self {
            Self::Checksum(checksum) => encode_checksum(checksum, decoded),
            Self::Shuffle(size) => {
                let mut encoded = vec![0; decoded.len()];
                shuffle::shuffle(size as usize, decoded, &mut encoded);
                encoded
            }
        }
    }
}

fn decode_checksum(checksum: Checksum, encoded: &[u8]) -> Result<Vec<u8>, Error> {
    let length = encoded.len() as u64;
    let payload = checksum.payload(length)?;
    let payload = &encoded[payload.start as usize..payload.end as usize];
    let stored = &encoded[checksum.position(length) as usize..];
    let stored = *stored.first_chunk().expect("as long as a checksum");
    checksum.verify(&digest_of(checksum, payload), stored, payload.len() as u64)?;
    Ok(payload.to_vec())
}

fn encode_checksum(checksum: Checksum, decoded: &[u8]) -> Vec<u8> {
    let stored = digest_of(checksum, decoded).finish().to_le_bytes();
    match checksum.location {
        Location::Start => [&stored, decoded].concat(),
        Location::End => [decoded, &stored].concat(),
    }
}

fn digest_of(checksum: Checksum, payload: &[u8]) -> Digest {
    let mut digest = checksum.digest();
    digest.update(payload);
    digest
}
