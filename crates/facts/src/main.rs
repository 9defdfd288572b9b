//! Prints `js/generated/facts.ts`: what TypeScript needs to know at compile time of the tables in `src/`, or without
//! loading the module.

use zarr_codecs::{
    chain::little_endian_views,
    codec::CODECS,
    data_type::{DataType, TypedArray},
    kernel::checksum::CHECKSUM_SIZE,
};

fn main() {
    println!("// Written by `npm run build` from the tables in src/.\n");
    println!("import type {{ HostFloat16Array, TypedArrayName }} from \"../typed-array.js\";\n");
    println!("/** The arrays that each data type can decode to, over memory `B`. */");
    println!("export interface ArrayTypes<B extends ArrayBufferLike> {{");
    for data_type in DataType::all() {
        println!("  {}: {};", data_type.name, arrays(&data_type));
    }
    println!("}}\n");
    println!(
        "/** The data types whose little-endian payload is, on a little-endian host, the memory of an array. */"
    );
    println!("export const VIEWS: Readonly<Record<string, TypedArrayName>> = {{");
    for (name, array) in little_endian_views() {
        println!("  {name}: \"{array:?}\",");
    }
    println!("}};\n");
    let names: Vec<_> = CODECS.iter().map(|codec| codec.name).collect();
    println!("/** The names of this package's codecs in metadata, aliases included. */");
    println!("export const CODEC_NAMES: readonly string[] = {names:?};\n");
    println!("/** The length of a checksum in bytes. */");
    println!("export const CHECKSUM_LENGTH = {CHECKSUM_SIZE};");
}

/// The union of the arrays that chunks of a data type can be decoded to.
fn arrays(data_type: &DataType) -> String {
    let mut names = Vec::new();
    for option in data_type.arrays {
        let name = match option.array {
            TypedArray::Float16Array => "HostFloat16Array<B>".to_owned(),
            // Only encoded from.
            TypedArray::Uint8ClampedArray => continue,
            array => format!("{array:?}<B>"),
        };
        names.push(name);
    }
    names.join(" | ")
}
