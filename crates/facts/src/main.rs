//! Prints `js/generated/facts.ts`: the facts from the tables in `src/` that TypeScript needs at compile time, or before
//! it loads the module.

use zarr_codecs::{
    chain::{LONGEST_CHUNK, little_endian_views},
    codec::{
        Definition, Kind,
        array_to_bytes::sharding_indexed,
        bytes_to_bytes::{crc32c, numcodecs_checksum},
        definitions,
    },
    data_type::{DataType, Parameters, TypedArray},
    guard::{LONGEST_DECODED, LONGEST_UNKNOWN},
    kernel::{Cast, checksum::CHECKSUM_SIZE},
};

fn main() {
    println!("// Written by `npm run build` from the tables in src/.\n");
    println!("import type {{ HostFloat16Array, TypedArrayName }} from \"../host-arrays.js\";\n");
    println!("/** The arrays that chunks of each data type can be decoded to, over memory `B`. */");
    println!("export interface ArrayTypes<B extends ArrayBufferLike> {{");
    for data_type in DataType::all() {
        println!("  {}: {};", quoted(&data_type.name), arrays(&data_type));
    }
    println!("}}\n");
    println!(
        "/** For data types whose little-endian payload a little-endian host can view as an array: that array. */"
    );
    println!("export const VIEWS: Readonly<Record<string, TypedArrayName>> = {{");
    for (name, array) in little_endian_views() {
        println!("  {}: \"{array:?}\",", quoted(&name));
    }
    println!("}};\n");
    print_shown();
    println!("/** The names of this package's codecs in metadata, including aliases. */");
    print_names("OWN_CODEC_NAMES", definitions());
    println!("/** Those that encode to bytes, except `sharding_indexed`. */");
    let to_bytes = |codec: &&Definition| codec.kind != Kind::ArrayToArray && !is_sharding(codec);
    print_names("CODEC_NAMES", definitions().filter(to_bytes));
    println!("/** The codec `bytes` of this package. */");
    let to_bytes = |codec: &&Definition| codec.kind == Kind::ArrayToBytes && !is_sharding(codec);
    print_names("BYTES_NAMES", definitions().filter(to_bytes));
    println!("/** Those that store a checksum of all bytes that they encode. */");
    let checksums = [crc32c::DEFINITIONS, numcodecs_checksum::DEFINITIONS];
    print_names("CHECKSUM_NAMES", checksums.into_iter().flatten());
    println!("/** The length of a stored checksum in bytes. */");
    println!("export const CHECKSUM_LENGTH = {CHECKSUM_SIZE};\n");
    println!("/** The length of the longest chunk, encoded or decoded, in bytes. */");
    println!("export const LONGEST_CHUNK = {LONGEST_CHUNK};\n");
    println!("/** That of the longest one that the decoders decode. */");
    println!("export const LONGEST_DECODED = {LONGEST_DECODED};\n");
    println!("/** That of the longest decoded one, if the metadata do not tell its length. */");
    println!("export const LONGEST_UNKNOWN = {LONGEST_UNKNOWN};");
}

/// Prints how data types differ from those of one plain component: `a` if an element of the array has an axis of its own,
/// `c` if components are converted, `p` if there is a configuration.
fn print_shown() {
    println!(
        "/** For data types other than those and `bool`: `a` if an element has several components or may have, `c` if they are converted, `p` if the data type has a configuration. */"
    );
    println!("export const OTHER_TYPES: Readonly<Record<string, string>> = {{");
    let views: Vec<_> = little_endian_views().map(|(name, _)| name).collect();
    for data_type in DataType::all() {
        let name = &*data_type.name;
        if name == "bool" || views.iter().any(|view| view == name) {
            continue;
        }
        let (parameters, default) = (data_type.parameters, data_type.arrays[0]);
        let has_axis = data_type.components > 1
            || matches!(parameters, Parameters::Length | Parameters::Fields);
        let is_converted = default.cast != Cast::Nothing
            || default.array == TypedArray::Float16Array
            || parameters == Parameters::Fields;
        let flags = [
            (has_axis, "a"),
            (is_converted, "c"),
            (parameters != Parameters::None, "p"),
        ];
        let flags: String = flags
            .iter()
            .filter(|flag| flag.0)
            .map(|flag| flag.1)
            .collect();
        println!("  {}: {flags:?},", quoted(name));
    }
    println!("}};\n");
}

/// Prints the names of codecs.
fn print_names(constant: &str, codecs: impl Iterator<Item = &'static Definition>) {
    let names: Vec<_> = codecs.map(|codec| codec.name).collect();
    println!("export const {constant}: readonly string[] = {names:?};\n");
}

/// Returns a name as that of a property.
fn quoted(name: &str) -> String {
    if name.contains('.') {
        format!("{name:?}")
    } else {
        name.to_owned()
    }
}

/// Returns whether this is `sharding_indexed`, for which zarrita has code of its own.
fn is_sharding(codec: &Definition) -> bool {
    codec.name == sharding_indexed::NAME
}

/// Returns the union type of the arrays that chunks of a data type can be decoded to.
fn arrays(data_type: &DataType) -> String {
    let mut names = Vec::new();
    for option in data_type.arrays {
        let name = match option.array {
            TypedArray::Float16Array => "HostFloat16Array<B>".to_owned(),
            // Accepted for encoding only.
            TypedArray::Uint8ClampedArray => continue,
            array => format!("{array:?}<B>"),
        };
        names.push(name);
    }
    names.join(" | ")
}
