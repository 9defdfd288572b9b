//! Fill values: the bytes of one element, read from the `fill_value` of an array.
//!
//! Specification: [core, "Fill value"](https://zarr-specs.readthedocs.io/en/latest/v3/core/#fill-value), and
//! [numpy.datetime64](https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/numpy.datetime64).

use crate::{
    data_type::{DataType, TypedArray},
    error::Error,
    json::{Json, Located},
    kernel::float16,
    metadata::Extension,
};
use alloc::{format, vec::Vec};

/// The times of NumPy: an `int64` whose smallest value means "not a time".
const TIMES: [&str; 2] = ["numpy.datetime64", "numpy.timedelta64"];

/// Reads the fill value of a data type, given as in the metadata of an array, into the bytes of one element, each
/// component in the byte order of this host.
pub fn read(data_type: &Located, fill_value: &Located) -> Result<Vec<u8>, Error> {
    let members = ["name", "configuration", "must_understand"];
    let extension = Extension::read(data_type, "a data type", &members)?;
    if TIMES.contains(&extension.name) {
        return time(fill_value);
    }
    match DataType::from_name(extension.name) {
        Some(data_type) => element(&data_type, fill_value),
        None => Err(extension.invalid_name("a data type whose fill value can be read")),
    }
}

fn time(fill_value: &Located) -> Result<Vec<u8>, Error> {
    let value = match fill_value.value {
        Some(Json::String(text)) if text == "NaT" => i64::MIN,
        _ => integer(fill_value, 8, true)? as i64,
    };
    Ok(value.to_ne_bytes().into())
}

fn element(data_type: &DataType, fill_value: &Located) -> Result<Vec<u8>, Error> {
    let size = usize::from(data_type.component_size);
    // In the table of data types, only r<bits> begins with an r.
    if data_type.name.starts_with('r') {
        return raw_bits(data_type.components, fill_value);
    }
    if data_type.components == 1 {
        return Ok(host_bytes(component(data_type, fill_value)?, size));
    }
    let expected = format!("an array of {} components", data_type.components);
    let mut bytes = Vec::new();
    for value in items(fill_value, data_type.components, &expected)? {
        bytes.extend(host_bytes(component(data_type, &value)?, size));
    }
    Ok(bytes)
}

/// Reads one component into its bits.
fn component(data_type: &DataType, value: &Located) -> Result<u64, Error> {
    use TypedArray::*;
    let size = u32::from(data_type.component_size);
    match data_type.array {
        _ if data_type.is_bool() => match value.value {
            Some(&Json::Bool(value)) => Ok(value.into()),
            _ => Err(value.invalid("true or false")),
        },
        Float16Array | Float32Array | Float64Array => float(value, size),
        Int8Array | Int16Array | Int32Array | BigInt64Array => integer(value, size, true),
        Uint8Array | Uint16Array | Uint32Array | BigUint64Array => integer(value, size, false),
    }
}

/// Reads an integer of `size` bytes into its bits. Beyond 2^53 it is what JSON numbers make of it.
fn integer(value: &Located, size: u32, signed: bool) -> Result<u64, Error> {
    let unused = 64 - 8 * size;
    let (least, most) = if signed {
        (i64::MIN >> unused, i64::MAX as u64 >> unused)
    } else {
        (0, u64::MAX >> unused)
    };
    if let Some(&Json::Number(n)) = value.value {
        let (bits, rounded) = if signed {
            (n as i64 as u64, n as i64 as f64)
        } else {
            (n as u64, n as u64 as f64)
        };
        // The conversions saturate. As `f64`, the largest integers of 64 bits are rounded up, out of range.
        let is_below = n < most as f64 || n == most as f64 && size < 8;
        if n == rounded && n >= least as f64 && is_below {
            return Ok(bits);
        }
    }
    Err(value.invalid(&format!("an integer from {least} to {most}")))
}

/// Reads a floating-point number of `size` bytes into its bits: a number, rounded to nearest even, the name of one that
/// JSON cannot express, or its bits in hexadecimal.
fn float(value: &Located, size: u32) -> Result<u64, Error> {
    let bits = match value.value {
        Some(&Json::Number(n)) => rounded(n, size),
        Some(Json::String(text)) => match text.as_str() {
            "NaN" => rounded(f64::NAN, size),
            "Infinity" => rounded(f64::INFINITY, size),
            "-Infinity" => rounded(f64::NEG_INFINITY, size),
            text => hexadecimal(text, size),
        },
        _ => None,
    };
    bits.ok_or_else(|| {
        let (bits, digits) = (8 * size, 2 * size);
        value.invalid(&format!(
            "a number in the range of float{bits}, \"NaN\", \"Infinity\", \"-Infinity\" or \"0x\" and {digits} hexadecimal digits"
        ))
    })
}

/// The bits of a number as a floating-point number of `size` bytes; none if it is out of range.
fn rounded(n: f64, size: u32) -> Option<u64> {
    let (bits, infinity, nan) = match size {
        2 => (binary16(n).into(), 0x7c00, 0x7e00),
        4 => ((n as f32).to_bits().into(), 0x7f80_0000, 0x7fc0_0000),
        _ => (n.to_bits(), 0x7ff0 << 48, 0x7ff8 << 48),
    };
    if n.is_nan() {
        return Some(nan); // The specification's, whichever this one is.
    }
    let sign = 1 << (8 * size - 1);
    (n.is_infinite() || bits & !sign != infinity).then_some(bits)
}

/// The bits of the nearest binary16.
///
/// By way of binary32, rounding to odd first: rounding to nearest twice would lose on which side of a tie the number is.
/// (`half::f16::from_f64` ignores the lower half of it.)
fn binary16(n: f64) -> u16 {
    let mut single = n as f32;
    let widened = f64::from(single);
    if widened != n {
        let truncated = single.to_bits() - u32::from(widened.abs() > n.abs());
        single = f32::from_bits(truncated | 1);
    }
    let mut half = [0; 2];
    float16::narrow::<false>(&single.to_ne_bytes(), &mut half);
    u16::from_ne_bytes(half)
}

/// The bits that are written as `0x` and all their digits.
fn hexadecimal(text: &str, size: u32) -> Option<u64> {
    let digits = text.strip_prefix("0x")?;
    // `from_str_radix` accepts a sign.
    let complete = digits.len() == 2 * size as usize && !digits.starts_with('+');
    complete.then(|| u64::from_str_radix(digits, 16).ok())?
}

/// The low `size` bytes of a number, in the order of this host.
fn host_bytes(bits: u64, size: usize) -> Vec<u8> {
    let mut bytes = bits.to_le_bytes()[..size].to_vec();
    if cfg!(target_endian = "big") {
        bytes.reverse();
    }
    bytes
}

/// Reads the bytes of `r<bits>`: an array of integers or, as tensorstore writes it, base64.
fn raw_bits(length: u64, fill_value: &Located) -> Result<Vec<u8>, Error> {
    let expected =
        format!("an array of {length} integers from 0 to 255, or {length} bytes in base64");
    if let Some(Json::String(text)) = fill_value.value {
        let bytes = base64(text).filter(|bytes| bytes.len() as u64 == length);
        return bytes.ok_or_else(|| fill_value.invalid(&expected));
    }
    items(fill_value, length, &expected)?
        .map(|value| integer(&value, 1, false).map(|byte| byte as u8))
        .collect()
}

/// The items of an array of this length.
fn items<'a>(
    value: &Located<'a>,
    length: u64,
    expected: &str,
) -> Result<impl Iterator<Item = Located<'a>> + use<'a>, Error> {
    let items = value.items(expected)?;
    match items.len() {
        count if count as u64 == length => Ok(items),
        count => Err(Error::metadata(
            &*value.path,
            expected,
            format!("an array of {count}"),
        )),
    }
}

/// The bytes of a text in base64, as RFC 4648 defines it.
fn base64(text: &str) -> Option<Vec<u8>> {
    if text.len() % 4 != 0 {
        return None;
    }
    let digits = text.trim_end_matches('=');
    if text.len() - digits.len() > 2 {
        return None;
    }
    let mut bytes = Vec::new();
    let (mut pending, mut count) = (0_u32, 0);
    for digit in digits.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        pending = pending << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((pending >> count) as u8);
            pending &= (1 << count) - 1;
        }
    }
    Some(bytes)
}
