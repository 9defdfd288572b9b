//! Reads the `fill_value` of an array into the bytes of one element.
//!
//! Specification: [core, "Fill value"](https://zarr-specs.readthedocs.io/en/latest/v3/core/#fill-value), and the
//! [registry](https://github.com/zarr-developers/zarr-extensions/tree/main/data-types), for each data type.

use super::{Json, Located};
use crate::{
    data_type::{DataType, Parameters, TypedArray},
    error::Error,
    kernel::{Cast, Check, bfloat16, float16},
};
use alloc::{string::String, vec::Vec};

/// Reads a fill value into the bytes of one element, each component in the byte order of this host. Both arguments are
/// members of the metadata of an array.
///
/// # Errors
/// Returns [`Error::InvalidMetadata`]: at the data type, if it is unknown or its elements are longer than 64 KiB; at the
/// fill value, if the data type does not allow it.
pub fn read(data_type: &Located, fill_value: &Located) -> Result<Vec<u8>, Error> {
    let located = data_type;
    let data_type = DataType::from_metadata(located)?;
    let size = data_type.element_size();
    if size > LONGEST_ELEMENT {
        let expected = text![
            "elements of at most ",
            LONGEST_ELEMENT,
            " bytes, of which a fill value is read"
        ];
        return Err(located.expected(&expected, text![size, " bytes"]));
    }
    let mut bytes = Vec::with_capacity(size as usize);
    push_element(&mut bytes, &data_type, fill_value)?;
    Ok(bytes)
}

/// The longest elements of which fill values are read, in bytes: the published module has a fixed memory.
const LONGEST_ELEMENT: u64 = 64 * 1024;

/// Appends the bytes of one element.
fn push_element(
    bytes: &mut Vec<u8>,
    data_type: &DataType,
    fill_value: &Located,
) -> Result<(), Error> {
    let text = match fill_value.value {
        Some(Json::String(text)) => Some(text.as_str()),
        _ => None,
    };
    match data_type.parameters {
        Parameters::Time if text == Some("NaT") => {
            bytes.extend_from_slice(&i64::MIN.to_ne_bytes());
            Ok(())
        }
        Parameters::Length if data_type.is_text() => push_text(bytes, data_type, text, fill_value),
        Parameters::Length => push_base64(bytes, data_type, text, fill_value),
        Parameters::Fields if text.is_some() && data_type.is_structured() => {
            push_base64(bytes, data_type, text, fill_value)
        }
        Parameters::Fields => {
            let names: Vec<&str> = data_type.fields.iter().map(|f| f.name.as_str()).collect();
            fill_value.check_members(&names)?;
            data_type.fields.iter().try_for_each(|field| {
                let value = fill_value.member(&field.name);
                push_element(bytes, &field.data_type, &value)
            })
        }
        _ => push_components(bytes, data_type, text, fill_value),
    }
}

/// Appends the code points of a string, and zeros up to the size of an element.
fn push_text(
    bytes: &mut Vec<u8>,
    data_type: &DataType,
    text: Option<&str>,
    fill_value: &Located,
) -> Result<(), Error> {
    let end = bytes.len() + data_type.element_size() as usize;
    for character in text.unwrap_or_default().chars() {
        bytes.extend_from_slice(&u32::from(character).to_ne_bytes());
    }
    if text.is_none() || bytes.len() > end {
        let most = data_type.components;
        return Err(fill_value.invalid(&text!["a string of at most ", most, " code points"]));
    }
    bytes.resize(end, 0);
    Ok(())
}

/// Appends the bytes of an element that are written in base64. `null_terminated_bytes` may be shorter.
fn push_base64(
    bytes: &mut Vec<u8>,
    data_type: &DataType,
    text: Option<&str>,
    fill_value: &Located,
) -> Result<(), Error> {
    let size = data_type.element_size() as usize;
    let is_padded = data_type.name == "null_terminated_bytes";
    match text.and_then(base64) {
        Some(element) if element.len() == size || is_padded && element.len() < size => {
            let end = bytes.len() + size;
            bytes.extend_from_slice(&element);
            bytes.resize(end, 0);
            Ok(())
        }
        _ => Err(fill_value.invalid(&text![size, " bytes in base64"])),
    }
}

/// Appends the components of a number or of raw bits.
fn push_components(
    bytes: &mut Vec<u8>,
    data_type: &DataType,
    text: Option<&str>,
    fill_value: &Located,
) -> Result<(), Error> {
    let is_raw = data_type.is_raw_bits();
    if data_type.components == 1 && !is_raw {
        return push_component(bytes, data_type, fill_value);
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
    if let (Some(text), true) = (text, is_raw) {
        return match base64(text) {
            Some(element) if element.len() as u64 == count => {
                bytes.extend_from_slice(&element);
                Ok(())
            }
            _ => Err(fill_value.invalid(&expected)),
        };
    }
    let items = fill_value.items(&expected)?;
    if items.len() as u64 != count {
        let got = text!["an array of ", items.len()];
        return Err(fill_value.expected(&expected, got));
    }
    for item in items {
        push_component(bytes, data_type, &item)?;
    }
    Ok(())
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
    let option = data_type.arrays[0];
    let bits = match option.cast {
        Cast::SmallInt(int) => int.bits.into(),
        _ => 8 * u32::from(data_type.component_size),
    };
    match option.array {
        _ if data_type.check == Check::Bool => match value.value {
            Some(&Json::Bool(value)) => Ok(value.into()),
            _ => Err(value.invalid("true or false")),
        },
        Float16Array | Float32Array | Float64Array => float(data_type, value),
        Int8Array | Int16Array | Int32Array | BigInt64Array => integer(value, bits, true),
        Uint8Array | Uint8ClampedArray | Uint16Array | Uint32Array | BigUint64Array => {
            integer(value, bits, false)
        }
    }
}

/// Reads an integer of this many bits. Integers beyond 2^53 may have been rounded when the JSON was parsed, the largest ones of 64
/// bits up to 2^63 or 2^64: they are read as the largest.
fn integer(value: &Located, bits: u32, signed: bool) -> Result<u64, Error> {
    let unused = 64 - bits;
    let (least, most) = if signed {
        (i64::MIN >> unused, i64::MAX as u64 >> unused)
    } else {
        (0, u64::MAX >> unused)
    };
    if let Some(&Json::Number(n)) = value.value {
        if n == most as f64 {
            return Ok(most);
        }
        // These conversions saturate.
        let (integer, rounded) = if signed {
            (n as i64 as u64, n as i64 as f64)
        } else {
            (n as u64, n as u64 as f64)
        };
        if n == rounded && (least as f64..most as f64).contains(&n) {
            return Ok(integer & u64::MAX >> unused);
        }
    }
    Err(value.invalid(&text!["an integer from ", least, " to ", most]))
}

/// Reads the bits of a floating-point number, from a number (rounded to nearest even), from the name of a number that JSON
/// cannot express, or from the bits in hexadecimal.
fn float(data_type: &DataType, value: &Located) -> Result<u64, Error> {
    let size = data_type.component_size.into();
    let cast = data_type.arrays[0].cast;
    let bits = match value.value {
        Some(&Json::Number(n)) => rounded(n, size, cast),
        Some(Json::String(text)) => match text.as_str() {
            "NaN" => rounded(f64::NAN, size, cast),
            "Infinity" => rounded(f64::INFINITY, size, cast),
            "-Infinity" => rounded(f64::NEG_INFINITY, size, cast),
            text => hexadecimal(text, size),
        },
        _ => None,
    };
    bits.ok_or_else(|| {
        let name: String = match cast {
            Cast::Nothing => text!["float", 8 * size],
            _ => (data_type.name.strip_prefix("complex_"))
                .unwrap_or(&data_type.name)
                .into(),
        };
        value.invalid(&text![
            "a number in the range of ",
            name,
            ", \"NaN\", \"Infinity\", \"-Infinity\" or \"0x\" followed by ",
            2 * size,
            " hexadecimal digits"
        ])
    })
}

/// Rounds a number to a floating-point number of `size` bytes and returns its bits, or `None` if it is out of range.
fn rounded(n: f64, size: u32, cast: Cast) -> Option<u64> {
    if let Cast::SmallFloatToFloat32(format) = cast {
        let nan = f32::from_bits(0x7fc0_0000); // The specification's NaN, whatever payload `n` has.
        let single = if n.is_nan() { nan } else { rounded_to_odd(n) };
        let code = format.rounded(single.to_bits())?;
        let is_in_range = !n.is_finite() || format.is_finite(code);
        return is_in_range.then_some(code.into());
    }
    let (bits, infinity, nan) = match (size, cast) {
        (2, Cast::Bfloat16ToFloat32) => {
            let bits = bfloat16::portable::rounded(rounded_to_odd(n).to_bits());
            (bits.into(), 0x7f80, 0x7fc0)
        }
        (2, _) => (binary16(n).into(), 0x7c00, 0x7e00),
        (4, _) => ((n as f32).to_bits().into(), 0x7f80_0000, 0x7fc0_0000),
        _ => (n.to_bits(), 0x7ff0 << 48, 0x7ff8 << 48),
    };
    if n.is_nan() {
        return Some(nan);
    }
    let sign = 1 << (8 * size - 1);
    (n.is_infinite() || bits & !sign != infinity).then_some(bits)
}

/// Rounds a number to the nearest binary16. (`half::f16::from_f64` ignores the lower half of the number.)
fn binary16(n: f64) -> u16 {
    let mut half = [0; 2];
    float16::narrow::<false>(&rounded_to_odd(n).to_ne_bytes(), &mut half);
    u16::from_ne_bytes(half)
}

/// Rounds a number to binary32, to odd: rounding to nearest twice would lose on which side of a tie the number was.
fn rounded_to_odd(n: f64) -> f32 {
    let single = n as f32;
    let widened = f64::from(single);
    if widened == n || n.is_nan() {
        return single;
    }
    let truncated = single.to_bits() - u32::from(widened.abs() > n.abs());
    f32::from_bits(truncated | 1)
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
