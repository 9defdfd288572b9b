//! The table of data types.
//!
//! Specification: the data types of the [`bytes` codec](https://zarr-specs.readthedocs.io/en/latest/v3/codecs/bytes/),
//! of the [core specification](https://zarr-specs.readthedocs.io/en/latest/v3/data-types/) and of the
//! [registry](https://github.com/zarr-developers/zarr-extensions/tree/main/data-types).

mod parameters;
mod record;
mod table;
mod typed_array;

pub use parameters::Parameters;
pub use record::Field;
pub use table::BITS;
pub use typed_array::TypedArray;

use crate::{
    error::Error,
    kernel::{Cast, Check},
    metadata::{Extension, Located, listed},
};
use alloc::{
    borrow::{Cow, ToOwned},
    vec::Vec,
};
use table::{BYTES, CORE, TABLE, row};

/// A data type, with the facts that codecs need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataType {
    /// Its name in Zarr metadata.
    pub name: Cow<'static, str>,
    /// The size in bytes of a component, the unit that `endian` applies to: 4 in `complex64`. In `struct` 1, because the
    /// components of its fields differ.
    pub component_size: u8,
    /// The number of components per element: 2 in `complex64`, the number of bytes in `r<bits>` and `struct`.
    pub components: u64,
    /// Which elements are rejected.
    pub check: Check,
    /// The arrays that can hold the components of a decoded chunk. The default is the first that the host supports.
    pub arrays: &'static [ArrayOption],
    /// What its configuration says.
    pub parameters: Parameters,
    /// The fields of an element of `struct`.
    pub fields: Vec<Field>,
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

/// Complex numbers are named after the data type of their components.
const COMPLEX: &str = "complex_";

/// Returns the data type of complex numbers with these components, if there is one.
fn complex(component: &DataType) -> Option<DataType> {
    let name = &component.name;
    let is_float = name.starts_with("float") || name == "bfloat16";
    is_float.then(|| DataType {
        name: Cow::Owned(text![COMPLEX, name.as_ref()]),
        components: 2,
        ..component.clone()
    })
}

fn find(name: &str) -> Option<&'static DataType> {
    TABLE.iter().find(|row| row.name == name)
}

impl DataType {
    /// Returns all data types except `r<bits>`, of which there is no end. Those with a configuration lack it.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE
            .iter()
            .cloned()
            .chain(TABLE.iter().filter_map(complex))
    }

    /// Returns the data type with this name, if it is known. One with a configuration lacks it.
    pub fn from_name(name: &str) -> Option<Self> {
        if let Some(row) = find(name) {
            return Some(row.clone());
        }
        if let Some(component) = name.strip_prefix(COMPLEX) {
            return complex(find(component)?);
        }
        Some(Self {
            name: Cow::Owned(name.to_owned()),
            ..row("", 1, raw_bits(name)? / 8, BYTES)
        })
    }

    /// Reads a data type: its name, or an extension object.
    ///
    /// # Errors
    /// Returns [`Error::InvalidMetadata`]. An unknown name is reported first, because the other members of such an
    /// object belong to that data type.
    pub fn from_metadata(metadata: &Located) -> Result<Self, Error> {
        let extension = Extension::read(metadata, "a data type")?;
        let mut data_type = Self::from_name(extension.name).ok_or_else(|| {
            let names = listed(TABLE[..CORE].iter().map(|row| &*row.name), "");
            extension.invalid_name(&text![
                names,
                ", r<bits> (a multiple of 8) or an extension that has a bytes encoding"
            ])
        })?;
        extension.check_members()?;
        data_type.configure(&extension)?;
        extension.check_must_understand()?;
        Ok(data_type)
    }

    /// Returns whether this is `r<bits>`.
    pub fn is_raw_bits(&self) -> bool {
        raw_bits(&self.name).is_some()
    }

    /// Returns whether an element is a string, of one component for each code point.
    pub fn is_text(&self) -> bool {
        self.parameters == Parameters::Length && self.component_size > 1
    }

    /// Returns whether a byte order has no effect.
    pub fn is_single_bytes(&self) -> bool {
        let is_single = |field: &Field| field.data_type.is_single_bytes();
        self.component_size == 1 && self.fields.iter().all(is_single)
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
    use crate::kernel::Conversion;

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
                let conversion = Conversion {
                    cast: *cast,
                    ..Conversion::IDENTITY
                };
                let size = data_type.component_size * conversion.widening() as u8;
                assert_eq!(array.component_size(), size, "{}", data_type.name);
            }
        }
    }
}
