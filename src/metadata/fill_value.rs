//! Reads the `fill_value` of an array into the bytes of one element.
//!
//! Specification: [core, "Fill value"](https://zarr-specs.readthedocs.io/en/latest/v3/core/#fill-value), and
//! [numpy.datetime64](https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/numpy.datetime64).

use super::{Extension, Json, Located};
use crate::{
    data_type::{DataType, TypedArray},
    error::Error,
    kernel::{Check, float16},
};
use alloc::vec::Vec;

/// NumPy's data types of time: `int64`, whose smallest value means "not a time".
const TIMES: [&str; 2] = ["numpy.datetime64", "numpy.timedelta64"];

/// Reads a fill value into the bytes of one element, each component in the byte order of this host. Both arguments are
/// members of the metadata of an array.
///
/// # Errors
/// Returns [`Error::InvalidMetadata`] for other data types, and for values that the data type does not allow.
pub fn read(data_type: &Located, fill_value: &Located) -> Result<Vec<u8>, Error> {
    let extension = Extension::read(data_type, "a data type")?;
    let is_time = TIMES.contains(&extension.name);
    let name = if is_time { "int64" } else { extension.name };
    let Some(data_type) = DataType::from_name(name) else {
        return Err(extension.invalid_name("a data type whose fill value can be read"));
    };
    match fill_value.value {
        Some(Json::String(text)) if is_time && text == "NaT" => Ok(i64::MIN.to_ne_bytes().into()),
        _ => element(&data_type, fill_value),
    }
}

/// Reads the bytes of one element.
fn element(data_type: &DataType, fill_value: &Located) -> Result<Vec<u8>, Error> {
    let is_raw = data_type.is_raw_bits();
    let mut bytes = Vec::new();
    if data_type.components == 1 && !is_raw {
        push_component(&mut bytes, data_type, fill_value)?;
        return Ok(bytes);
    }
    let count = data_type.components;
    let expected = if is_raw {
        text![
            "an array of ",
            count,
            " integers from 0 to 255, or ",
            count,
            " bytes in base64"
        ]
    } else {
        text!["an array of ", count, " components"]
    };
    if let (Some(Json::String(text)), true) = (fill_value.value, is_raw) {
        return match base64(text) {
            Some(bytes) if bytes.len() as u64 == count => Ok(bytes),
            _ => Err(fill_value.invalid(&expected)),
        };
    }
    let items = fill_value.items(&expected)?;
    if items.len() as u64 != count {
        let got = text!["an array of ", items.len()];
        return Err(fill_value.expected(&expected, got));
    }
    for item in items {
        push_component(&mut bytes, data_type, &item)?;
    }
    Ok(bytes)
}

/// Appends the bytes of one component in the byte order of this host.
fn push_component(bytes: &mut Vec<u8>, data_type: &DataType, value: &Located) -> Result<(), Error> {
    let size = usize::from(data_type.component_size);
    let bits = component(data_type, value)?;
    if cfg!(target_endian = "little") {
        bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
    } else {
        bytes.extend_from_slice(&bits.to_be_bytes()[8 - size..]);
    }
    Ok(())
}

/// Reads the bits of one component.
fn component(data_type: &DataType, value: &Located) -> Result<u64, Error> {
    use TypedArray::*;
    let size = u32::from(data_type.component_size);
    match data_type.arrays[0].array {
        _ if data_type.check == Check::Bool => match value.value {
            Some(&Json::Bool(value)) => Ok(value.into()),
            _ => Err(value.invalid("true or false")),
        },
        Float16Array | Float32Array | Float64Array => float(value, size),
        Int8Array | Int16Array | Int32Array | BigInt64Array => integer(value, size, true),
        Uint8Array | Uint8ClampedArray | Uint16Array | Uint32Array | BigUint64Array => {
            integer(value, size, false)
        }
    }
}

/// Reads the bits of an integer of `size` bytes. Integers beyond 2^53 may have been rounded when the JSON was parsed.
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
        // The conversions above saturate. `most as f64` of 64-bit integers is rounded up, out of range.
        let is_below = n < most as f64 || n == most as f64 && size < 8;
        if n == rounded && n >= least as f64 && is_below {
            return Ok(bits);
        }
    }
    Err(value.invalid(&text!["an integer from ", least, " to ", most]))
}

/// Reads the bits of a floating-point number of `size` bytes, from a number (rounded to nearest even), from the name of
/// a number that JSON cannot express, or from the bits in hexadecimal.
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
        value.invalid(&text![
            "a number in the range of float",
            bits,
            ", \"NaN\", \"Infinity\", \"-Infinity\" or \"0x\" followed by ",
            digits,
            " hexadecimal digits"
        ])
    })
}

/// Rounds a number to a floating-point number of `size` bytes and returns its bits, or `None` if it is out of range.
fn rounded(n: f64, size: u32) -> Option<u64> {
    let (bits, infinity, nan) = match size {
        2 => (binary16(n).into(), 0x7c00, 0x7e00),
        4 => ((n as f32).to_bits().into(), 0x7f80_0000, 0x7fc0_0000),
        _ => (n.to_bits(), 0x7ff0 << 48, 0x7ff8 << 48),
    };
    if n.is_nan() {
        return Some(nan); // The specification's NaN, whatever payload `n` has.
    }
    let sign = 1 << (8 * size - 1);
    (n.is_infinite() || bits & !sign != infinity).then_some(bits)
}

/// Rounds a number to the nearest binary16.
///
/// Rounds to binary32 first, to odd: rounding to nearest twice would lose on which side of a tie the number was.
/// (`half::f16::from_f64` ignores the lower half of the number.)
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

/// Reads the bits of `size` bytes from `0x`, followed by exactly two digits per byte.
fn hexadecimal(text: &str, size: u32) -> Option<u64> {
    let digits = text.strip_prefix("0x")?;
    if digits.len() != 2 * size as usize {
        return None;
    }
    let mut bits = 0;
    for digit in digits.bytes() {
        bits = bits << 4 | u64::from(char::from(digit).to_digit(16)?);
    }
    Some(bits)
}

/// Decodes base64, as RFC 4648 defines it.
fn base64(text: &str) -> Option<Vec<u8>> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.trim_end_matches('=');
    if !text.len().is_multiple_of(4) || text.len() - digits.len() > 2 {
        return None;
    }
    let mut bytes = Vec::new();
    let (mut pending, mut count) = (0, 0);
    for digit in digits.bytes() {
        let value = DIGITS.iter().position(|&other| other == digit)?;
        pending = pending << 6 | value;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((pending >> count) as u8);
            pending &= (1 << count) - 1;
        }
    }
    Some(bytes)
}
