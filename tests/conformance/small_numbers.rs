//! Numbers of a byte or less, and bfloat16, compared with what ml_dtypes makes of them.

use serde_json::Value;
use zarr_codecs::{
    data_type::{ArrayOption, DataType},
    kernel::{Cast, small_float::Format, small_int::SmallInt},
};

const VALUES: &str = include_str!("../vectors/types/values.json");

type Convert = fn(&[u8], &mut [u8]);
type ConvertTo<Type> = fn(Type, &[u8], &mut [u8]);
type FirstUnfit<Type, Number> = fn(Type, &[u8]) -> Option<(usize, Number)>;

/// The implementations of bfloat16 under test; the second of each pair is for swapped bytes.
pub struct Bfloat16 {
    pub widen: [Convert; 2],
    pub narrow: [Convert; 2],
}

/// The bytes of the hexadecimal digits of a value.
fn hex(text: &Value) -> Vec<u8> {
    let text = text.as_str().unwrap().as_bytes();
    let digit = |byte: u8| (byte as char).to_digit(16).unwrap() as u8;
    text.chunks(2)
        .map(|pair| digit(pair[0]) << 4 | digit(pair[1]))
        .collect()
}

fn words(text: &Value) -> Vec<u32> {
    let bytes = hex(text);
    let (words, _) = bytes.as_chunks();
    words.iter().map(|&word| u32::from_le_bytes(word)).collect()
}

fn cast_of(name: &str) -> Cast {
    let ArrayOption { cast, .. } = DataType::from_name(name).unwrap().arrays[0];
    cast
}

fn converted(source: &[u8], length: usize, convert: impl Fn(&[u8], &mut [u8])) -> Vec<u8> {
    let mut target = vec![0xaa; length];
    convert(source, &mut target);
    target
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// Checks implementations of small floating-point numbers.
pub fn check_floats(
    widen: ConvertTo<Format>,
    narrow: ConvertTo<Format>,
    first_unfit: FirstUnfit<Format, f32>,
) {
    let values: Value = serde_json::from_str(VALUES).unwrap();
    let floats = values["floats"].as_object().unwrap();
    assert_eq!(floats.len(), 11);
    for (name, values) in floats {
        let Cast::SmallFloatToFloat32(format) = cast_of(name) else {
            panic!("{name}")
        };
        let codes: Vec<u8> = (0..=255).collect();
        let widened = converted(&codes, 1024, |source, target| widen(format, source, target));
        let expected = words(&values["decoded"]);
        for (code, expected) in expected.iter().enumerate() {
            let (bits, _) = widened.as_chunks();
            let (bits, name) = (u32::from_ne_bytes(bits[code]), format!("{name} {code:#x}"));
            if f32::from_bits(*expected).is_nan() {
                // NaN without payload there; with that of the code here.
                assert!(f32::from_bits(bits).is_nan(), "{name}");
                assert_eq!(bits >> 31, expected >> 31, "{name}");
            } else {
                assert_eq!(bits, *expected, "{name}");
            }
        }
        // The exact inverse: of each code without the bits that are ignored, of the NaNs too.
        let mask = 0xff
            >> (8 - if name.contains("float8") {
                8
            } else {
                bits_of(name)
            });
        let masked: Vec<u8> = codes.iter().map(|code| code & mask).collect();
        let narrowed = converted(&widened, 256, |source, target| {
            narrow(format, source, target)
        });
        assert_eq!(narrowed, masked, "{name}");

        let singles = words(&values["singles"]);
        let expected = hex(&values["codes"]);
        let unfit: Vec<u64> = values["unfit"]
            .as_array()
            .unwrap()
            .iter()
            .map(|index| index.as_u64().unwrap())
            .collect();
        let narrowed = converted(&bytes_of(&singles), singles.len(), |source, target| {
            narrow(format, source, target)
        });
        for (i, &single) in singles.iter().enumerate() {
            let number = f32::from_bits(single);
            let name = format!("{name} of {number:e}");
            let found = first_unfit(format, &single.to_ne_bytes());
            assert_eq!(found.is_some(), unfit.contains(&(i as u64)), "{name}");
            if found.is_none() {
                assert_eq!(narrowed[i], expected[i], "{name}");
            }
        }
        let found = first_unfit(format, &bytes_of(&singles));
        let first = found.map(|(index, value)| (index as u64, value.to_bits()));
        let expected = unfit.first().map(|&i| (i, singles[i as usize]));
        assert_eq!(first, expected, "{name}");

        for length in 0..70 {
            let part = converted(&codes[..length], 4 * length, |source, target| {
                widen(format, source, target);
            });
            assert_eq!(part, widened[..4 * length], "{name}, {length} numbers");
        }
    }
}

/// The bits of a type of fewer than 8.
fn bits_of(name: &str) -> u32 {
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    digits[..1].parse().unwrap()
}

/// Checks implementations of small integers.
pub fn check_integers(
    widen: ConvertTo<SmallInt>,
    narrow: ConvertTo<SmallInt>,
    first_unfit: FirstUnfit<SmallInt, i32>,
) {
    let values: Value = serde_json::from_str(VALUES).unwrap();
    let integers = values["integers"].as_object().unwrap();
    assert_eq!(integers.len(), 4);
    for (name, values) in integers {
        let Cast::SmallInt(int) = cast_of(name) else {
            panic!("{name}")
        };
        let all: Vec<u8> = (0..=255).collect();
        let widened = converted(&all, 256, |source, target| widen(int, source, target));
        assert_eq!(widened, hex(&values["decoded"]), "{name}");
        let codes = hex(&values["codes"]);
        let least = values["least"].as_i64().unwrap();
        let numbers: Vec<u8> = (0..codes.len() as i64).map(|i| (least + i) as u8).collect();
        let narrowed = converted(&numbers, codes.len(), |source, target| {
            narrow(int, source, target);
        });
        assert_eq!(narrowed, codes, "{name}");
        for byte in all {
            let fits = numbers.contains(&byte);
            assert_eq!(first_unfit(int, &[byte]).is_none(), fits, "{name} {byte}");
        }
        let last = *numbers.last().unwrap();
        let beyond = i32::from(last) + 1;
        let found = first_unfit(int, &[0, last, beyond as u8, beyond as u8]);
        assert_eq!(found, Some((2, beyond)), "{name}");
        for length in 0..70 {
            let source = super::noise(length);
            let part = converted(&source, length, |source, target| widen(int, source, target));
            let expected: Vec<u8> = source.iter().map(|&b| widened[usize::from(b)]).collect();
            assert_eq!(part, expected, "{name}, {length} numbers");
        }
    }
}

/// Checks an implementation of bfloat16.
pub fn check_bfloat16(bfloat16: &Bfloat16) {
    let halves: Vec<u16> = (0..=u16::MAX).collect();
    let singles: Vec<u32> = halves.iter().map(|&half| u32::from(half) << 16).collect();
    // Exactly, signalling NaNs too, in both directions.
    check_pair(bfloat16, &halves, &singles);
    for length in 0..70 {
        check_pair(
            bfloat16,
            &halves[0x3f80..][..length],
            &singles[0x3f80..][..length],
        );
    }
    let values: Value = serde_json::from_str(VALUES).unwrap();
    let singles = words(&values["bfloat16"]["singles"]);
    let codes = hex(&values["bfloat16"]["codes"]);
    let codes: Vec<u16> = codes
        .as_chunks()
        .0
        .iter()
        .map(|&code| u16::from_le_bytes(code))
        .collect();
    assert!(codes.len() > 4000);
    check_narrow(bfloat16, &singles, &codes);
    // NaNs do not become infinity, and keep what fits of their payload.
    let nans = [
        0x7f80_0001,
        0xff80_ffff,
        0x7fc0_0001,
        0x7fbf_ffff,
        0x7fff_ffff,
    ];
    check_narrow(bfloat16, &nans, &[0x7fc0, 0xffc0, 0x7fc0, 0x7fbf, 0x7fff]);
}

fn check_pair(bfloat16: &Bfloat16, halves: &[u16], singles: &[u32]) {
    for (swapped, widen) in bfloat16.widen.iter().enumerate() {
        let source = ordered(halves, swapped == 1);
        let widened = converted(&source, 4 * halves.len(), widen);
        assert!(widened == bytes_of(singles), "{} numbers", halves.len());
    }
    check_narrow(bfloat16, singles, halves);
}

fn check_narrow(bfloat16: &Bfloat16, singles: &[u32], halves: &[u16]) {
    for (swapped, narrow) in bfloat16.narrow.iter().enumerate() {
        let narrowed = converted(&bytes_of(singles), 2 * singles.len(), narrow);
        assert!(
            narrowed == ordered(halves, swapped == 1),
            "{} numbers",
            singles.len()
        );
    }
}

fn ordered(halves: &[u16], swapped: bool) -> Vec<u8> {
    let order = |half: u16| if swapped { half.swap_bytes() } else { half };
    halves
        .iter()
        .flat_map(|&half| order(half).to_ne_bytes())
        .collect()
}
