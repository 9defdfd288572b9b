//! The table of data types.
//!
//! Specification: the data types of the [`bytes` codec](https://zarr-specs.readthedocs.io/en/latest/v3/codecs/bytes/)
//! and of the [core specification](https://zarr-specs.readthedocs.io/en/latest/v3/data-types/).

mod typed_array;

pub use typed_array::TypedArray;

use crate::{
    error::Error,
    kernel::{Cast, Check},
    metadata::{Extension, Located, listed},
};
use TypedArray::*;
use alloc::borrow::{Cow, ToOwned};

/// A data type, with the facts that codecs need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataType {
    /// Its name in Zarr metadata.
    pub name: Cow<'static, str>,
    /// The size in bytes of a component, the unit that `endian` applies to: 4 in `complex64`.
    pub component_size: u8,
    /// The number of components per element: 2 in `complex64`, the number of bytes in `r<bits>`.
    pub components: u64,
    /// Which elements are rejected.
    pub check: Check,
    /// The arrays that can hold the components of a decoded chunk. The default is the first that the host supports.
    pub arrays: &'static [ArrayOption],
}

/// An array that can hold the components of a decoded chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayOption {
    /// The value of the user's option that selects it, where a data type has several.
    pub name: &'static str,
    /// The constructor of the array.
    pub array: TypedArray,
    /// How components are cast.
    pub cast: Cast,
}

/// An array that holds components without a cast.
const fn plain(array: TypedArray) -> ArrayOption {
    option("plain", array, Cast::Nothing)
}

const fn option(name: &'static str, array: TypedArray, cast: Cast) -> ArrayOption {
    ArrayOption { name, array, cast }
}

/// The arrays of single bytes. A `Uint8ClampedArray` is accepted for encoding, but never decoded to.
const BYTES: &[ArrayOption] = &[plain(Uint8Array), plain(Uint8ClampedArray)];

const FLOAT16: &[ArrayOption] = &[
    option("float16", Float16Array, Cast::Nothing),
    option("float32", Float32Array, Cast::Float16ToFloat32),
    option("bits", Uint16Array, Cast::Nothing),
];

const fn row(
    name: &'static str,
    component_size: u8,
    components: u64,
    arrays: &'static [ArrayOption],
) -> DataType {
    DataType {
        name: Cow::Borrowed(name),
        component_size,
        components,
        check: Check::Nothing,
        arrays,
    }
}

/// Rows of name, component size, number of components and arrays. For `r<bits>` see [`raw_bits`].
static TABLE: &[DataType] = &[
    DataType {
        name: Cow::Borrowed("bool"),
        component_size: 1,
        components: 1,
        check: Check::Bool,
        arrays: BYTES,
    },
    row("int8", 1, 1, &[plain(Int8Array)]),
    row("int16", 2, 1, &[plain(Int16Array)]),
    row("int32", 4, 1, &[plain(Int32Array)]),
    row("int64", 8, 1, &[plain(BigInt64Array)]),
    row("uint8", 1, 1, BYTES),
    row("uint16", 2, 1, &[plain(Uint16Array)]),
    row("uint32", 4, 1, &[plain(Uint32Array)]),
    row("uint64", 8, 1, &[plain(BigUint64Array)]),
    row("float16", 2, 1, FLOAT16),
    row("float32", 4, 1, &[plain(Float32Array)]),
    row("float64", 8, 1, &[plain(Float64Array)]),
    row("complex64", 4, 2, &[plain(Float32Array)]),
    row("complex128", 8, 2, &[plain(Float64Array)]),
];

impl DataType {
    /// Returns all data types except `r<bits>`, of which there is no end.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        TABLE.iter()
    }

    /// Returns the data type with this name, if it is known.
    pub fn from_name(name: &str) -> Option<Self> {
        match TABLE.iter().find(|row| row.name == name) {
            Some(row) => Some(row.clone()),
            None => Some(Self {
                name: Cow::Owned(name.to_owned()),
                component_size: 1,
                components: raw_bits(name)? / 8,
                check: Check::Nothing,
                arrays: BYTES,
            }),
        }
    }

    /// Reads a data type: its name, or an extension object without configuration.
    ///
    /// # Errors
    /// Returns [`Error::InvalidMetadata`]. An unknown name is reported first, because the other members of such an
    /// object belong to that data type.
    pub fn from_metadata(metadata: &Located) -> Result<Self, Error> {
        let extension = Extension::read(metadata, "a data type")?;
        let data_type = Self::from_name(extension.name).ok_or_else(|| {
            let names = listed(TABLE.iter().map(|row| &*row.name), "");
            extension.invalid_name(&text![names, " or r<bits> (a multiple of 8)"])
        })?;
        extension.check_members()?;
        extension.check_no_configuration()?;
        extension.check_must_understand()?;
        Ok(data_type)
    }

    /// Returns whether this is `r<bits>`.
    pub fn is_raw_bits(&self) -> bool {
        raw_bits(&self.name).is_some()
    }

    /// Returns the size of an encoded element in bytes.
    pub fn element_size(&self) -> u64 {
        self.components * u64::from(self.component_size)
    }
}

/// Returns the number of bits of `r<bits>`: a positive multiple of 8, in decimal without sign or leading zeros.
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

    #[test]
    fn components_fill_their_arrays() {
        for data_type in DataType::all() {
            for ArrayOption { array, cast, .. } in data_type.arrays {
                let widening = if *cast == Cast::Float16ToFloat32 {
                    2
                } else {
                    1
                };
                let size = data_type.component_size * widening;
                assert_eq!(array.component_size(), size, "{}", data_type.name);
            }
        }
    }
}
