//! A resolved codec chain as the plain object that JavaScript keeps.

use crate::{
    codec::{Codec, CodecChain, bytes::Conversion},
    data_type::TypedArray,
};
use serde::Serialize;

/// What TypeScript needs to know to describe a chain and to call [`super::decode`] and [`super::encode`].
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Resolved<'a> {
    data_type: &'a str,
    shape: &'a [u64],
    stride: Vec<u64>,
    codecs: Vec<CodecMetadata>,
    /// The array that holds the components as they are.
    array: TypedArray,
    /// Bytes of the data in the encoded chunk, before the checksums.
    data_byte_length: u64,
    encoded_byte_length: u64,
    checksum_count: usize,
    /// Takes the data to the components as they are.
    conversion: u32,
    /// Takes the data of float16 to binary32 components.
    to_float32: Option<u32>,
    /// Whether the data are the components' bytes already.
    is_identity: bool,
    /// Whether elements are checked.
    has_invalid_elements: bool,
    /// Where `encoded_byte_length` comes from.
    encoded_arithmetic: String,
    /// Where `data_byte_length` comes from.
    decoded_arithmetic: String,
    /// The same of float16 as binary32.
    float32_arithmetic: String,
}

/// A codec as it is written in metadata.
#[derive(Serialize)]
struct CodecMetadata {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    configuration: Option<BytesConfiguration>,
}

#[derive(Serialize)]
struct BytesConfiguration {
    endian: &'static str,
}

impl From<Codec> for CodecMetadata {
    fn from(codec: Codec) -> Self {
        match codec {
            Codec::Bytes { endian } => Self {
                name: "bytes",
                configuration: endian.map(|endian| BytesConfiguration {
                    endian: endian.name(),
                }),
            },
            Codec::Crc32c => Self {
                name: "crc32c",
                configuration: None,
            },
        }
    }
}

impl<'a> From<&'a CodecChain> for Resolved<'a> {
    fn from(chain: &'a CodecChain) -> Self {
        let widened = || chain.conversion.widened() as u32;
        let element_size = chain.data_type.element_size();
        Self {
            data_type: &chain.data_type.name,
            shape: &chain.shape,
            stride: chain.stride(),
            codecs: chain
                .codecs
                .iter()
                .copied()
                .map(CodecMetadata::from)
                .collect(),
            array: chain.data_type.array,
            data_byte_length: chain.decoded_size(),
            encoded_byte_length: chain.encoded_size(),
            checksum_count: chain.checksum_count(),
            conversion: chain.conversion as u32,
            to_float32: chain.data_type.is_float16().then(widened),
            is_identity: chain.conversion.is_identity(),
            has_invalid_elements: chain.conversion == Conversion::CheckedBool,
            encoded_arithmetic: chain.length_arithmetic(element_size, chain.checksum_count()),
            decoded_arithmetic: chain.length_arithmetic(element_size, 0),
            float32_arithmetic: chain.length_arithmetic(4, 0),
        }
    }
}
