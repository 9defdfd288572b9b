//! The `numcodecs.shuffle` codec: bytes-to-bytes. Groups the bytes of elements by their place, for the compressor after it.
//!
//! Specification: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/numcodecs.shuffle>
//! Configuration: `{ "elementsize": n }`, the size of an element in bytes; 4 if absent.
//! Encoded size:  the decoded size. Bytes at the end that are no whole element stay where they are.
//! Errors:        [`Error::InvalidMetadata`].

use crate::{
    chain::{Builder, blocks::Blocks},
    codec::{Codec, Definition, Kind},
    error::Error,
    kernel::{Conversion, Permutation, shuffle, window::Window},
    metadata::{Extension, Json, read_integer},
    stream::{self, Memory},
};

/// The codec.
pub const DEFINITIONS: &[Definition] = &[Definition {
    name: "numcodecs.shuffle",
    kind: Kind::BytesToBytes,
    add,
}];

/// The size of an element if the configuration does not say it, as in numcodecs.
const DEFAULT_ELEMENT_SIZE: u32 = 4;

/// The largest size of an element: what a packed operation has room for.
const LARGEST_ELEMENT_SIZE: u32 = (1 << 24) - 1;

fn add(metadata: &Extension, chain: &mut Builder) -> Result<Codec, Error> {
    let element_size = read_element_size(metadata)?;
    chain.add_operation(Shuffle { element_size }.into());
    let element_size = Json::Number(element_size.into());
    Ok(Codec::new("numcodecs.shuffle").with("elementsize", element_size))
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

/// The codec and its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shuffle {
    /// The size of an element in bytes.
    pub element_size: u32,
}

impl Shuffle {
    /// The number of bytes that encoding adds.
    pub const OVERHEAD: usize = 0;

    /// Packs the parameters into 24 bits.
    pub fn to_parameters(self) -> u32 {
        self.element_size
    }

    /// Unpacks what [`Self::to_parameters`] returns.
    pub fn from_parameters(parameters: u32) -> Self {
        Self {
            element_size: parameters,
        }
    }

    /// Decodes a chunk. Both arrays have the same length.
    ///
    /// # Errors
    /// Never.
    pub fn decode<M: Memory + ?Sized>(
        self,
        window: &mut Window,
        encoded: &M,
        decoded: &mut M,
        _verify: bool,
    ) -> Result<(), Error> {
        let permutation = self.permutation(encoded.length());
        permute(window, &permutation.inverse(), encoded, decoded);
        Ok(())
    }

    /// Encodes a chunk. Both arrays have the same length.
    pub fn encode<M: Memory + ?Sized>(self, window: &mut Window, decoded: &M, encoded: &mut M) {
        let permutation = self.permutation(decoded.length());
        permute(window, &permutation, decoded, encoded);
    }

    fn permutation(self, length: u32) -> Permutation {
        shuffle::permutation(self.element_size as usize, length as usize)
    }
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
