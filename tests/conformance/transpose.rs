//! Permuting dimensions: every component moves to the index with its coordinates in the other order, and its bytes are
//! reversed if need be.

use zarr_codecs::kernel::transpose::{Permutation, Transpose, permute_with};

/// Checks an implementation of the loop over a matrix.
pub fn check(transpose: Transpose) {
    for (component, swap) in [(1, 1), (2, 1), (2, 2), (4, 1), (4, 4), (8, 1), (8, 8)] {
        for (lengths, order) in cases() {
            let permutation = Permutation::new(
                component,
                &lengths
                    .iter()
                    .map(|&length| length as u32)
                    .collect::<Vec<_>>(),
                &order
                    .iter()
                    .map(|&dimension| dimension as u8)
                    .collect::<Vec<_>>(),
            );
            let elements: usize = lengths.iter().product();
            let source = bytes(elements * component);
            // The margins show whether it writes out of bounds.
            let mut target = vec![0xaa; source.len() + 32];
            permute_with(
                transpose,
                &permutation,
                swap,
                &source,
                &mut target[16..][..source.len()],
            );
            let expected = expected(&lengths, &order, component, swap, &source);
            assert!(
                target[16..][..source.len()] == expected,
                "components of {component} bytes, swap {swap}, {lengths:?} in the order {order:?}"
            );
            let margins = [&target[..16], &target[16 + source.len()..]];
            assert_eq!(margins, [&[0xaa; 16]; 2]);
        }
    }
}

/// Bytes no two neighbours of which are alike, even at distances that are powers of two.
fn bytes(length: usize) -> Vec<u8> {
    (0..length as u32)
        .map(|i| (i.wrapping_mul(0x9e37_79b1) >> 24) as u8)
        .collect()
}

/// Lengths and orders: matrices of every shape up to more than a block, units of up to many vectors, and more dimensions.
fn cases() -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut cases = Vec::new();
    for rows in [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 67, 130] {
        for columns in [1, 2, 3, 4, 6, 8, 11, 16, 19, 32, 65, 129] {
            cases.push((vec![rows, columns], vec![1, 0]));
        }
    }
    for unit in [2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 40, 300] {
        for (rows, columns) in [(2, 3), (5, 4), (17, 9)] {
            cases.push((vec![rows, columns, unit], vec![1, 0, 2]));
        }
    }
    for order in orders(4) {
        cases.push((vec![3, 17, 4, 5], order.clone()));
        cases.push((vec![16, 1, 8, 4], order));
    }
    // Steps of 4096 components on either side, to the same place of a cache.
    for lengths in [
        [67, 64, 64],
        [9, 32, 128],
        [64, 64, 33],
        [128, 32, 19],
        [64, 64, 64],
    ] {
        cases.push((lengths.to_vec(), vec![2, 1, 0]));
    }
    cases.push((vec![2; 11], vec![10, 2, 8, 1, 0, 9, 4, 3, 7, 6, 5]));
    cases.push((vec![], vec![]));
    cases
}

/// All orders of this many dimensions.
fn orders(rank: usize) -> Vec<Vec<usize>> {
    if rank == 0 {
        return vec![vec![]];
    }
    let insert = |order: Vec<usize>| {
        (0..rank).map(move |at| {
            let mut order = order.clone();
            order.insert(at, rank - 1);
            order
        })
    };
    orders(rank - 1).into_iter().flat_map(insert).collect()
}

/// Computes the target one component at a time from its coordinates.
fn expected(
    lengths: &[usize],
    order: &[usize],
    component: usize,
    swap: usize,
    source: &[u8],
) -> Vec<u8> {
    let mut target = Vec::new();
    let mut at = vec![0; order.len()];
    for _ in 0..source.len() / component {
        let mut coordinates = vec![0; order.len()];
        for (coordinate, dimension) in at.iter().zip(order) {
            coordinates[*dimension] = *coordinate;
        }
        let index = coordinates
            .iter()
            .zip(lengths)
            .fold(0, |index, (coordinate, length)| index * length + coordinate);
        let mut bytes = source[index * component..][..component].to_vec();
        if swap > 1 {
            bytes.reverse();
        }
        target.extend(bytes);
        for (coordinate, dimension) in at.iter_mut().zip(order).rev() {
            *coordinate += 1;
            if *coordinate < lengths[*dimension] {
                break;
            }
            *coordinate = 0;
        }
    }
    target
}
