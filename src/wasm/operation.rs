//! Bytes-to-bytes codecs of this package that are steps of their own, over bytes of any length.

use super::{chain::thrown, window::with};
use crate::codec::bytes_to_bytes::Operation;
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

/// An [`Operation`] as a number, opaque to JavaScript.
type OperationNumber = u32;

/// Decodes `encoded` into `decoded`, which has the length of the payload. Verifies checksums unless `verify` is false.
/// If it throws, `decoded` is unchanged.
#[wasm_bindgen(js_name = decodeBytes)]
pub fn decode_bytes(
    encoded: &Uint8Array,
    decoded: &Uint8Array,
    operation: OperationNumber,
    verify: bool,
) -> Result<(), JsValue> {
    let operation = Operation::from_number(operation);
    with(|window| operation.decode(window, &encoded, &mut { decoded }, verify)).map_err(thrown)
}

/// Encodes `decoded` into `encoded`, which is longer by the operation's overhead.
#[wasm_bindgen(js_name = encodeBytes)]
pub fn encode_bytes(decoded: &Uint8Array, encoded: &Uint8Array, operation: OperationNumber) {
    let operation = Operation::from_number(operation);
    with(|window| operation.encode(window, &decoded, &mut { encoded }));
}
