//! Converts floating-point numbers of 8 bits or fewer, one per byte, to binary32 exactly, and back with rounding to
//! nearest even.
//!
//! Contract: `widen(format, source, target)` with `target` four times as long, [`narrow`]`(format, source, target)` with
//! `target` a quarter as long. NaNs keep their sign and, where the format has several, their payload.

pub mod portable;
#[cfg(target_feature = "simd128")]
pub mod simd128;

#[cfg(not(target_feature = "simd128"))]
pub use portable::widen;
#[cfg(target_feature = "simd128")]
pub use simd128::widen;

/// A format: a sign bit, unless there are 8 bits of exponent, then the exponent and the mantissa. The bits above are
/// ignored.
///
/// Numbers whose exponent is 0 are subnormal. Without mantissa bits there are none, nor is there a zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// The number of bits of the exponent.
    pub exponent: u8,
    /// The number of bits of the mantissa.
    pub mantissa: u8,
    /// The bias of the exponent.
    pub bias: u8,
    /// Which codes are not finite.
    pub specials: Specials,
}

/// The codes of a format that are not finite numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Specials {
    /// Those with the largest exponent: infinity, if the mantissa is 0, and NaN, as in IEEE 754.
    InfinityAndNan,
    /// Those all of whose bits but the sign are set: NaN.
    Nan,
    /// That of negative zero: NaN.
    NanForNegativeZero,
    /// None.
    Nothing,
}

impl Format {
    /// Packs the format into 16 bits.
    pub const fn to_bits(self) -> u32 {
        let widths = self.exponent as u32 | (self.mantissa as u32) << 4;
        widths | (self.bias as u32) << 7 | (self.specials as u32) << 14
    }

    /// Unpacks 16 bits from [`Self::to_bits`].
    pub const fn from_bits(bits: u32) -> Self {
        Self {
            exponent: (bits & 0xf) as u8,
            mantissa: (bits >> 4 & 7) as u8,
            bias: (bits >> 7 & 0x7f) as u8,
            specials: [
                Specials::InfinityAndNan,
                Specials::Nan,
                Specials::NanForNegativeZero,
                Specials::Nothing,
            ][(bits >> 14 & 3) as usize],
        }
    }

    const fn is_unsigned(self) -> bool {
        self.exponent == 8
    }

    /// Returns the code of the largest finite number.
    const fn largest(self) -> u32 {
        let end = 1 << (self.exponent + self.mantissa);
        end - match self.specials {
            Specials::InfinityAndNan => (1 << self.mantissa) + 1,
            Specials::Nan => 2,
            Specials::NanForNegativeZero | Specials::Nothing => 1,
        }
    }

    /// Returns whether every number has a code: those that are too large become infinity.
    pub const fn fits_all(self) -> bool {
        matches!(self.specials, Specials::InfinityAndNan)
    }

    /// Returns the least and the greatest number.
    pub fn range(self) -> (f32, f32) {
        let mut limits = [[0; 4]; 2];
        widen(self, &[0, self.largest() as u8], limits.as_flattened_mut());
        let [zero, greatest] = limits.map(f32::from_ne_bytes);
        (if self.is_unsigned() { zero } else { -greatest }, greatest)
    }

    /// Returns whether a code above 0 is that of a finite number, given that it is not that of a NaN.
    pub fn is_finite(self, code: u8) -> bool {
        let sign = 1 << (self.exponent + self.mantissa);
        u32::from(code) & (sign - 1) <= self.largest()
    }

    /// Returns whether NaN has a code.
    pub fn has_nan(self) -> bool {
        self.specials != Specials::Nothing
    }

    /// Rounds a binary32 to the nearest code, or to the one with an even last bit if two are as near. Returns `None` if
    /// the number does not fit: if it is too large, or NaN, and the format has no infinity, or no NaN; and if it is not
    /// positive in a format without sign.
    #[inline(never)] // Long, and a call is short beside it.
    pub fn rounded(self, bits: u32) -> Option<u8> {
        let magnitude = bits & 0x7fff_ffff;
        let is_negative = bits != magnitude;
        let sign = u32::from(is_negative) << (self.exponent + self.mantissa);
        let largest = self.largest();
        let code = if magnitude > INFINITY {
            match self.specials {
                Specials::InfinityAndNan => {
                    let payload = (magnitude & 0x7f_ffff) >> (23 - self.mantissa);
                    let quiet = u32::from(payload == 0) << (self.mantissa - 1);
                    largest + 1 + (payload | quiet)
                }
                Specials::Nan if self.is_unsigned() => return Some(0xff),
                Specials::Nan => largest + 1,
                Specials::NanForNegativeZero => return Some(1 << (self.exponent + self.mantissa)),
                Specials::Nothing => return None,
            }
        } else {
            if self.is_unsigned() && (is_negative || magnitude == 0) {
                return None;
            }
            // Scaled so that the code is the upper part of the bits, also if it is subnormal: exact in binary64.
            // Where there is no zero, the code 0 counts as 1 meanwhile, to be the exponent of a normal number.
            let skipped = u64::from(self.is_unsigned());
            let scale = f64::from_bits((u64::from(self.bias) + skipped) << 52);
            let scaled = (f64::from(f32::from_bits(magnitude)) * scale).to_bits();
            let dropped = 52 - u32::from(self.mantissa);
            // Without mantissa, the last bit is the leading 1.
            let is_odd = if self.mantissa == 0 {
                1
            } else {
                scaled >> dropped & 1
            };
            let code = (scaled + (1 << (dropped - 1)) - 1 + is_odd) >> dropped;
            let code = code.saturating_sub(skipped);
            match (code > u64::from(largest), self.specials) {
                (false, _) => code as u32,
                (true, Specials::InfinityAndNan) => largest + 1,
                (true, _) => return None,
            }
        };
        let has_sign = code != 0 || self.specials != Specials::NanForNegativeZero;
        Some((if has_sign { code | sign } else { code }) as u8)
    }
}

/// The bits of infinity in binary32.
const INFINITY: u32 = 0x7f80_0000;

/// The steps from the codes of a format to binary32, the same for all formats.
#[derive(Clone, Copy)]
struct Widener {
    /// Moves the sign to the highest bit, and drops the bits that are ignored.
    left: u32,
    /// Moves the exponent to where binary32 has it.
    right: u32,
    /// Corrects the bias, also of subnormals: powers of two.
    factor: f32,
    /// The magnitude of the largest finite number, moved.
    largest: u32,
    /// The code that is NaN although it is not above the largest one, moved; 1, which none is, if there is none.
    nan: u32,
    /// The bits that are added to a code that is not finite.
    special: u32,
    /// The bits of the number whose magnitude is all zeros.
    zero: u32,
}

impl Widener {
    fn new(format: Format) -> Self {
        let Format {
            exponent,
            mantissa,
            bias,
            specials,
        } = format;
        let has_nan_zero = specials == Specials::NanForNegativeZero;
        Self {
            left: 31 - u32::from(exponent + mantissa),
            right: 8 - u32::from(exponent),
            factor: f32::from_bits((254 - u32::from(bias)) << 23),
            largest: match has_nan_zero {
                true => i32::MAX as u32,
                false => format.largest() << (23 - mantissa),
            },
            nan: if has_nan_zero { 1 << 31 } else { 1 },
            special: match specials {
                Specials::InfinityAndNan => INFINITY,
                _ => INFINITY | 1 << 22,
            },
            zero: if mantissa == 0 { 1 << 22 } else { 0 },
        }
    }

    /// Returns the bits of the number with this code.
    #[cfg_attr(target_feature = "simd128", allow(dead_code))] // Of the other implementation.
    fn widened(&self, code: u8) -> u32 {
        let moved = u32::from(code) << self.left;
        let magnitude = (moved & 0x7fff_ffff) >> self.right;
        let bits = if magnitude > self.largest || moved == self.nan {
            magnitude | self.special
        } else if magnitude == 0 {
            self.zero
        } else {
            (f32::from_bits(magnitude) * self.factor).to_bits()
        };
        bits | moved & 1 << 31
    }
}

/// Converts each binary32 of `source` to a code in `target`; to 0 what does not fit.
pub fn narrow(format: Format, source: &[u8], target: &mut [u8]) {
    for (to, &from) in target.iter_mut().zip(source.as_chunks().0) {
        *to = format.rounded(u32::from_ne_bytes(from)).unwrap_or(0);
    }
}

/// Returns the index of the first binary32 of `source` that does not fit, and that number.
pub fn first_unfit(format: Format, source: &[u8]) -> Option<(usize, f32)> {
    let singles = source.as_chunks().0.iter().map(|&s| u32::from_ne_bytes(s));
    let (index, bits) = singles
        .enumerate()
        .find(|&(_, bits)| format.rounded(bits).is_none())?;
    Some((index, f32::from_bits(bits)))
}
