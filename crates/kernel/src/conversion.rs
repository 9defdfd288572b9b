//! The conversion between the encoded and the decoded representation of a chunk.

use crate::{
    Permutation, bfloat16, boolean, byteswap, float16,
    small_float::{self, Format},
    small_int::{self, SmallInt},
    transpose,
};

/// The conversion of a chunk's elements between the payload and an array, as three independent parts.
///
/// Decoded components are in the host's byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// Which elements are rejected.
    pub check: Check,
    /// The number of bytes that are reversed in each component: 2, 4 or 8, or 1 to keep their order.
    pub swap: u8,
    /// How components are cast.
    pub cast: Cast,
}

/// Which elements are rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// None: every byte pattern is a valid element.
    Nothing,
    /// Bytes other than 0 and 1.
    Bool,
    /// Decoded components that the cast cannot encode. Only for arrays, before they are encoded.
    Unfit,
    /// The same, where two components are an element.
    UnfitComplex,
}

const CHECKS: [Check; 4] = [
    Check::Nothing,
    Check::Bool,
    Check::Unfit,
    Check::UnfitComplex,
];

/// How components are cast when decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cast {
    /// They are not cast.
    Nothing,
    /// Bytes other than 0 become 1.
    AnyToBool,
    /// From binary16 to binary32. Encoding rounds to nearest even, as in all casts of floating-point numbers.
    Float16ToFloat32,
    /// From bfloat16 to binary32.
    Bfloat16ToFloat32,
    /// From a small floating-point number to binary32.
    SmallFloatToFloat32(Format),
    /// From a small integer to one of 8 bits.
    SmallInt(SmallInt),
}

impl Cast {
    const fn to_number(self) -> u32 {
        match self {
            Self::Nothing => 0,
            Self::AnyToBool => 1,
            Self::Float16ToFloat32 => 2,
            Self::Bfloat16ToFloat32 => 3,
            Self::SmallFloatToFloat32(format) => 4 | format.to_bits() << 3,
            Self::SmallInt(int) => 5 | int.to_bits() << 3,
        }
    }

    const fn from_number(number: u32) -> Self {
        match number & 7 {
            0 => Self::Nothing,
            1 => Self::AnyToBool,
            2 => Self::Float16ToFloat32,
            3 => Self::Bfloat16ToFloat32,
            4 => Self::SmallFloatToFloat32(Format::from_bits(number >> 3)),
            _ => Self::SmallInt(SmallInt::from_bits(number >> 3)),
        }
    }
}

impl Conversion {
    /// Copies all bytes unchanged and unchecked.
    pub const IDENTITY: Self = Self {
        check: Check::Nothing,
        swap: 1,
        cast: Cast::Nothing,
    };

    /// Packs the three parts into one number, opaque to JavaScript.
    pub const fn to_number(self) -> u32 {
        self.check as u32 | (self.swap as u32) << 2 | self.cast.to_number() << 6
    }

    /// Unpacks a number from [`Self::to_number`].
    pub const fn from_number(number: u32) -> Self {
        Self {
            check: CHECKS[(number & 3) as usize],
            swap: (number >> 2 & 0xf) as u8,
            cast: Cast::from_number(number >> 6),
        }
    }

    /// Returns whether the decoded and the encoded bytes are the same.
    pub const fn is_identity(self) -> bool {
        self.swap == 1 && matches!(self.cast, Cast::Nothing)
    }

    /// Returns the number of bytes that are swapped in each component, if that is all there is to do.
    pub fn only_swaps(self) -> Option<usize> {
        let is_only = !self.is_checked() && matches!(self.cast, Cast::Nothing);
        (is_only && self.swap > 1).then_some(self.swap.into())
    }

    /// Returns whether elements are checked.
    pub const fn is_checked(self) -> bool {
        !matches!(self.check, Check::Nothing)
    }

    /// Returns the number of decoded bytes per encoded byte.
    pub const fn widening(self) -> usize {
        match self.cast {
            Cast::Nothing | Cast::AnyToBool | Cast::SmallInt(_) => 1,
            Cast::Float16ToFloat32 | Cast::Bfloat16ToFloat32 => 2,
            Cast::SmallFloatToFloat32(_) => 4,
        }
    }

    /// Returns the conversion that checks an array before it is encoded; `None` if every number can be encoded.
    pub fn check_of_array(self, components: u64) -> Option<Self> {
        let fits_all = match self.cast {
            Cast::SmallFloatToFloat32(format) => format.fits_all(),
            cast => !matches!(cast, Cast::SmallInt(_)),
        };
        (!fits_all).then_some(Self {
            check: if components == 2 {
                Check::UnfitComplex
            } else {
                Check::Unfit
            },
            ..self
        })
    }

    /// Decodes whole components. `decoded` is [`Self::widening`] times as long as `encoded`.
    pub fn decode(self, encoded: &[u8], decoded: &mut [u8]) {
        match (self.cast, self.swap) {
            (Cast::Nothing, size) => byteswap::copy_swapped_by(size.into(), encoded, decoded),
            (Cast::AnyToBool, _) => boolean::copy_normalized(encoded, decoded),
            (Cast::Float16ToFloat32, 2) => float16::widen::<true>(encoded, decoded),
            (Cast::Float16ToFloat32, _) => float16::widen::<false>(encoded, decoded),
            (Cast::Bfloat16ToFloat32, 2) => bfloat16::widen::<true>(encoded, decoded),
            (Cast::Bfloat16ToFloat32, _) => bfloat16::widen::<false>(encoded, decoded),
            (Cast::SmallFloatToFloat32(format), _) => small_float::widen(format, encoded, decoded),
            (Cast::SmallInt(int), _) => small_int::widen(int, encoded, decoded),
        }
    }

    /// Encodes whole components. `decoded` is [`Self::widening`] times as long as `encoded`.
    pub fn encode(self, decoded: &[u8], encoded: &mut [u8]) {
        match (self.cast, self.swap) {
            (Cast::Nothing, size) => byteswap::copy_swapped_by(size.into(), decoded, encoded),
            (Cast::AnyToBool, _) => boolean::copy_normalized(decoded, encoded),
            (Cast::Float16ToFloat32, 2) => float16::narrow::<true>(decoded, encoded),
            (Cast::Float16ToFloat32, _) => float16::narrow::<false>(decoded, encoded),
            (Cast::Bfloat16ToFloat32, 2) => bfloat16::narrow::<true>(decoded, encoded),
            (Cast::Bfloat16ToFloat32, _) => bfloat16::narrow::<false>(decoded, encoded),
            (Cast::SmallFloatToFloat32(format), _) => small_float::narrow(format, decoded, encoded),
            (Cast::SmallInt(int), _) => small_int::narrow(int, decoded, encoded),
        }
    }

    /// Decodes whole components and moves them to their places in the array. `decoded` is [`Self::widening`] times as
    /// long as `encoded`.
    pub fn decode_permuted(self, permutation: &Permutation, encoded: &[u8], decoded: &mut [u8]) {
        let start = decoded.len() - encoded.len();
        transpose::permute(
            permutation,
            self.swap.into(),
            encoded,
            &mut decoded[start..],
        );
        if self.cast == Cast::Nothing {
            return;
        }
        // Forwards: what is written never goes beyond what has been read.
        let (cast, widening) = (Self { swap: 1, ..self }, self.widening());
        let mut piece = [0; PIECE];
        for at in (0..encoded.len()).step_by(PIECE) {
            let piece = &mut piece[..PIECE.min(encoded.len() - at)];
            piece.copy_from_slice(&decoded[start + at..][..piece.len()]);
            cast.decode(
                piece,
                &mut decoded[at * widening..][..piece.len() * widening],
            );
        }
    }

    /// Encodes whole components and moves them to their places in the payload, against the direction of `permutation`.
    /// Overwrites `decoded` if it casts. `decoded` is [`Self::widening`] times as long as `encoded`.
    pub fn encode_permuted(
        self,
        permutation: &Permutation,
        decoded: &mut [u8],
        encoded: &mut [u8],
    ) {
        if self.cast != Cast::Nothing {
            let (cast, widening) = (Self { swap: 1, ..self }, self.widening());
            let mut piece = [0; PIECE];
            for at in (0..encoded.len()).step_by(PIECE) {
                let piece = &mut piece[..PIECE.min(encoded.len() - at)];
                cast.encode(&decoded[at * widening..][..piece.len() * widening], piece);
                decoded[at..][..piece.len()].copy_from_slice(piece);
            }
        }
        let source = &decoded[..encoded.len()];
        transpose::permute(&permutation.inverse(), self.swap.into(), source, encoded);
    }

    /// Returns the index of the first component that is rejected, and its value.
    pub fn first_invalid(self, components: &[u8]) -> Option<(usize, f64)> {
        match (self.check, self.cast) {
            (Check::Nothing, _) => None,
            (Check::Bool, _) => {
                let (index, value) = boolean::first_invalid(components)?;
                Some((index, value.into()))
            }
            (_, Cast::SmallFloatToFloat32(format)) => {
                let (index, value) = small_float::first_unfit(format, components)?;
                Some((index, value.into()))
            }
            (_, Cast::SmallInt(int)) => {
                let (index, value) = small_int::first_unfit(int, components)?;
                Some((index, value.into()))
            }
            _ => None,
        }
    }

    /// Returns the size in bytes of the components that [`Self::first_invalid`] checks.
    pub const fn checked_size(self) -> usize {
        match self.check {
            Check::Unfit | Check::UnfitComplex => self.widening(),
            _ => 1,
        }
    }
}

/// Bytes that are cast at a time, where source and target are in the same memory.
const PIECE: usize = 2048;

// Unpacking reverses packing.
const _: () = {
    let conversion = Conversion {
        check: Check::Bool,
        swap: 8,
        cast: Cast::SmallInt(SmallInt {
            bits: 4,
            signed: true,
        }),
    };
    let unpacked = Conversion::from_number(conversion.to_number());
    assert!(matches!(unpacked.check, Check::Bool) && unpacked.swap == 8);
    assert!(matches!(
        unpacked.cast,
        Cast::SmallInt(SmallInt {
            bits: 4,
            signed: true
        })
    ));
    let format = Format {
        exponent: 8,
        mantissa: 7,
        bias: 127,
        specials: small_float::Specials::Nothing,
    };
    let cast = Cast::from_number(Cast::SmallFloatToFloat32(format).to_number());
    let Cast::SmallFloatToFloat32(Format {
        exponent: 8,
        mantissa: 7,
        bias: 127,
        specials: small_float::Specials::Nothing,
    }) = cast
    else {
        panic!()
    };
};
