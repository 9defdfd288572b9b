//! Metadata to a resolved chain: an error with a path or a chain whose numbers agree.

use super::{Choices, json, resolve};
use serde_json::{Map, Value, json as object};
use zarr_codecs::{
    Error,
    chain::{CodecChain, Options},
    metadata::{ChainMetadata, Endian, Located, fill_value},
};

/// The first byte decides: JSON as text, of an array or of a chain, or a value of these words.
pub fn metadata(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let kind = choices.byte();
    let options = Options {
        missing_endian: [None, Some(Endian::Little), Some(Endian::Big)][usize::from(kind >> 2) % 3],
        accept_invalid_bool: kind & 0x10 != 0,
        small_float_bits: kind & 0x08 != 0,
        array: (kind & 0x20 != 0).then(|| "Uint16Array".into()),
        loads: kind & 0x40 != 0,
        external: Vec::new(),
    };
    let value = match kind % 2 {
        0 => serde_json::from_slice(choices.0).unwrap_or_default(),
        _ => {
            object!({ "dataType": data_type(&mut choices), "shape": shape(&mut choices), "codecs": codecs(&mut choices) })
        }
    };
    check(resolve(value.clone(), &options));
    let array = json(value);
    check(
        ChainMetadata::from_array(&array, None)
            .and_then(|metadata| CodecChain::resolve(&metadata, &options)),
    );
    let at = |path| Located::at(path, Some(&array));
    check_error(fill_value::read(&at("data_type"), &at("fill_value")).err());
}

fn check(outcome: Result<CodecChain, Error>) {
    let chain = match outcome {
        Err(error) => return check_error(Some(error)),
        Ok(chain) => chain,
    };
    for stride in [&[][..], &[1], &[1, 2], &[u64::MAX; 3]] {
        let _ = chain.layout(stride);
    }
}

fn check_error(error: Option<Error>) {
    match error {
        None => {}
        Some(Error::InvalidMetadata { path, problem }) => {
            assert!(!problem.is_empty(), "{path}");
        }
        Some(other) => panic!("metadata with the error {other}"),
    }
}

fn data_type(choices: &mut Choices) -> Value {
    let name = choices.one_of(&[
        "bool",
        "int8",
        "uint16",
        "float16",
        "float32",
        "int64",
        "complex64",
        "complex128",
        "r8",
        "r24",
        "r0",
        "r7",
        "numpy.datetime64",
        "string",
    ]);
    match choices.byte() % 8 {
        0 => object!({ "name": name, "configuration": configuration(choices) }),
        1 => any(choices, 2),
        _ => name.into(),
    }
}

fn shape(choices: &mut Choices) -> Value {
    match choices.byte() % 8 {
        0 => any(choices, 2),
        1 => object!([4_294_967_296_u64, choices.word()]),
        _ => (0..choices.below(5))
            .map(|_| Value::from(choices.byte()))
            .collect(),
    }
}

fn codecs(choices: &mut Choices) -> Value {
    (0..choices.below(5)).map(|_| codec(choices)).collect()
}

fn codec(choices: &mut Choices) -> Value {
    let name = choices.one_of(&[
        "bytes",
        "endian",
        "crc32c",
        "transpose",
        "reshape",
        "numcodecs.shuffle",
        "numcodecs.crc32",
        "numcodecs.adler32",
        "numcodecs.fletcher32",
        "gzip",
        "sharding_indexed",
    ]);
    match choices.byte() % 8 {
        0 => name.into(),
        1 => any(choices, 3),
        2 => {
            object!({ "name": name, "must_understand": choices.bool(), "configuration": configuration(choices) })
        }
        _ => object!({ "name": name, "configuration": configuration(choices) }),
    }
}

fn configuration(choices: &mut Choices) -> Value {
    let mut members = Map::new();
    for _ in 0..choices.below(4) {
        let name = choices.one_of(&[
            "endian",
            "order",
            "shape",
            "elementsize",
            "location",
            "unit",
            "scale_factor",
        ]);
        let value = match choices.byte() % 4 {
            0 => any(choices, 2),
            1 => (0..choices.below(5))
                .map(|_| Value::from(choices.byte() % 5))
                .collect(),
            2 => choices.byte().into(),
            _ => choices
                .one_of(&["little", "big", "start", "end", "s"])
                .into(),
        };
        members.insert(name.into(), value);
    }
    members.into()
}

fn any(choices: &mut Choices, depth: usize) -> Value {
    match choices.byte() % if depth == 0 { 6 } else { 8 } {
        0 => Value::Null,
        1 => choices.bool().into(),
        2 => choices.byte().into(),
        3 => object!(f64::from(choices.word()) / 256.0 - 1000.0),
        4 => choices
            .one_of(&["", "\u{10ffff}", "NaN", "-Infinity", "0x7fc00000", "auto"])
            .into(),
        5 => object!(1e300),
        6 => (0..choices.below(4))
            .map(|_| any(choices, depth - 1))
            .collect(),
        _ => (0..choices.below(4))
            .map(|_| (choices.byte().to_string(), any(choices, depth - 1)))
            .collect(),
    }
}
