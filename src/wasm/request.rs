//! What TypeScript asks of metadata.

use super::json;
use crate::{
    chain::{CodecChain, Options},
    error::Error,
    metadata::{ChainMetadata, Endian},
};
use alloc::string::String;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The metadata of a chain, and how to read it. All of it is plain data that TypeScript has copied and bounded, so
    /// that reading it twice gives the same and fits into the arena.
    pub type Request;

    /// `{ dataType, shape, codecs }`, or the metadata of an array.
    #[wasm_bindgen(method, getter)]
    fn metadata(this: &Request) -> JsValue;

    /// Whether it is the metadata of an array.
    #[wasm_bindgen(method, getter, js_name = isArray)]
    fn is_array(this: &Request) -> bool;

    /// [`Options::missing_endian`], by its name.
    #[wasm_bindgen(method, getter, js_name = missingEndian)]
    fn missing_endian(this: &Request) -> Option<String>;

    /// [`Options::accept_invalid_bool`].
    #[wasm_bindgen(method, getter, js_name = acceptInvalidBool)]
    fn accept_invalid_bool(this: &Request) -> bool;

    /// [`Options::array`].
    #[wasm_bindgen(method, getter)]
    fn array(this: &Request) -> Option<String>;

    /// [`Options::external`].
    #[wasm_bindgen(method, getter)]
    fn external(this: &Request) -> bool;
}

impl Request {
    /// Resolves the chain.
    pub fn resolve(&self) -> Result<CodecChain, Error> {
        let options = Options {
            missing_endian: self
                .missing_endian()
                .and_then(|name| Endian::from_name(&name)),
            accept_invalid_bool: self.accept_invalid_bool(),
            array: self.array(),
            external: self.external(),
        };
        let metadata = json::read(&self.metadata());
        let metadata = if self.is_array() {
            ChainMetadata::from_array(&metadata)
        } else {
            ChainMetadata::from_parts(&metadata)
        };
        CodecChain::resolve(&metadata?, &options)
    }

    /// Explains a wrong length: that of an encoded chunk, or of a decoded one in the form with this index.
    pub fn length_error(&self, form: Option<usize>, actual: u64) -> Error {
        let chain = match self.resolve() {
            Ok(chain) => chain,
            Err(error) => return error,
        };
        let step = chain.array_step();
        match form {
            None => chain.encoded_length_error(step, actual),
            Some(index) => chain.decoded_length_error(&step.forms[index], actual),
        }
    }
}
