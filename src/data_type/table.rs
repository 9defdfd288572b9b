//! The rows of the table.

use super::{
    ArrayOption, DataType, Parameters,
    TypedArray::{self, *},
};
use crate::kernel::{
    Cast, Check,
    small_float::{Format, Specials},
    small_int::SmallInt,
};
use alloc::{borrow::Cow, vec::Vec};

/// An array that holds components without a cast.
const fn plain(array: TypedArray) -> ArrayOption {
    option("plain", array, Cast::Nothing)
}

const fn option(name: &'static str, array: TypedArray, cast: Cast) -> ArrayOption {
    ArrayOption { name, array, cast }
}

/// The arrays of single bytes. A `Uint8ClampedArray` is accepted for encoding, but never decoded to.
pub(super) const BYTES: &[ArrayOption] = &[plain(Uint8Array), plain(Uint8ClampedArray)];

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

/// Returns the arrays of a floating-point type of one byte, see [`Format`].
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

pub(super) const fn row(
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
/// `raw_bits`, for the complex numbers whose components are rows `complex`.
pub(super) static TABLE: &[DataType] = &[
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
pub(super) const CORE: usize = 14;
