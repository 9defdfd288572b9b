//! What `transpose` and `reshape` do to the elements of an array, and how arrays with other strides are described.

use crate::resolve;
use proptest::prelude::*;
use serde_json::{Value, json};
use zarr_codecs::{chain::CodecChain, kernel::Permutation};

/// An array whose elements are moved one by one.
#[derive(Clone, Debug)]
struct Moved {
    shape: Vec<usize>,
    elements: Vec<u16>,
}

impl Moved {
    fn new(shape: &[usize]) -> Self {
        let count: usize = shape.iter().product();
        Self {
            shape: shape.to_vec(),
            elements: (0..count as u16).collect(),
        }
    }

    /// Dimension `i` of the result is dimension `order[i]`.
    fn transposed(&self, order: &[usize]) -> Self {
        let shape: Vec<usize> = order.iter().map(|axis| self.shape[*axis]).collect();
        let mut result = Self::new(&shape);
        for (index, element) in result.elements.iter_mut().enumerate() {
            let mut rest = index;
            let mut at = vec![0; shape.len()];
            for (dimension, axis) in order.iter().enumerate().rev() {
                at[*axis] = rest % shape[dimension];
                rest /= shape[dimension];
            }
            let source = at
                .iter()
                .zip(&self.shape)
                .fold(0, |source, (at, length)| source * length + at);
            *element = self.elements[source];
        }
        result
    }

    fn bytes(&self) -> Vec<u8> {
        self.elements
            .iter()
            .copied()
            .flat_map(u16::to_ne_bytes)
            .collect()
    }
}

fn transpose(order: &[usize]) -> Value {
    json!({ "name": "transpose", "configuration": { "order": order } })
}

fn reshape(shape: &Value) -> Value {
    json!({ "name": "reshape", "configuration": { "shape": shape } })
}

fn chain(data_type: &str, shape: &[usize], codecs: &[Value]) -> CodecChain {
    let mut codecs = codecs.to_vec();
    codecs.push(json!({ "name": "bytes", "configuration": { "endian": "little" } }));
    resolve(json!({ "dataType": data_type, "shape": shape, "codecs": codecs })).unwrap()
}

/// Returns the factors of a number in an order that a seed chooses.
fn factors(mut number: usize, mut seed: usize) -> Vec<usize> {
    let mut factors = Vec::new();
    for prime in [2, 3, 5, 7] {
        while number.is_multiple_of(prime) {
            factors.push(prime);
            number /= prime;
        }
    }
    for i in (1..factors.len()).rev() {
        factors.swap(i, seed % (i + 1));
        seed /= i + 1;
    }
    // Joins some of them.
    let mut joined = vec![1];
    for factor in factors {
        match seed % 2 {
            0 => *joined.last_mut().unwrap() *= factor,
            _ => joined.push(factor),
        }
        seed = seed / 2 + 7 * factor;
    }
    joined
}

/// Returns the permutation of `rank` dimensions with this number.
fn permutation(rank: usize, mut number: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rank).collect();
    for i in (1..rank).rev() {
        order.swap(i, number % (i + 1));
        number /= i + 1;
    }
    order
}

proptest! {
    #[test]
    fn elements_move_as_one_by_one(
        shape in prop::collection::vec(prop::sample::select(vec![1, 2, 3, 4, 5, 6, 7]), 0..5),
        codecs in prop::collection::vec((any::<bool>(), 0..10_000_usize), 0..5),
    ) {
        let decoded = Moved::new(&shape);
        let mut encoded = decoded.clone();
        let mut names = Vec::new();
        for (is_transpose, seed) in codecs {
            if is_transpose {
                let order = permutation(encoded.shape.len(), seed);
                encoded = encoded.transposed(&order);
                names.push(transpose(&order));
            } else {
                encoded.shape = factors(encoded.elements.len(), seed);
                names.push(reshape(&json!(encoded.shape)));
            }
        }
        let chain = chain("uint16", &shape, &names);
        let bytes: Vec<u8> = encoded.elements.iter().copied().flat_map(u16::to_le_bytes).collect();
        prop_assert_eq!(chain.encode(&decoded.bytes()), Ok(bytes.clone()));
        prop_assert_eq!(chain.decode(&bytes), Ok(decoded.bytes()));
    }
}

#[test]
fn lengths_of_a_reshape_are_inferred() {
    let shape = [2, 3, 4];
    for (lengths, expected) in [
        (json!([-1]), vec![24]),
        (json!([4, -1]), vec![4, 6]),
        (json!([-1, 12]), vec![2, 12]),
        (json!([24, -1]), vec![24, 1]),
        (json!([[0], [1, 2]]), vec![2, 12]),
        (json!([[0, 1], [2]]), vec![6, 4]),
        (json!([2, [1], -1]), vec![2, 3, 4]),
        (json!([1, [0], 1, [1], 2, -1]), vec![1, 2, 1, 3, 2, 2]),
        (json!([[0, 1, 2]]), vec![24]),
    ] {
        // A transpose shows what the lengths are.
        let reversed: Vec<usize> = (0..expected.len()).rev().collect();
        let mut moved = Moved::new(&shape);
        moved.shape = expected;
        let chain = chain("uint16", &shape, &[reshape(&lengths), transpose(&reversed)]);
        let encoded = chain.encode(&Moved::new(&shape).bytes()).unwrap();
        let moved = moved.transposed(&reversed);
        let expected: Vec<u8> = moved
            .elements
            .into_iter()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(encoded, expected, "{lengths}");
    }
}

#[test]
fn the_stored_order_has_strides_where_axes_are_whole() {
    for (shape, codecs, expected) in [
        (
            vec![2, 3, 4],
            vec![transpose(&[2, 0, 1])],
            Some(vec![3, 1, 6]),
        ),
        (
            vec![2, 3, 4],
            vec![transpose(&[2, 1, 0])],
            Some(vec![1, 2, 6]),
        ),
        (
            vec![2, 1, 4],
            vec![transpose(&[2, 1, 0])],
            Some(vec![1, 1, 2]),
        ),
        // In C order already.
        (vec![2, 3, 4], vec![transpose(&[0, 1, 2])], None),
        // Splits and joins again.
        (
            vec![6, 5],
            vec![reshape(&json!([2, 3, 5])), transpose(&[2, 0, 1])],
            Some(vec![1, 6]),
        ),
        // The parts of an axis are apart.
        (
            vec![6, 5],
            vec![reshape(&json!([2, 3, 5])), transpose(&[0, 2, 1])],
            None,
        ),
        (
            vec![6, 5],
            vec![reshape(&json!([2, 3, 5])), transpose(&[1, 0, 2])],
            None,
        ),
        // Two permutations in turn.
        (
            vec![4, 6],
            vec![
                transpose(&[1, 0]),
                reshape(&json!([8, 3])),
                transpose(&[1, 0]),
            ],
            None,
        ),
    ] {
        let chain = chain("uint16", &shape, &codecs);
        let stored = chain.array_step().stored.as_ref();
        let stride = stored.map(|stored| stored.stride.clone());
        assert_eq!(stride, expected, "{shape:?} {codecs:?}");
        if let Some(stored) = stored {
            // The array has the bytes of the payload.
            assert!(stored.forms[0].permutation.is_none() && stored.forms[0].is_view);
        }
    }
}

#[test]
fn forms_know_their_permutation() {
    let words = |permutation: &Permutation| {
        let mut words = Vec::new();
        permutation.push_words(&mut words);
        words
    };
    let codecs = [
        transpose(&[1, 0]),
        reshape(&json!([8, 3])),
        transpose(&[1, 0]),
    ];
    let of = |data_type: &str| chain(data_type, &[4, 6], &codecs);
    for data_type in ["uint16", "complex64"] {
        let chain = of(data_type);
        let form = &chain.array_step().forms[0];
        let next = form.next.as_deref().expect("a second permutation");
        assert!(!form.is_view && !next.is_view && next.next.is_none());
        // The second moves what the first has decoded.
        assert_eq!(next.byte_length, form.byte_length);
        assert!(form.payload_order.is_empty() && form.array_order.is_empty());
    }
    // The order of elements is known where they are checked.
    let chain = of("bool");
    let form = &chain.array_step().forms[0];
    let mut expected = words(&form.permutation.unwrap());
    expected.extend(words(&form.next.as_deref().unwrap().permutation.unwrap()));
    assert_eq!(form.payload_order, expected);
    assert!(form.array_order.is_empty());
    let stride = [1, 4];
    let layout = chain.layout(&stride).unwrap();
    assert_eq!(layout.forms[0].payload_order, expected);
    let reversed = Permutation::new(1, &[6, 4], &[1, 0]);
    assert_eq!(layout.forms[0].array_order, words(&reversed));
}
