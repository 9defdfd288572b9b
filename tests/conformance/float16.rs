//! float16, compared with bit patterns of IEEE 754-2019, table 3.5, and the `half` crate.

use half::f16;

type Convert = fn(&[u8], &mut [u8]);

/// The implementation under test; the second of each pair is for swapped bytes.
pub struct Float16 {
    pub widen: [Convert; 2],
    pub narrow: [Convert; 2],
}

/// binary16 numbers and the binary32 with the same value.
const EXACT: [(u16, u32); 9] = [
    (0x0000, 0x0000_0000), // 0
    (0x8000, 0x8000_0000), // -0
    (0x3c00, 0x3f80_0000), // 1
    (0xc000, 0xc000_0000), // -2
    (0x7bff, 0x477f_e000), // 65504, the largest
    (0x0400, 0x3880_0000), // 2^-14, the smallest normal
    (0x0001, 0x3380_0000), // 2^-24, the smallest subnormal
    (0x03ff, 0x387f_c000), // the largest subnormal
    (0xfc00, 0xff80_0000), // -infinity
];

/// binary32 numbers between two binary16, and the binary16 that they round to.
const ROUNDED: [(u32, u16); 6] = [
    (0x3f80_1000, 0x3c00), // 1 + 2^-11, halfway: down to even
    (0x3f80_3000, 0x3c02), // 1 + 3 * 2^-11, halfway: up to even
    (0x3f80_1001, 0x3c01), // just above halfway
    (0x477f_f000, 0x7c00), // 65520, halfway to beyond the largest: infinity
    (0x3300_0000, 0x0000), // 2^-25, halfway to the smallest subnormal: 0
    (0x3300_0001, 0x0001), // just above
];

/// Checks an implementation.
pub fn check(float16: &Float16) {
    for (half, single) in EXACT {
        assert_eq!(widened(float16, &[half]), [single], "{half:04x}");
        assert_eq!(narrowed(float16, &[single]), [half], "{single:08x}");
    }
    for (single, half) in ROUNDED {
        assert_eq!(narrowed(float16, &[single]), [half], "{single:08x}");
    }
    every_binary16_widens_like_half(float16);
    every_kind_of_binary32_narrows_like_half(float16);
    every_length_is_converted_completely(float16);
}

fn every_binary16_widens_like_half(float16: &Float16) {
    let halves: Vec<u16> = (0..=u16::MAX).collect();
    let expected: Vec<u32> = halves
        .iter()
        .map(|&h| f16::from_bits(h).to_f32().to_bits())
        .collect();
    assert!(widened(float16, &halves) == expected);
}

/// Every sign, exponent and upper fraction, with lower bits that decide the rounding.
fn every_kind_of_binary32_narrows_like_half(float16: &Float16) {
    /// Multiples of this odd number take every value of 19 bits once, in an order in which neighbours are unrelated.
    const SHUFFLED: u32 = 0x9e37_79b1;
    const ALL: u32 = 1 << 31;
    const TOO_LARGE: u32 = 65536_f32.to_bits();
    for low in [0, 1, 0x0fff, 0x1000, 0x1001, 0x1fff] {
        for (step, limit) in [(1, ALL), (SHUFFLED, ALL), (SHUFFLED, TOO_LARGE)] {
            let singles: Vec<u32> = (0..1 << 19)
                .map(|i: u32| (i.wrapping_mul(step) << 13) | low)
                .filter(|single| single & 0x7fff_ffff < limit)
                .collect();
            let actual = narrowed(float16, &singles);
            for (&single, actual) in singles.iter().zip(actual) {
                let expected = f16::from_f32(f32::from_bits(single)).to_bits();
                assert_eq!(actual, expected, "{single:08x}");
            }
        }
    }
}

fn every_length_is_converted_completely(float16: &Float16) {
    for length in 0..70_u16 {
        let halves: Vec<u16> = (0..length).map(|i| 0x3c00 + i).collect();
        let singles: Vec<u32> = (0..u32::from(length))
            .map(|i| 0x3f80_0000 + (i << 13))
            .collect();
        assert_eq!(widened(float16, &halves), singles);
        assert_eq!(narrowed(float16, &singles), halves);
    }
}

/// Widens in both byte orders, with the same result.
fn widened(float16: &Float16, halves: &[u16]) -> Vec<u32> {
    let run = |convert: Convert, order: fn(u16) -> u16| {
        let source: Vec<u8> = halves
            .iter()
            .flat_map(|&h| order(h).to_ne_bytes())
            .collect();
        let mut target = vec![0; 2 * source.len()];
        convert(&source, &mut target);
        let (singles, _) = target.as_chunks::<4>();
        singles
            .iter()
            .map(|&s| u32::from_ne_bytes(s))
            .collect::<Vec<_>>()
    };
    let singles = run(float16.widen[0], |half| half);
    assert!(singles == run(float16.widen[1], u16::swap_bytes));
    singles
}

/// Narrows in both byte orders, with the same result.
fn narrowed(float16: &Float16, singles: &[u32]) -> Vec<u16> {
    let run = |convert: Convert, order: fn(u16) -> u16| {
        let source: Vec<u8> = singles.iter().flat_map(|s| s.to_ne_bytes()).collect();
        let mut target = vec![0; source.len() / 2];
        convert(&source, &mut target);
        let (halves, _) = target.as_chunks::<2>();
        halves
            .iter()
            .map(|&h| order(u16::from_ne_bytes(h)))
            .collect::<Vec<_>>()
    };
    let halves = run(float16.narrow[0], |half| half);
    assert!(halves == run(float16.narrow[1], u16::swap_bytes));
    halves
}
