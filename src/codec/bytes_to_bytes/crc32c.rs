//! The `crc32c` codec: bytes-to-bytes. Appends a 4-byte checksum to the payload; decoding verifies and strips it.
//!
//! Specification: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/crc32c/>
//! Configuration: none.
//! Encoded size:  the decoded size + 4. The checksum is stored little endian on every host.
//! Errors:        [`Error::InvalidMetadata`]; [`Error::ChecksumMismatch`].

use crate::{
    chain::Builder,
    codec::{Codec, Definition, Kind},
    error::Error,
    metadata::Extension,
};

/// The codec.
pub const DEFINITIONS: &[Definition] = &[Definition {
    name: "crc32c",
    kind: Kind::BytesToBytes,
    add,
}];

/// The checksum becomes a part of the step before it, which computes it while it converts.
fn add(metadata: &Extension, chain: &mut Builder) -> Result<Codec, Error> {
    metadata.check_no_configuration()?;
    chain.native_step().add_checksum();
    Ok(Codec::new("crc32c"))
}
