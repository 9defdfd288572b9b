//! Requests from TypeScript to resolve metadata.

use crate::{
    chain::{CodecChain, External, Options, Part},
    codec::Kind,
    error::Error,
    metadata::{ChainMetadata, Endian, Json},
};
use alloc::{borrow::ToOwned, vec::Vec};

/// Resolves a request (`Request` in `js/chain/resolved.ts`), and returns the chain of inner chunks that is nested in `level`
/// shards. `metadata` is `{ dataType, shape, codecs, fillValue? }` or, with `isArray`, the metadata of an array, of which
/// `chunkShape` replaces the shape of chunks; the rest are [`Options`].
pub fn resolve(request: &Json) -> Result<CodecChain, Error> {
    resolve_with(request, &options(request))
}

fn options(request: &Json) -> Options<'_> {
    Options {
        missing_endian: text(request, "missingEndian").and_then(Endian::from_name),
        accept_invalid_bool: is_true(request, "acceptInvalidBool"),
        array: text(request, "array").map(ToOwned::to_owned),
        small_float_bits: is_true(request, "smallFloatBits"),
        loads: is_true(request, "loads"),
        external: match request.member("external") {
            Some(Json::Array(codecs)) => codecs.iter().filter_map(external).collect(),
            _ => Vec::new(),
        },
    }
}

fn resolve_with(request: &Json, options: &Options) -> Result<CodecChain, Error> {
    let metadata = request.member("metadata").unwrap_or(&Json::Null);
    let metadata = if is_true(request, "isArray") {
        let chunk_shape = request.member("chunkShape");
        ChainMetadata::from_array(
            metadata,
            chunk_shape.filter(|shape| !matches!(shape, Json::Null)),
        )
    } else {
        ChainMetadata::from_parts(metadata)
    };
    let mut chain = CodecChain::resolve(&metadata?, options)?;
    if let Some(&Json::Number(level)) = request.member("level") {
        for _ in 0..level as u32 {
            chain = chain.into_inner();
        }
    }
    Ok(chain)
}

/// Reads an external codec: `{ path, kind, dataType?, shape? }`.
fn external(codec: &Json) -> Option<External<'_>> {
    let kind = match text(codec, "kind") {
        Some("array_to_array") => Kind::ArrayToArray,
        Some("array_to_bytes") => Kind::ArrayToBytes,
        _ => Kind::BytesToBytes,
    };
    Some(External {
        path: text(codec, "path")?,
        kind,
        encoded: codec.member("dataType").zip(codec.member("shape")),
    })
}

fn is_true(request: &Json, name: &str) -> bool {
    matches!(request.member(name), Some(Json::Bool(true)))
}

fn text<'a>(object: &'a Json, name: &str) -> Option<&'a str> {
    match object.member(name) {
        Some(Json::String(text)) => Some(text),
        _ => None,
    }
}

/// Returns the error for an encoded chunk of `actual` bytes or, given the index of a form, for a decoded one.
pub fn length_error(request: &Json, form: Option<usize>, actual: u64) -> Error {
    let chain = match resolve(request) {
        Ok(chain) => chain,
        Err(error) => return error,
    };
    match form {
        None => chain.encoded_length_error(actual),
        Some(index) => chain.decoded_length_error(&chain.array_step().forms[index], actual),
    }
}

/// Returns the field with this path, an array of names, in the elements of a chunk.
pub fn part(request: &Json, path: &Json) -> Result<Option<Part>, Error> {
    let options = options(request);
    let names = match path {
        Json::Array(names) => names.as_slice(),
        _ => &[],
    };
    let names = names.iter().map(|name| match name {
        Json::String(name) => name.as_str(),
        _ => "",
    });
    Ok(resolve_with(request, &options)?.part(names, &options))
}
