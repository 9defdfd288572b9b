//! The `crc32c` codec: bytes-to-bytes. Appends a 4-byte checksum to the payload; decoding verifies and strips it.
//!
//! Specification: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/crc32c/>
//! Configuration: none.
//! Encoded size:  the decoded size + 4. The checksum is stored little endian on every host.
//! Errors:        [`Error::InvalidMetadata`]; [`Error::ChecksumMismatch`].

use crate::{chain::Options, codec::Codec, data_type::DataType, error::Error, metadata::Extension};

/// Validates the metadata of `crc32c`.
pub fn resolve(metadata: &Extension, _: Option<&DataType>, _: &Options) -> Result<Codec, Error> {
    metadata.check_no_configuration()?;
    Ok(Codec::Crc32c)
}
