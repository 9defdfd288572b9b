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
    pub fn range(self) -> (f32, f32) {
        let count = f32::from(1_u8 << self.bits);
        if self.signed {
            (-count / 2.0, count / 2.0 - 1.0)
        } else {
            (0.0, count - 1.0)
        }
    }

    /// Returns the bits of an integer, and the one that is its sign.
    const fn mask_and_sign(self) -> (u8, u8) {
        let sign = if self.signed { 1 << (self.bits - 1) } else { 0 };
        ((1 << self.bits) - 1, sign)
    }
}

/// Copies each byte of `source` to `target`, with the bits above the integer as those of its sign.
pub fn widen(int: SmallInt, source: &[u8], target: &mut [u8]) {
    let (mask, sign) = int.mask_and_sign();
    copy(mask, sign, source, target);
}

/// Copies each byte of `source` to `target`, without the bits above the integer.
pub fn narrow(int: SmallInt, source: &[u8], target: &mut [u8]) {
    let (mask, _) = int.mask_and_sign();
    copy(mask, 0, source, target);
}

#[cfg(target_feature = "simd128")]
mod simd128 {
    use crate::vector::{in_steps, load, store};
    use core::arch::wasm32::{u8x16_splat, u8x16_sub, v128_and, v128_xor};

    #[inline(never)]
    pub fn copy(mask: u8, sign: u8, source: &[u8], target: &mut [u8]) {
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
}
#[cfg(target_feature = "simd128")]
use simd128::copy;

#[cfg(not(target_feature = "simd128"))]
fn copy(mask: u8, sign: u8, source: &[u8], target: &mut [u8]) {
    for (to, &from) in target.iter_mut().zip(source) {
        *to = extended(mask, sign, from);
    }
}

/// Returns the integer in the lower bits of a byte. Its sign is subtracted where it stands, and so extends to the bits above.
const fn extended(mask: u8, sign: u8, byte: u8) -> u8 {
    ((byte & mask) ^ sign).wrapping_sub(sign)
}

/// Returns the index of the first byte of an array that is not an integer of the type, and the integer that it is.
pub fn first_unfit(int: SmallInt, array: &[u8]) -> Option<(usize, i32)> {
    let (mask, sign) = int.mask_and_sign();
    let index = array
        .iter()
        .position(|&byte| extended(mask, sign, byte) != byte)?;
    let byte = array[index];
    let value = if int.signed {
        (byte as i8).into()
    } else {
        byte.into()
    };
    Some((index, value))
}
