//! The codecs `transpose` and `reshape`: errors in their metadata, and the blocks of long chunks.

use crate::{metadata::message, resolve};
use proptest::prelude::*;
use serde_json::{Value, json};
use zarr_codecs::{
    Error,
    chain::blocks,
    kernel::{Permutation, transpose::permute},
};

fn error(shape: Value, codecs: Value) -> String {
    message(json!("uint8"), shape, codecs)
}

fn order(order: Value) -> Value {
    json!([{ "name": "transpose", "configuration": { "order": order } }, "bytes"])
}

fn shape(shape: Value) -> Value {
    json!([{ "name": "reshape", "configuration": { "shape": shape } }, "bytes"])
}

#[test]
fn an_order_is_a_permutation_of_the_dimensions() {
    let at = "codecs[0].configuration.order";
    let list = "expected a permutation of the dimensions (an array of integers)";
    let each = "expected a permutation of the dimensions 0 to 1";
    for (codecs, expected) in [
        (
            json!(["transpose", "bytes"]),
            format!("{at}: {list}, got nothing"),
        ),
        (order(json!("C")), format!("{at}: {list}, got \"C\"")),
        (order(json!("F")), format!("{at}: {list}, got \"F\"")),
        (order(json!([0, 0])), format!("{at}[1]: {each}, got 0")),
        (order(json!([0, 2])), format!("{at}[1]: {each}, got 2")),
        (order(json!([-1, 0])), format!("{at}[0]: {each}, got -1")),
        (order(json!([0.5, 0])), format!("{at}[0]: {each}, got 0.5")),
        (
            order(json!(["1", 0])),
            format!("{at}[0]: {each}, got \"1\""),
        ),
        (
            order(json!([])),
            format!("{at}: expected a permutation of 2 dimensions, got 0"),
        ),
        (
            order(json!([1, 0, 2])),
            format!("{at}: expected a permutation of 2 dimensions, got 3"),
        ),
        (
            json!([{ "name": "transpose", "configuration": { "order": [0, 1], "ordr": 1 } }, "bytes"]),
            "codecs[0].configuration.ordr: unknown member; allowed: order".into(),
        ),
    ] {
        assert_eq!(error(json!([2, 3]), codecs), expected);
    }
    assert_eq!(
        error(json!([2]), order(json!([1, 0]))),
        format!("{at}: expected a permutation of 1 dimension, got 2")
    );
}

#[test]
fn a_shape_has_as_many_elements_and_names_dimensions_where_they_are() {
    let at = "codecs[0].configuration.shape";
    let item = "expected a positive integer, -1, or a list of dimensions";
    let increasing = "expected a dimension of the input, in increasing order over all lists";
    let place =
        "expected a list of the dimensions that are at this place of the input, got an array";
    for (shape_of_codec, expected) in [
        (
            json!(6),
            format!("{at}: expected an array of lengths, -1, or lists of dimensions, got 6"),
        ),
        (json!([0, 1]), format!("{at}[0]: {item}, got 0")),
        (json!([-2, 3]), format!("{at}[0]: {item}, got -2")),
        (json!([1.5]), format!("{at}[0]: {item}, got 1.5")),
        (json!(["6"]), format!("{at}[0]: {item}, got \"6\"")),
        (
            json!([-1, 2, -1]),
            format!("{at}[2]: expected -1 only once, got it again"),
        ),
        (
            json!([25]),
            format!("{at}: expected 24 elements, as in the input, got 25"),
        ),
        (
            json!([]),
            format!("{at}: expected 24 elements, as in the input, got 1"),
        ),
        (
            json!([7, -1]),
            format!("{at}: expected a divisor of 24 elements, as in the input, got 7"),
        ),
        (
            json!([[1], [0], 4]),
            format!("{at}[1][0]: {increasing}, got 0"),
        ),
        (
            json!([[0, 0], 12]),
            format!("{at}[0][1]: {increasing}, got 0"),
        ),
        (
            json!([[-1], 12]),
            format!("{at}[0][0]: {increasing}, got -1"),
        ),
        (
            json!([[3], 24]),
            format!("{at}[0][0]: expected one of the 3 dimensions of the input, got 3"),
        ),
        (json!([[1], 2, 4]), format!("{at}[0]: {place}")),
        (json!([12, [0]]), format!("{at}[1]: {place}")),
        (json!([[0, 2], 3]), format!("{at}[0]: {place}")),
    ] {
        assert_eq!(error(json!([2, 3, 4]), shape(shape_of_codec)), expected);
    }
}

#[test]
fn array_to_array_codecs_come_first() {
    let transposed = json!({ "name": "transpose", "configuration": { "order": [0] } });
    let rule = "expected array-to-array codecs before all others, got the array-to-array codec \"transpose\"";
    assert_eq!(
        error(json!([2]), json!(["bytes", transposed])),
        format!("codecs[1]: {rule} after an array-to-bytes codec")
    );
    let rule = "expected exactly one array-to-bytes codec, before all bytes-to-bytes codecs, got";
    assert_eq!(
        error(json!([2]), json!([transposed, "crc32c"])),
        format!(
            "codecs[1]: {rule} the bytes-to-bytes codec \"crc32c\" after an array-to-array codec"
        )
    );
    assert_eq!(
        error(json!([2]), json!([transposed])),
        format!("codecs: {rule} only array-to-array codecs")
    );
}

#[test]
fn invalid_elements_have_their_index_in_c_order() {
    let codecs = order(json!([1, 0]));
    let chain = resolve(json!({ "dataType": "bool", "shape": [2, 3], "codecs": codecs })).unwrap();
    // Elements 3 and 1 in C order.
    let expected = Error::InvalidElement {
        problem: "bool element 1 is 9, expected 0 or 1".into(),
        index: 1,
        value: 9.0,
    };
    assert_eq!(chain.decode(&[0, 7, 9, 0, 0, 0]).unwrap_err(), expected);
    assert_eq!(chain.encode(&[0, 9, 0, 7, 0, 0]).unwrap_err(), expected);
}

#[test]
fn strides_are_those_of_an_array_without_gaps() {
    let chain =
        resolve(json!({ "dataType": "uint8", "shape": [2, 3, 1], "codecs": ["bytes"] })).unwrap();
    for stride in [&[3, 1, 1], &[1, 2, 6], &[3, 1, 99]] {
        assert!(chain.layout(stride).is_some(), "{stride:?}");
    }
    for stride in [
        &[3, 1][..],
        &[1, 1, 1],
        &[1, 3, 1],
        &[6, 2, 1],
        &[3, 1, 1, 1],
    ] {
        assert!(chain.layout(stride).is_none(), "{stride:?}");
    }
}

#[test]
fn blocks_have_no_strides_of_a_power_of_two_where_others_are_as_good() {
    let permutation = Permutation::new(4, &[64, 64, 64], &[2, 1, 0]);
    let lengths = blocks::lengths_of_blocks(&permutation, 65536);
    assert_eq!(lengths[..3], [64, 13, 64]);
}

proptest! {
    #[test]
    fn blocks_are_the_whole_array(
        lengths in prop::collection::vec(1..9_u32, 1..5),
        seed in any::<u64>(),
        capacity in 1..300_u32,
    ) {
        let mut order: Vec<u8> = (0..lengths.len() as u8).collect();
        for i in 1..order.len() {
            order.swap(i, (seed >> (4 * i)) as usize % (i + 1));
        }
        let permutation = Permutation::new(1, &lengths, &order);
        let source: Vec<u8> = (0..permutation.byte_length()).map(|i| ((i * 31) >> 2) as u8).collect();
        let mut expected = vec![0; source.len()];
        permute(&permutation, 1, &source, &mut expected);

        let mut target = vec![0; source.len()];
        let mut seen = 0;
        let lengths = blocks::lengths_of_blocks(&permutation, capacity);
        for index in 0..blocks::count(&permutation, &lengths) {
            let block = blocks::block(&permutation, &lengths, index);
            let mut gathered = Vec::new();
            block.source.for_each(1, |start| gathered.extend_from_slice(&source[start..][..block.source.length]));
            prop_assert!(gathered.len() <= capacity as usize);
            for runs in [&block.source, &block.target] {
                prop_assert_eq!(runs.count * runs.length, gathered.len());
            }
            let mut converted = vec![0; gathered.len()];
            permute(&block.permutation, 1, &gathered, &mut converted);
            let mut runs = converted.chunks(block.target.length);
            block.target.for_each(1, |start| {
                target[start..][..block.target.length].copy_from_slice(runs.next().unwrap());
            });
            seen += gathered.len();
        }
        prop_assert_eq!(seen, source.len());
        prop_assert_eq!(target, expected);
    }
}
