//! The table of data types.
//!
//! Specification: the data types of the [`bytes` codec](https://zarr-specs.readthedocs.io/en/latest/v3/codecs/bytes/),
//! of the [core specification](https://zarr-specs.readthedocs.io/en/latest/v3/data-types/) and of the
//! [registry](https://github.com/zarr-developers/zarr-extensions/tree/main/data-types).

mod parameters;
mod record;
mod typed_array;

pub use parameters::Parameters;
pub use record::Field;
pub use typed_array::TypedArray;

use crate::{
    error::Error,
    kernel::{
        Cast, Check,
        small_float::{Format, Specials},
        small_int::SmallInt,
    },
    metadata::{Extension, Located, listed},
};
use TypedArray::*;
use alloc::{
    borrow::{Cow, ToOwned},
    vec::Vec,
};

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

const BFLOAT16: &[ArrayOption] = &[
    option("float32", Float32Array, Cast::Bfloat16ToFloat32),
    option(BITS, Uint16Array, Cast::Nothing),
];

/// The name of the arrays of the bits of floating-point numbers.
pub const BITS: &str = "bits";

/// Returns the arrays of a floating-point type of one byte. The bits of the format are those of the widths, see [`Format`].
const fn small_float(exponent: u8, mantissa: u8, bias: u8, specials: Specials) -> [ArrayOption; 2] {
    let format = Format {
        exponent,
        mantissa,
        bias,
        specials,
    };
    let cast = Cast::SmallFloatToFloat32(format);
    [
        option("float32", Float32Array, cast),
        option(BITS, Uint8Array, Cast::Nothing),
    ]
}

const fn small_int(array: TypedArray, bits: u8, signed: bool) -> ArrayOption {
    option("plain", array, Cast::SmallInt(SmallInt { bits, signed }))
}

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
        parameters: Parameters::None,
        fields: Vec::new(),
    }
}

/// Returns the row of a data type with a configuration. `components` are multiplied by what it says.
const fn parametrised(
    name: &'static str,
    component_size: u8,
    arrays: &'static [ArrayOption],
    parameters: Parameters,
) -> DataType {
    DataType {
        name: Cow::Borrowed(name),
        component_size,
        components: 1,
        check: Check::Nothing,
        arrays,
        parameters,
        fields: Vec::new(),
    }
}

/// Rows of name, component size, number of components and arrays: first those of the core specification. For `r<bits>` see
/// [`raw_bits`], for the complex numbers whose components are rows [`complex`].
static TABLE: &[DataType] = &[
    DataType {
        name: Cow::Borrowed("bool"),
        component_size: 1,
        components: 1,
        check: Check::Bool,
        arrays: BYTES,
        parameters: Parameters::None,
        fields: Vec::new(),
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
    row("int2", 1, 1, &[small_int(Int8Array, 2, true)]),
    row("int4", 1, 1, &[small_int(Int8Array, 4, true)]),
    row(
        "uint2",
        1,
        1,
        &[
            small_int(Uint8Array, 2, false),
            small_int(Uint8ClampedArray, 2, false),
        ],
    ),
    row(
        "uint4",
        1,
        1,
        &[
            small_int(Uint8Array, 4, false),
            small_int(Uint8ClampedArray, 4, false),
        ],
    ),
    row("bfloat16", 2, 1, BFLOAT16),
    row(
        "float8_e3m4",
        1,
        1,
        &small_float(3, 4, 3, Specials::InfinityAndNan),
    ),
    row(
        "float8_e4m3",
        1,
        1,
        &small_float(4, 3, 7, Specials::InfinityAndNan),
    ),
    row(
        "float8_e4m3b11fnuz",
        1,
        1,
        &small_float(4, 3, 11, Specials::NanForNegativeZero),
    ),
    row("float8_e4m3fn", 1, 1, &small_float(4, 3, 7, Specials::Nan)),
    row(
        "float8_e4m3fnuz",
        1,
        1,
        &small_float(4, 3, 8, Specials::NanForNegativeZero),
    ),
    row(
        "float8_e5m2",
        1,
        1,
        &small_float(5, 2, 15, Specials::InfinityAndNan),
    ),
    row(
        "float8_e5m2fnuz",
        1,
        1,
        &small_float(5, 2, 16, Specials::NanForNegativeZero),
    ),
    row(
        "float8_e8m0fnu",
        1,
        1,
        &small_float(8, 0, 127, Specials::Nan),
    ),
    row(
        "float6_e2m3fn",
        1,
        1,
        &small_float(2, 3, 1, Specials::Nothing),
    ),
    row(
        "float6_e3m2fn",
        1,
        1,
        &small_float(3, 2, 3, Specials::Nothing),
    ),
    row(
        "float4_e2m1fn",
        1,
        1,
        &small_float(2, 1, 1, Specials::Nothing),
    ),
    parametrised(
        "numpy.datetime64",
        8,
        &[plain(BigInt64Array)],
        Parameters::Time,
    ),
    parametrised(
        "numpy.timedelta64",
        8,
        &[plain(BigInt64Array)],
        Parameters::Time,
    ),
    parametrised(
        "fixed_length_utf32",
        4,
        &[plain(Uint32Array)],
        Parameters::Length,
    ),
    parametrised("null_terminated_bytes", 1, BYTES, Parameters::Length),
    parametrised("raw_bytes", 1, BYTES, Parameters::Length),
    parametrised("struct", 1, BYTES, Parameters::Fields),
    parametrised("structured", 1, BYTES, Parameters::Fields),
];

/// The number of rows of the core specification, which messages list.
const CORE: usize = 14;

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
