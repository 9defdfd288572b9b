//! The `crc32c` codec: bytes-to-bytes. Appends a 4-byte checksum to its payload (encode) or verifies and drops it (decode).
//!
//! Specification: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/crc32c/>
//! Configuration: none.
//! Encoded size:  the decoded size + 4. The checksum is stored little endian, whatever the host.
//! Errors:        [`Error::InvalidMetadata`]; [`Error::ChecksumMismatch`].

use crate::{chain::Options, codec::Codec, data_type::DataType, error::Error, metadata::Extension};

/// Resolves `{ "name": "crc32c" }`.
pub fn resolve(metadata: &Extension, _: &DataType, _: &Options) -> Result<Codec, Error> {
    metadata.no_configuration()?;
    Ok(Codec::Crc32c)
}
