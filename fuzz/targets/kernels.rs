//! Kernels and their oracles: loops of one line, and the crates `crc32c` and `half`.

use super::Choices;
use zarr_codecs::kernel::{
    Permutation, adler32, boolean, byteswap, crc32, crc32c, fletcher32, float16, shuffle, transpose,
};

pub fn kernels(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let length = choices.below(65_536) % if choices.byte() < 32 { 65_536 } else { 600 };
    let start = choices.below(8);
    let split = choices.below(65_536).min(length);
    let data = choices.fill(start + length);
    let data = &data[start..]; // Also at odd addresses.
    checksums(data, split);
    swaps(data);
    floats(data);
    booleans(data);
    permutations(data, &mut choices);
}

fn checksums(data: &[u8], split: usize) {
    let (a, b) = data.split_at(split);
    let whole = ::crc32c::crc32c(data);
    for update in [
        crc32c::update,
        crc32c::table::update,
        crc32c::portable::update,
    ] {
        assert_eq!(update(0, data), whole);
        assert_eq!(update(update(0, a), b), whole);
    }
    assert_eq!(
        crc32c::combine(crc32c::update(0, a), crc32c::update(0, b), b.len() as u64),
        whole
    );
    assert_eq!(crc32::update(crc32::update(0, a), b), slow_crc32(data));
    assert_eq!(
        adler32::update(adler32::update(1, a), b),
        slow_adler32(data)
    );
    if a.len().is_multiple_of(2) {
        assert_eq!(
            fletcher32::update(fletcher32::update(0, a), b),
            fletcher32::update(0, data)
        );
    }
}

fn slow_crc32(data: &[u8]) -> u32 {
    !data.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 * (crc & 1))
        })
    })
}

fn slow_adler32(data: &[u8]) -> u32 {
    let (a, b) = data.iter().fold((1, 0), |(a, b): (u32, u32), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (a + b) % 65_521)
    });
    b << 16 | a
}

fn swaps(data: &[u8]) {
    for size in [1, 2, 4, 8] {
        let data = &data[..data.len() / size * size];
        let mut swapped = vec![0; data.len()];
        byteswap::copy_swapped_by(size, data, &mut swapped);
        let mut expected = data.to_vec();
        expected.chunks_mut(size).for_each(<[u8]>::reverse);
        assert_eq!(swapped, expected);
    }
}

fn floats(data: &[u8]) {
    let halves = data.as_chunks::<2>().0;
    let mut wide = vec![0; 4 * halves.len()];
    float16::portable::widen::<false>(halves.as_flattened(), &mut wide);
    for (half, wide) in halves.iter().zip(wide.as_chunks::<4>().0) {
        let (half, wide) = (half::f16::from_le_bytes(*half), f32::from_ne_bytes(*wide));
        assert!(
            half.to_f32() == wide || (half.is_nan() && wide.is_nan()),
            "{half:?}"
        );
    }
    let singles = data.as_chunks::<4>().0;
    let mut narrow = vec![0; 2 * singles.len()];
    float16::portable::narrow::<false>(singles.as_flattened(), &mut narrow);
    for (single, narrow) in singles.iter().zip(narrow.as_chunks::<2>().0) {
        let (single, narrow) = (
            f32::from_ne_bytes(*single),
            half::f16::from_le_bytes(*narrow),
        );
        assert!(
            half::f16::from_f32(single) == narrow || (single.is_nan() && narrow.is_nan()),
            "{single}"
        );
    }
}

fn booleans(data: &[u8]) {
    let expected = data.iter().position(|byte| *byte > 1);
    let found = boolean::first_invalid(data);
    assert_eq!(found, expected.map(|at| (at, data[at])));
    let mut normalized = vec![0; data.len()];
    boolean::copy_normalized(data, &mut normalized);
    assert!(
        data.iter()
            .zip(&normalized)
            .all(|(byte, bool)| u8::from(*byte != 0) == *bool)
    );
}

fn permutations(data: &[u8], choices: &mut Choices) {
    let component = choices.one_of(&[1, 2, 4, 8]);
    let rank = choices.below(5);
    let mut left = data.len() / component;
    let mut lengths = Vec::new();
    for _ in 0..rank {
        let length = (1 + choices.below(40)).min(left.max(1));
        left /= length;
        lengths.push(length as u32);
    }
    let mut order: Vec<u8> = (0..rank as u8).collect();
    for i in 1..rank {
        order.swap(i, choices.below(i + 1));
    }
    let count: usize = lengths.iter().map(|length| *length as usize).product();
    if count * component > data.len() {
        return;
    }
    let source = &data[..count * component];
    let permutation = Permutation::new(component, &lengths, &order);
    let (mut there, mut back) = (vec![0; source.len()], vec![0; source.len()]);
    transpose::permute(&permutation, 1, source, &mut there);
    for index in 0..count {
        let target = permutation.target_index(index as u64) as usize;
        let at = |bytes: &[u8], index: usize| bytes[index * component..][..component].to_vec();
        assert_eq!(
            at(&there, target),
            at(source, index),
            "{lengths:?} {order:?}"
        );
    }
    transpose::permute(&permutation.inverse(), 1, &there, &mut back);
    assert_eq!(back, source);

    let size = 1 + choices.below(16);
    let (mut shuffled, mut unshuffled) = (vec![0; data.len()], vec![0; data.len()]);
    shuffle::shuffle(size, data, &mut shuffled);
    shuffle::unshuffle(size, &shuffled, &mut unshuffled);
    assert_eq!(unshuffled, data);
}
