//! A resolved codec chain as the plain object that JavaScript keeps.

use super::plain::Plain;
use crate::{
    codec::{Codec, CodecChain},
    kernel::Conversion,
};
use alloc::format;
use js_sys::Array;
use wasm_bindgen::JsValue;

/// What TypeScript needs to know to describe a chain and to call [`super::decode`] and [`super::encode`].
pub fn object(chain: &CodecChain) -> JsValue {
    let CodecChain {
        data_type,
        shape,
        codecs,
        conversion,
    } = chain;
    let element_size = data_type.element_size();
    let checksum_count = chain.checksum_count();
    let to_float32 = data_type.is_float16().then(|| conversion.widened() as u32);
    let all_codecs = Array::new();
    for &codec in codecs {
        all_codecs.push(&metadata(codec));
    }
    Plain::new()
        .text("dataType", &data_type.name)
        .numbers("shape", shape)
        .numbers("stride", &chain.stride())
        .value("codecs", all_codecs)
        // The array that holds the components as they are.
        .text("array", &format!("{:?}", data_type.array))
        // Bytes of the data in the encoded chunk, before the checksums.
        .number("dataByteLength", chain.decoded_size() as f64)
        .number("encodedByteLength", chain.encoded_size() as f64)
        .number("checksumCount", checksum_count as f64)
        // Takes the data to the components as they are.
        .number("conversion", f64::from(*conversion as u32))
        // Takes the data of float16 to binary32 components.
        .value("toFloat32", to_float32)
        // Whether the data are the components' bytes already.
        .value("isIdentity", conversion.is_identity())
        // Whether elements are checked.
        .value("hasInvalidElements", *conversion == Conversion::CheckedBool)
        // Where `encodedByteLength` comes from, `dataByteLength`, and the same of float16 as binary32.
        .text(
            "encodedArithmetic",
            &chain.length_arithmetic(element_size, checksum_count),
        )
        .text(
            "decodedArithmetic",
            &chain.length_arithmetic(element_size, 0),
        )
        .text("float32Arithmetic", &chain.length_arithmetic(4, 0))
        .into()
}

/// A codec as it is written in metadata.
fn metadata(codec: Codec) -> JsValue {
    match codec {
        Codec::Bytes { endian: None } => Plain::new().text("name", "bytes"),
        Codec::Bytes {
            endian: Some(endian),
        } => Plain::new()
            .text("name", "bytes")
            .value("configuration", Plain::new().text("endian", endian.name())),
        Codec::Crc32c => Plain::new().text("name", "crc32c"),
    }
    .into()
}
