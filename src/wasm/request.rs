//! Requests from TypeScript to resolve metadata.

use crate::{
    chain::{CodecChain, Options},
    error::Error,
    metadata::{ChainMetadata, Endian, Json},
};
use alloc::borrow::ToOwned;

/// Resolves a request `{ metadata, isArray, missingEndian?, acceptInvalidBool, array?, external }`. `metadata` is
/// `{ dataType, shape, codecs }` or, with `isArray`, the metadata of an array; the rest are [`Options`].
pub fn resolve(request: &Json) -> Result<CodecChain, Error> {
    let text = |name| match request.member(name) {
        Some(Json::String(text)) => Some(&**text),
        _ => None,
    };
    let is_true = |name| request.member(name) == Some(&Json::Bool(true));
    let options = Options {
        missing_endian: text("missingEndian").and_then(Endian::from_name),
        accept_invalid_bool: is_true("acceptInvalidBool"),
        array: text("array").map(ToOwned::to_owned),
        external: is_true("external"),
    };
    let metadata = request.member("metadata").unwrap_or(&Json::Null);
    let metadata = if is_true("isArray") {
        ChainMetadata::from_array(metadata)
    } else {
        ChainMetadata::from_parts(metadata)
    };
    CodecChain::resolve(&metadata?, &options)
}

/// Returns the error for an encoded chunk of `actual` bytes or, given the index of a form, for a decoded one.
pub fn length_error(request: &Json, form: Option<usize>, actual: u64) -> Error {
    let chain = match resolve(request) {
        Ok(chain) => chain,
        Err(error) => return error,
    };
    let step = chain.array_step();
    match form {
        None => chain.encoded_length_error(step, actual),
        Some(index) => chain.decoded_length_error(&step.forms[index], actual),
    }
}
