//! Integers of fewer than 8 bits, one per byte. The bits above are ignored when decoding, and 0 when encoding.

/// A type of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallInt {
    /// The number of bits.
    pub bits: u8,
    /// Whether the highest of them is the sign.
    pub signed: bool,
}

impl SmallInt {
    /// Packs the type into 4 bits.
    pub const fn to_bits(self) -> u32 {
        self.bits as u32 | (self.signed as u32) << 3
    }

    /// Unpacks 4 bits from [`Self::to_bits`].
    pub const fn from_bits(bits: u32) -> Self {
        Self {
            bits: (bits & 7) as u8,
            signed: bits & 8 != 0,
        }
    }

    /// Returns the least and the greatest integer.
    pub const fn range(self) -> (i32, i32) {
        let count = 1 << self.bits;
        if self.signed {
            (-count / 2, count / 2 - 1)
        } else {
            (0, count - 1)
        }
    }

    /// Returns the integer that a byte of an array is.
    const fn value(self, byte: u8) -> i32 {
        if self.signed {
            byte as i8 as i32
        } else {
            byte as i32
        }
    }
}

/// Copies each byte of `source` to `target`, with the bits above the integer as those of its sign.
#[inline(never)]
pub fn widen(int: SmallInt, source: &[u8], target: &mut [u8]) {
    // The sign is subtracted where it stands, and so extends to the bits above.
    let sign = if int.signed { 1 << (int.bits - 1) } else { 0 };
    masked((1 << int.bits) - 1, sign, source, target);
}

/// Copies each byte of `source` to `target`, without the bits above the integer.
pub fn narrow(int: SmallInt, source: &[u8], target: &mut [u8]) {
    masked((1 << int.bits) - 1, 0, source, target);
}

#[cfg(target_feature = "simd128")]
#[inline(never)]
fn masked(mask: u8, sign: u8, source: &[u8], target: &mut [u8]) {
    use crate::vector::{in_steps, load, store};
    use core::arch::wasm32::{u8x16_splat, u8x16_sub, v128_and, v128_xor};
    let (mask, sign) = (u8x16_splat(mask), u8x16_splat(sign));
    in_steps(source, target, |source, target| {
        for (to, from) in target.iter_mut().zip(source) {
            store(
                to,
                u8x16_sub(v128_xor(v128_and(load(from), mask), sign), sign),
            );
        }
    });
}

#[cfg(not(target_feature = "simd128"))]
fn masked(mask: u8, sign: u8, source: &[u8], target: &mut [u8]) {
    for (to, from) in target.iter_mut().zip(source) {
        *to = ((from & mask) ^ sign).wrapping_sub(sign);
    }
}

/// Returns the index of the first byte of an array that is not an integer of the type, and the integer that it is.
pub fn first_unfit(int: SmallInt, array: &[u8]) -> Option<(usize, i32)> {
    let (least, greatest) = int.range();
    let index = array
        .iter()
        .position(|&byte| !(least..=greatest).contains(&int.value(byte)))?;
    Some((index, int.value(array[index])))
}
