//! The JavaScript arrays that hold decoded components.

use serde::Serialize;

/// The constructor of a JavaScript array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub enum TypedArray {
    Int8Array,
    Int16Array,
    Int32Array,
    BigInt64Array,
    Uint8Array,
    Uint8ClampedArray,
    Uint16Array,
    Uint32Array,
    BigUint64Array,
    Float16Array,
    Float32Array,
    Float64Array,
}

impl TypedArray {
    /// Returns the size of a component in bytes (`BYTES_PER_ELEMENT` in JavaScript).
    pub fn component_size(self) -> u8 {
        use TypedArray::*;
        match self {
            Int8Array | Uint8Array | Uint8ClampedArray => 1,
            Int16Array | Uint16Array | Float16Array => 2,
            Int32Array | Uint32Array | Float32Array => 4,
            BigInt64Array | BigUint64Array | Float64Array => 8,
        }
    }
}
