//! Decodes every chunk written by zarr-python, tensorstore and zarrs, and encodes it again.

use serde_json::Value;
use zarr_codecs::{
    chain::{CodecChain, Options},
    metadata::ChainMetadata,
};

/// Parses hexadecimal digits.
pub fn hex(text: &Value) -> Vec<u8> {
    let text = text.as_str().unwrap().as_bytes();
    let digit = |byte: u8| (byte as char).to_digit(16).unwrap() as u8;
    text.chunks(2)
        .map(|pair| digit(pair[0]) << 4 | digit(pair[1]))
        .collect()
}

/// Checks all chunks of a file, of which there are at least `least`.
pub fn check(vectors: &str, least: usize) {
    let vectors: Value = serde_json::from_str(vectors).unwrap();
    let mut chunks = 0;
    for array in vectors["arrays"].as_array().unwrap() {
        let name = &array["name"];
        let metadata = crate::json(array["metadata"].clone());
        let metadata = ChainMetadata::from_array(&metadata, None).unwrap();
        let chain = CodecChain::resolve(&metadata, &Options::default()).unwrap();
        for chunk in array["chunks"].as_array().unwrap() {
            let (encoded, decoded) = (hex(&chunk["encoded"]), hex(&chunk["decoded"]));
            let key = &chunk["key"];
            assert_eq!(
                chain.decode(&encoded).unwrap(),
                decoded,
                "decoded {name} {key}"
            );
            assert_eq!(
                chain.encode(&decoded).unwrap(),
                encoded,
                "encoded {name} {key}"
            );
            chunks += 1;
        }
    }
    assert!(chunks >= least, "only {chunks} chunks");
}

// The decoded bytes in the vectors are little endian, as are most hosts.
#[cfg(target_endian = "little")]
#[test]
fn chunks_of_zarr_python() {
    check(include_str!("../vectors/zarr-python.json"), 134);
}

#[cfg(target_endian = "little")]
#[test]
fn chunks_of_tensorstore() {
    check(include_str!("../vectors/tensorstore.json"), 159);
}

#[cfg(target_endian = "little")]
#[test]
fn chunks_of_zarrs() {
    check(include_str!("../vectors/zarrs.json"), 168);
}
