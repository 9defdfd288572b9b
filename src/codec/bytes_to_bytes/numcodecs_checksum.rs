//! The checksum codecs of numcodecs: bytes-to-bytes. Add a checksum of 4 bytes to the payload; decoding verifies and
//! strips it.
//!
//! Specification: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs>, `numcodecs.*`
//! Configuration: `{ "location": "start" | "end" }`; `numcodecs.fletcher32` has none, its checksum is at the end.
//! Encoded size:  the decoded size + 4. The checksum is stored little endian on every host.
//! Errors:        [`Error::InvalidMetadata`]; [`Error::ChunkLength`]; [`Error::ChecksumMismatch`].

use crate::{
    chain::Builder,
    codec::{Codec, Definition, Kind, Location},
    diagnosis,
    error::Error,
    kernel::{
        checksum::CHECKSUM_SIZE,
        digest::{Algorithm, Digest},
        window::Window,
    },
    metadata::Extension,
    stream::{self, Memory},
};
use core::ops::Range;

/// Their names.
pub const DEFINITIONS: &[Definition] = &[
    definition("numcodecs.crc32c"),
    definition("numcodecs.crc32"),
    definition("numcodecs.adler32"),
    definition("numcodecs.fletcher32"),
];

const fn definition(name: &'static str) -> Definition {
    Definition {
        name,
        kind: Kind::BytesToBytes,
        add,
    }
}

fn add(metadata: &Extension, chain: &mut Builder) -> Result<Codec, Error> {
    let (algorithm, default) = match metadata.name {
        "numcodecs.crc32" => (Algorithm::Crc32, Location::Start),
        "numcodecs.adler32" => (Algorithm::Adler32, Location::Start),
        "numcodecs.fletcher32" => (Algorithm::Fletcher32, Location::End),
        _ => (Algorithm::Crc32c, Location::End),
    };
    let is_configurable = algorithm != Algorithm::Fletcher32;
    let members: &[&str] = if is_configurable { &["location"] } else { &[] };
    metadata.check_configuration(members)?;
    let location = Location::read(&metadata.configuration.member("location"), default)?;
    let checksum = Checksum {
        algorithm,
        location,
    };
    chain.add_operation(checksum.into());
    if !is_configurable {
        return Ok(Codec::new(metadata.name));
    }
    Ok(Codec::new(metadata.name).with("location", location.to_json()))
}

/// A checksum and its place in the encoded bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum {
    /// The algorithm, which is the codec.
    pub algorithm: Algorithm,
    /// The place.
    pub location: Location,
}

impl Checksum {
    /// The number of bytes that encoding adds.
    pub const OVERHEAD: usize = CHECKSUM_SIZE;

    /// Packs the algorithm and the location into 24 bits.
    pub fn to_parameters(self) -> u32 {
        self.algorithm as u32 | (self.location as u32) << 8
    }

    /// Unpacks what [`Self::to_parameters`] returns.
    ///
    /// # Panics
    /// Panics if they name no algorithm.
    pub fn from_parameters(parameters: u32) -> Self {
        Self {
            algorithm: Algorithm::ALL[(parameters & 0xff) as usize],
            location: match parameters >> 8 {
                0 => Location::Start,
                _ => Location::End,
            },
        }
    }

    /// Returns where the payload and the checksum begin, for a payload of `length` bytes.
    fn places(self, length: u32) -> (u32, u32) {
        match self.location {
            Location::Start => (CHECKSUM_SIZE as u32, 0),
            Location::End => (0, length),
        }
    }

    /// Computes the checksum of a range of `bytes`.
    fn compute<M: Memory + ?Sized>(self, window: &mut Window, bytes: &M, range: Range<u32>) -> u32 {
        let mut digest = Digest::new(self.algorithm);
        stream::digest(window, bytes, range, &mut digest);
        digest.finish()
    }

    /// Decodes a chunk into `decoded`, which has the length of the payload. Verifies the checksum before, unless `verify` is
    /// false.
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
        let Some(length) = encoded.length().checked_sub(CHECKSUM_SIZE as u32) else {
            return Err(Error::too_short(1, encoded.length().into()));
        };
        let (payload, position) = self.places(length);
        if verify {
            let computed = self.compute(window, encoded, payload..payload + length);
            let mut stored = [0; CHECKSUM_SIZE];
            encoded.load(position, &mut stored);
            let stored = u32::from_le_bytes(stored);
            diagnosis::compare(self.algorithm, stored, computed, length.into())?;
        }
        stream::copy(window, (encoded, payload), (decoded, 0), length);
        Ok(())
    }

    /// Encodes a chunk into `encoded`, which is longer by the checksum.
    pub fn encode<M: Memory + ?Sized>(self, window: &mut Window, decoded: &M, encoded: &mut M) {
        let length = decoded.length();
        let (payload, position) = self.places(length);
        let computed = self.compute(window, decoded, 0..length);
        stream::copy(window, (decoded, 0), (encoded, payload), length);
        encoded.store(&computed.to_le_bytes(), position);
    }
}
