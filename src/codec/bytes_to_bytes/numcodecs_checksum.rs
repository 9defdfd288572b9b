//! The checksum codecs of numcodecs: bytes-to-bytes. Add a checksum of 4 bytes to the payload; decoding verifies and
//! strips it.
//!
//! Specification: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs>, `numcodecs.*`
//! Configuration: `{ "location": "start" | "end" }`; `numcodecs.fletcher32` has none, its checksum is at the end.
//! Encoded size:  the decoded size + 4. The checksum is stored little endian on every host.
//! Errors:        [`Error::InvalidMetadata`]; [`Error::ChunkLength`]; [`Error::ChecksumMismatch`].

use crate::{
    chain::Options,
    codec::Codec,
    data_type::DataType,
    diagnosis,
    error::Error,
    kernel::{
        checksum::CHECKSUM_SIZE,
        digest::{Algorithm, Digest},
        window::Window,
    },
    metadata::{Extension, Json},
    stream::{self, Memory},
};
use core::ops::Range;
use serde::Serialize;

/// A checksum and its place in the encoded bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum {
    /// The algorithm, which is the codec.
    pub algorithm: Algorithm,
    /// The place.
    pub location: Location,
}

/// The place of a checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Location {
    /// Before the payload.
    Start,
    /// After the payload.
    End,
}

/// The algorithm of each codec, and where its checksum is unless the configuration says otherwise.
const CODECS: [(&str, Algorithm, Location); 4] = [
    ("numcodecs.crc32c", Algorithm::Crc32c, Location::End),
    ("numcodecs.crc32", Algorithm::Crc32, Location::Start),
    ("numcodecs.adler32", Algorithm::Adler32, Location::Start),
    ("numcodecs.fletcher32", Algorithm::Fletcher32, Location::End),
];

/// Returns the names of the codecs.
pub fn names() -> impl Iterator<Item = &'static str> {
    CODECS.iter().map(|(name, ..)| *name)
}

/// Validates the metadata of one of the codecs.
pub fn resolve(metadata: &Extension, _: Option<&DataType>, _: &Options) -> Result<Codec, Error> {
    let codec = CODECS.iter().find(|(name, ..)| *name == metadata.name);
    let (_, algorithm, default) = *codec.unwrap_or(&CODECS[0]);
    let members: &[&str] = match algorithm {
        Algorithm::Fletcher32 => &[],
        _ => &["location"],
    };
    metadata.check_configuration(members)?;
    let location = metadata.configuration.member("location");
    let location = match location.value {
        None => default,
        Some(Json::String(name)) if name == "start" => Location::Start,
        Some(Json::String(name)) if name == "end" => Location::End,
        Some(_) => return Err(location.invalid("\"start\" or \"end\"")),
    };
    Ok(Codec::NumcodecsChecksum(Checksum {
        algorithm,
        location,
    }))
}

impl Checksum {
    /// Returns the name of the codec.
    pub fn name(self) -> &'static str {
        let codec = CODECS.iter().find(|(_, codec, _)| *codec == self.algorithm);
        codec.unwrap_or(&CODECS[0]).0
    }

    /// Returns the place of the checksum, if the configuration can choose it.
    pub fn configured_location(self) -> Option<Location> {
        (self.algorithm != Algorithm::Fletcher32).then_some(self.location)
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
