//! A checksum of 32 bits, one of several, computed piece by piece.

use crate::{
    adler32, crc32,
    crc32c::{self, History},
    fletcher32,
    xxh64::Xxh64,
};

/// The checksums that codecs store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// CRC-32C.
    Crc32c,
    /// CRC-32.
    Crc32,
    /// Adler-32.
    Adler32,
    /// Fletcher-32 of HDF5.
    Fletcher32,
    /// The lower 32 bits of XXH64.
    Xxh64,
}

impl Algorithm {
    /// All checksums, in the order of their numbers.
    pub const ALL: [Self; 5] = [
        Self::Crc32c,
        Self::Crc32,
        Self::Adler32,
        Self::Fletcher32,
        Self::Xxh64,
    ];

    /// Returns its name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crc32c => "crc32c",
            Self::Crc32 => "crc32",
            Self::Adler32 => "adler32",
            Self::Fletcher32 => "fletcher32",
            Self::Xxh64 => "xxh64",
        }
    }
}

/// A checksum of the bytes so far.
#[derive(Clone, Debug)]
pub enum Digest {
    /// CRC-32C or CRC-32.
    Crc(crc32c::Digest),
    /// A checksum that is its own state, and the function that continues it.
    Word(u32, fn(u32, &[u8]) -> u32),
    /// XXH64.
    Xxh64(Xxh64),
}

impl Digest {
    /// Starts a checksum.
    pub fn new(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::Crc32c => Self::Crc(crc32c::Digest::new(0)),
            Algorithm::Crc32 => Self::Crc(crc32c::Digest::with_kernels(&crc32::KERNELS, 0)),
            Algorithm::Adler32 => Self::Word(1, adler32::update),
            Algorithm::Fletcher32 => Self::Word(0, fletcher32::update),
            Algorithm::Xxh64 => Self::Xxh64(Xxh64::new()),
        }
    }

    /// Processes the next bytes. All pieces but the last have an even length.
    pub fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Crc(crc) => crc.update(bytes),
            Self::Word(word, update) => *word = update(*word, bytes),
            Self::Xxh64(hash) => hash.update(bytes),
        }
    }

    /// Processes the next bytes as [`crc32c::Digest::update_with`] does.
    pub fn update_with(&mut self, history: &mut History, bytes: &[u8], is_last: bool) {
        match self {
            Self::Crc(crc) => crc.update_with(history, bytes, is_last),
            _ => self.update(bytes),
        }
    }

    /// Returns the checksum of all bytes so far.
    pub fn finish(&self) -> u32 {
        match self {
            Self::Crc(crc) => crc.crc(),
            Self::Word(word, _) => *word,
            Self::Xxh64(hash) => hash.digest() as u32,
        }
    }
}
