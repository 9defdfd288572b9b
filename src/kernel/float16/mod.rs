//! Converts IEEE 754 binary16 to binary32, exactly, and back, rounding to nearest even.
//!
//! The conversions are those of the `half` crate; NaNs become quiet and keep the upper bits of their payload.
//! With `SWAPPED`, the two bytes of each binary16 stand in the order that is not the host's.

use half::f16;

/// Converts each binary16 of `source` to a binary32 in `target`, which is twice as long.
pub fn widen<const SWAPPED: bool>(source: &[u8], target: &mut [u8]) {
    let (source, _) = source.as_chunks::<2>();
    let (target, _) = target.as_chunks_mut::<4>();
    for (to, &from) in target.iter_mut().zip(source) {
        let bits = order::<SWAPPED>(u16::from_ne_bytes(from));
        *to = f16::from_bits(bits).to_f32().to_ne_bytes();
    }
}

/// Converts each binary32 of `source` to a binary16 in `target`, which is half as long.
pub fn narrow<const SWAPPED: bool>(source: &[u8], target: &mut [u8]) {
    let (source, _) = source.as_chunks::<4>();
    let (target, _) = target.as_chunks_mut::<2>();
    for (to, &from) in target.iter_mut().zip(source) {
        let bits = f16::from_f32(f32::from_ne_bytes(from)).to_bits();
        *to = order::<SWAPPED>(bits).to_ne_bytes();
    }
}

fn order<const SWAPPED: bool>(bits: u16) -> u16 {
    if SWAPPED { bits.swap_bytes() } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bit patterns of IEEE 754-2019, table 3.5: binary16 and the binary32 of the same value.
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

    /// binary32 values between two binary16 values, and what ties to even makes of them.
    const ROUNDED: [(u32, u16); 5] = [
        (0x3f80_1000, 0x3c00), // 1 + 2^-11, halfway: down to even
        (0x3f80_3000, 0x3c02), // 1 + 3 * 2^-11, halfway: up to even
        (0x3f80_1001, 0x3c01), // just above halfway
        (0x477f_f000, 0x7c00), // 65520, halfway to beyond the largest: infinity
        (0x3300_0000, 0x0000), // 2^-25, halfway to the smallest subnormal: 0
    ];

    fn widened<const SWAPPED: bool>(bytes: [u8; 2]) -> u32 {
        let mut target = [0; 4];
        widen::<SWAPPED>(&bytes, &mut target);
        u32::from_ne_bytes(target)
    }

    fn narrowed<const SWAPPED: bool>(bits: u32) -> [u8; 2] {
        let mut target = [0; 2];
        narrow::<SWAPPED>(&bits.to_ne_bytes(), &mut target);
        target
    }

    #[test]
    fn exact_values_convert_both_ways() {
        for (half, single) in EXACT {
            assert_eq!(widened::<false>(half.to_ne_bytes()), single, "{half:04x}");
            assert_eq!(
                widened::<true>(half.swap_bytes().to_ne_bytes()),
                single,
                "{half:04x}"
            );
            assert_eq!(
                narrowed::<false>(single),
                half.to_ne_bytes(),
                "{single:08x}"
            );
            assert_eq!(
                narrowed::<true>(single),
                half.swap_bytes().to_ne_bytes(),
                "{single:08x}"
            );
        }
    }

    #[test]
    fn values_between_round_to_nearest_even() {
        for (single, half) in ROUNDED {
            assert_eq!(
                narrowed::<false>(single),
                half.to_ne_bytes(),
                "{single:08x}"
            );
        }
    }

    #[test]
    fn every_binary16_survives_the_way_there_and_back() {
        for bits in 0..=u16::MAX {
            let quiet = if f16::from_bits(bits).is_nan() {
                0x0200
            } else {
                0
            };
            let single = widened::<false>(bits.to_ne_bytes());
            assert_eq!(
                narrowed::<false>(single),
                (bits | quiet).to_ne_bytes(),
                "{bits:04x}"
            );
        }
    }
}
