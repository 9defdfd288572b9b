//! Bytes-to-bytes codecs of this package that are steps of their own, over bytes of any length.

use super::{
    chain::thrown,
    shuffle, stream,
    window::{load, store},
};
use crate::{
    codec::bytes_to_bytes::{Operation, numcodecs_checksum::Checksum},
    error::Error,
    kernel::checksum::CHECKSUM_SIZE,
};
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
    match Operation::from_number(operation) {
        Operation::Checksum(checksum) => {
            decode_checksum(encoded, decoded, checksum, verify).map_err(thrown)
        }
        Operation::Shuffle(size) => {
            shuffle::run(size as usize, false, encoded, decoded);
            Ok(())
        }
    }
}

/// Encodes `decoded` into `encoded`, which is longer by the operation's overhead.
#[wasm_bindgen(js_name = encodeBytes)]
pub fn encode_bytes(decoded: &Uint8Array, encoded: &Uint8Array, operation: OperationNumber) {
    match Operation::from_number(operation) {
        Operation::Checksum(checksum) => encode_checksum(decoded, encoded, checksum),
        Operation::Shuffle(size) => shuffle::run(size as usize, true, decoded, encoded),
    }
}

fn encode_checksum(decoded: &Uint8Array, encoded: &Uint8Array, checksum: Checksum) {
    let mut digest = checksum.digest();
    stream::digest(decoded, 0, decoded.length(), &mut digest);
    let length = encoded.length().into();
    let payload = checksum.payload(length).expect_throw("room for a checksum");
    stream::copy(decoded, 0, encoded, payload.start as u32, decoded.length());
    let stored = digest.finish().to_le_bytes();
    store(&stored, encoded, checksum.position(length) as u32);
}

fn decode_checksum(
    encoded: &Uint8Array,
    decoded: &Uint8Array,
    checksum: Checksum,
    verify: bool,
) -> Result<(), Error> {
    let length = encoded.length().into();
    let payload = checksum.payload(length)?;
    let (start, end) = (payload.start as u32, payload.end as u32);
    if verify {
        let mut digest = checksum.digest();
        stream::digest(encoded, start, end - start, &mut digest);
        let mut stored = [0; CHECKSUM_SIZE];
        load(encoded, checksum.position(length) as u32, &mut stored);
        checksum.verify(&digest, stored, (end - start).into())?;
    }
    stream::copy(encoded, start, decoded, 0, end - start);
    Ok(())
}
