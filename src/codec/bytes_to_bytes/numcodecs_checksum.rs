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

    /// Returns where the payload is in `length` encoded bytes.
    ///
    /// # Errors
    /// Returns [`Error::ChunkLength`] if they are fewer than the checksum's.
    pub fn payload(self, length: u64) -> Result<Range<u64>, Error> {
        let Some(payload) = length.checked_sub(CHECKSUM_SIZE as u64) else {
            return Err(Error::too_short(1, length));
        };
        Ok(match self.location {
            Location::Start => CHECKSUM_SIZE as u64..length,
            Location::End => 0..payload,
        })
    }

    /// Returns where the checksum is in `length` encoded bytes, which are enough.
    pub fn position(self, length: u64) -> u64 {
        match self.location {
            Location::Start => 0,
            Location::End => length - CHECKSUM_SIZE as u64,
        }
    }

    /// Starts the checksum.
    pub fn digest(self) -> Digest {
        Digest::new(self.algorithm)
    }

    /// Compares the stored checksum with that of a payload of `byte_length` bytes.
    ///
    /// # Errors
    /// Returns [`Error::ChecksumMismatch`].
    pub fn verify(
        self,
        digest: &Digest,
        stored: [u8; CHECKSUM_SIZE],
        byte_length: u64,
    ) -> Result<(), Error> {
        let (stored, computed) = (u32::from_le_bytes(stored), digest.finish());
        diagnosis::compare(self.algorithm, stored, computed, byte_length)
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
        let length = encoded.length().into();
        let payload = self.payload(length)?;
        let payload = payload.start as u32..payload.end as u32;
        let payload_length = payload.end - payload.start;
        if verify {
            let mut digest = self.digest();
            stream::digest(window, encoded, payload.clone(), &mut digest);
            let mut stored = [0; CHECKSUM_SIZE];
            encoded.load(self.position(length) as u32, &mut stored);
            self.verify(&digest, stored, payload_length.into())?;
        }
        stream::copy(
            window,
            (encoded, payload.start),
            (decoded, 0),
            payload_length,
        );
        Ok(())
    }

    /// Encodes a chunk into `encoded`, which is longer by the checksum.
    pub fn encode<M: Memory + ?Sized>(self, window: &mut Window, decoded: &M, encoded: &mut M) {
        let mut digest = self.digest();
        stream::digest(window, decoded, 0..decoded.length(), &mut digest);
        let (start, position) = match self.location {
            Location::Start => (CHECKSUM_SIZE as u32, 0),
            Location::End => (0, decoded.length()),
        };
        stream::copy(window, (decoded, 0), (encoded, start), decoded.length());
        encoded.store(&digest.finish().to_le_bytes(), position);
    }
}
