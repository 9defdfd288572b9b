//! Decodes every chunk written by zarr-python, tensorstore and zarrs, and encodes it again.

use crate::guard::chunks::hex;
use serde_json::Value;
use zarr_codecs::{
    chain::{CodecChain, Options},
    metadata::ChainMetadata,
};

/// Checks all chunks of a file, of which there are at least `least`.
pub fn check(vectors: &str, least: usize) {
    check_all(&serde_json::from_str(vectors).unwrap(), least, Order::Ours);
}

fn check_all(vectors: &Value, least: usize, order: Order) {
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
            let again = chain.encode(&decoded).unwrap();
            match order {
                // The inner chunks may be in another order.
                Order::Any => assert_eq!(chain.decode(&again).unwrap(), decoded),
                Order::Ours => assert_eq!(again, encoded, "encoded {name} {key}"),
            }
            chunks += 1;
        }
    }
    assert!(chunks >= least, "only {chunks} chunks");
}

/// The order in which a writer stores the inner chunks of a shard.
enum Order {
    Any,
    Ours,
}

/// Returns whether an array's codecs, those of inner chunks too, are all of this crate.
fn is_own(codecs: &Value) -> bool {
    codecs.as_array().unwrap().iter().all(|codec| {
        let inner = &codec["configuration"]["codecs"];
        match codec["name"].as_str().unwrap() {
            "sharding_indexed" => is_own(inner),
            name => zarr_codecs::codec::definitions().any(|codec| codec.name == name),
        }
    })
}

/// Checks the chunks of a file whose codecs are all of this crate.
fn check_own(vectors: &str, least: usize, order: Order) {
    let mut vectors: Value = serde_json::from_str(vectors).unwrap();
    let arrays = vectors["arrays"].as_array_mut().unwrap();
    arrays.retain(|array| is_own(&array["metadata"]["codecs"]));
    check_all(&vectors, least, order);
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

#[cfg(target_endian = "little")]
#[test]
fn shards() {
    let (any, ours) = (Order::Any, Order::Ours);
    check_own(include_str!("../vectors/shards/zarr-python.json"), 45, any);
    check_own(
        include_str!("../vectors/shards/tensorstore.json"),
        45,
        Order::Any,
    );
    check_own(include_str!("../vectors/shards/zarrs.json"), 45, ours);
}

#[cfg(target_endian = "little")]
#[test]
fn chains() {
    for (vectors, least) in [
        (include_str!("../vectors/chains/zarr-python.json"), 101),
        (include_str!("../vectors/chains/tensorstore.json"), 88),
        (include_str!("../vectors/chains/zarrs.json"), 93),
    ] {
        check_own(vectors, least, Order::Ours);
    }
}
