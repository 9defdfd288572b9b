//! The `numcodecs.shuffle` codec: bytes-to-bytes. Groups the bytes of elements by their place, for the compressor after it.
//!
//! Specification: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/numcodecs.shuffle>
//! Configuration: `{ "elementsize": n }`, the size of an element in bytes; 4 if absent.
//! Encoded size:  the decoded size. Bytes at the end that are no whole element stay where they are.
//! Errors:        [`Error::InvalidMetadata`].

use crate::{
    chain::{Options, blocks::Blocks},
    codec::Codec,
    data_type::DataType,
    error::Error,
    kernel::{Conversion, Permutation, shuffle, window::Window},
    metadata::{Extension, read_integer},
    stream::{self, Memory},
};

/// The size of an element if the configuration does not say it, as in numcodecs.
const DEFAULT_ELEMENT_SIZE: u32 = 4;

/// The largest size of an element: what a packed operation has room for.
pub const LARGEST_ELEMENT_SIZE: u32 = (1 << 24) - 1;

/// Validates the metadata of `numcodecs.shuffle`.
pub fn resolve(
    metadata: &Extension,
    _data_type: Option<&DataType>,
    _options: &Options,
) -> Result<Codec, Error> {
    let element_size = read_element_size(metadata)?;
    Ok(Codec::Shuffle { element_size })
}

/// Returns the size of an element in bytes.
///
/// # Errors
/// Returns [`Error::InvalidMetadata`].
fn read_element_size(metadata: &Extension) -> Result<u32, Error> {
    const EXPECTED: &str = "an integer from 1 to 16777215";
    metadata.check_configuration(&["elementsize"])?;
    let size = metadata.configuration.member("elementsize");
    if size.value.is_none() {
        return Ok(DEFAULT_ELEMENT_SIZE);
    }
    match read_integer(&size, 1, EXPECTED)? {
        bytes if bytes <= LARGEST_ELEMENT_SIZE.into() => Ok(bytes as u32),
        _ => Err(size.invalid(EXPECTED)),
    }
}

/// Decodes a chunk of elements of `size` bytes. Both arrays have the same length.
pub fn decode<M: Memory + ?Sized>(window: &mut Window, size: u32, encoded: &M, decoded: &mut M) {
    let permutation = shuffle::permutation(size as usize, encoded.length() as usize);
    permute(window, &permutation.inverse(), encoded, decoded);
}

/// Encodes a chunk of elements of `size` bytes. Both arrays have the same length.
pub fn encode<M: Memory + ?Sized>(window: &mut Window, size: u32, decoded: &M, encoded: &mut M) {
    let permutation = shuffle::permutation(size as usize, decoded.length() as usize);
    permute(window, &permutation, decoded, encoded);
}

/// Permutes bytes, block by block, and copies those that are left. Elements are short, so that a block has few runs.
fn permute<M: Memory + ?Sized>(
    window: &mut Window,
    permutation: &Permutation,
    source: &M,
    target: &mut M,
) {
    let end = permutation.byte_length() as u32;
    if end > 0 {
        let blocks = Blocks::split(permutation, Conversion::IDENTITY, false);
        stream::by_blocks(window, &blocks, source, target);
    }
    stream::copy(window, (source, end), (target, end), source.length() - end);
}
