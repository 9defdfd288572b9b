//! The data types: THE table of what an element is made of.
//!
//! Specification: the data types of the [`bytes` codec](https://zarr-specs.readthedocs.io/en/latest/v3/codecs/bytes/)
//! and of the [core specification](https://zarr-specs.readthedocs.io/en/latest/v3/data-types/).

use crate::{
    error::Error,
    json::{Located, listed},
    metadata::Extension,
};
use alloc::{borrow::ToOwned, format, string::String};

/// A data type, as far as the codecs need to know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataType {
    /// Its identifier in Zarr metadata.
    pub name: String,
    /// Bytes per component, the unit that is stored in one byte order: 4 in `complex64`.
    pub component_size: u8,
    /// Components per element: 2 in `complex64`, the number of bytes in `r<bits>`.
    pub components: u64,
    /// The JavaScript array that holds the components.
    pub array: TypedArray,
}

/// The JavaScript arrays that a chunk can be decoded into, by the names of their constructors (as `Debug` writes them).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TypedArray {
    Int8Array,
    Int16Array,
    Int32Array,
    BigInt64Array,
    Uint8Array,
    Uint16Array,
    Uint32Array,
    BigUint64Array,
    Float16Array,
    Float32Array,
    Float64Array,
}

use TypedArray::*;

/// name, bytes per component, components per element, array. `r<bits>` is read by [`raw_bits`].
const TABLE: [(&str, u8, u64, TypedArray); 14] = [
    ("bool", 1, 1, Uint8Array),
    ("int8", 1, 1, Int8Array),
    ("int16", 2, 1, Int16Array),
    ("int32", 4, 1, Int32Array),
    ("int64", 8, 1, BigInt64Array),
    ("uint8", 1, 1, Uint8Array),
    ("uint16", 2, 1, Uint16Array),
    ("uint32", 4, 1, Uint32Array),
    ("uint64", 8, 1, BigUint64Array),
    ("float16", 2, 1, Float16Array),
    ("float32", 4, 1, Float32Array),
    ("float64", 8, 1, Float64Array),
    ("complex64", 4, 2, Float32Array),
    ("complex128", 8, 2, Float64Array),
];

impl DataType {
    /// The data type with this identifier.
    pub fn from_name(name: &str) -> Option<Self> {
        let row = TABLE
            .iter()
            .copied()
            .find(|row| row.0 == name)
            .or_else(|| Some((name, 1, raw_bits(name)? / 8, Uint8Array)));
        row.map(|(name, component_size, components, array)| Self {
            name: name.to_owned(),
            component_size,
            components,
            array,
        })
    }

    /// Reads `"float32"`, or `{ "name": "float32" }` with an empty configuration at most.
    pub fn from_metadata(metadata: &Located) -> Result<Self, Error> {
        let extension = Extension::read(metadata, "a data type", &["name", "configuration"])?;
        extension.no_configuration()?;
        Self::from_name(extension.name).ok_or_else(|| {
            let names = listed(&TABLE.map(|row| row.0), "");
            let expected = format!("{names} or r<bits> (a multiple of 8)");
            extension.invalid_name(&expected)
        })
    }

    /// Bytes per element.
    pub fn element_size(&self) -> u64 {
        self.components * u64::from(self.component_size)
    }

    /// Whether only some byte patterns are elements: a `bool` is 0 or 1.
    pub fn is_bool(&self) -> bool {
        self.name == "bool"
    }

    /// Whether this is the one type that some JavaScript hosts have no array for.
    pub fn is_float16(&self) -> bool {
        self.array == Float16Array
    }
}

/// The number of bits of `r<bits>`: decimal without sign or leading zeros, a multiple of 8, above 0.
fn raw_bits(name: &str) -> Option<u64> {
    let digits = name.strip_prefix('r')?;
    let canonical = !digits.starts_with('0') && digits.bytes().all(|digit| digit.is_ascii_digit());
    let bits = canonical.then(|| digits.parse().ok())??;
    (bits % 8 == 0).then_some(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_bits_are_whole_bytes_in_canonical_decimal() {
        for (name, components) in [("r8", 1), ("r24", 3), ("r128", 16)] {
            assert_eq!(DataType::from_name(name).unwrap().components, components);
        }
        for name in [
            "r",
            "r0",
            "r4",
            "r08",
            "r+8",
            "r-8",
            "r8 ",
            "R8",
            "r8.0",
            "r99999999999999999999",
        ] {
            assert_eq!(DataType::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn element_sizes_are_those_of_the_specification() {
        for (name, size) in [
            ("bool", 1),
            ("int64", 8),
            ("float16", 2),
            ("complex64", 8),
            ("complex128", 16),
        ] {
            assert_eq!(DataType::from_name(name).unwrap().element_size(), size);
        }
    }
}
