//! How the bytes of a chunk change between its encoded and its decoded representation.

use crate::{boolean, byteswap, float16};

/// The conversion of a chunk's elements, as three independent parts.
///
/// Decoded components are in the host's byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// Which elements are rejected.
    pub check: Check,
    /// Bytes of a component whose order is reversed: 2, 4 or 8; 1 where the order stays.
    pub swap: u8,
    /// What the components become.
    pub cast: Cast,
}

/// Which encoded elements are rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// None: every byte pattern is an element.
    Nothing,
    /// Bytes other than 0 and 1.
    Bool,
}

/// What encoded components become when decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cast {
    /// They stay what they are.
    Nothing,
    /// Bytes other than 0 become 1.
    AnyToBool,
    /// binary16 becomes binary32; encoding rounds to nearest even.
    Float16ToFloat32,
}

impl Conversion {
    /// Leaves every byte as it is and accepts all of them.
    pub const IDENTITY: Self = Self {
        check: Check::Nothing,
        swap: 1,
        cast: Cast::Nothing,
    };

    /// Packs the three parts into one number, in which JavaScript keeps a conversion.
    pub const fn to_number(self) -> u32 {
        self.check as u32 | (self.cast as u32) << 8 | (self.swap as u32) << 16
    }

    /// Unpacks what [`Self::to_number`] has packed.
    ///
    /// # Panics
    /// Where no conversion has this number.
    pub const fn from_number(number: u32) -> Self {
        Self {
            check: [Check::Nothing, Check::Bool][(number & 0xff) as usize],
            swap: (number >> 16) as u8,
            cast: [Cast::Nothing, Cast::AnyToBool, Cast::Float16ToFloat32]
                [(number >> 8 & 0xff) as usize],
        }
    }

    /// Whether the decoded bytes are the encoded ones, so that one can serve as the other.
    pub const fn is_identity(self) -> bool {
        self.swap == 1 && matches!(self.cast, Cast::Nothing)
    }

    /// Whether elements are checked.
    pub const fn is_checked(self) -> bool {
        !matches!(self.check, Check::Nothing)
    }

    /// Decoded bytes for each encoded one.
    pub const fn widening(self) -> usize {
        match self.cast {
            Cast::Nothing | Cast::AnyToBool => 1,
            Cast::Float16ToFloat32 => 2,
        }
    }

    /// Decodes whole components. `decoded` is [`Self::widening`] times as long as `encoded`.
    pub fn decode(self, encoded: &[u8], decoded: &mut [u8]) {
        match (self.cast, self.swap) {
            (Cast::Nothing, _) => self.swap(encoded, decoded),
            (Cast::AnyToBool, _) => boolean::copy_normalized(encoded, decoded),
            (Cast::Float16ToFloat32, 2) => float16::widen::<true>(encoded, decoded),
            (Cast::Float16ToFloat32, _) => float16::widen::<false>(encoded, decoded),
        }
    }

    /// Encodes whole components. `decoded` is [`Self::widening`] times as long as `encoded`.
    pub fn encode(self, decoded: &[u8], encoded: &mut [u8]) {
        match (self.cast, self.swap) {
            (Cast::Nothing, _) => self.swap(decoded, encoded),
            (Cast::AnyToBool, _) => boolean::copy_normalized(decoded, encoded),
            (Cast::Float16ToFloat32, 2) => float16::narrow::<true>(decoded, encoded),
            (Cast::Float16ToFloat32, _) => float16::narrow::<false>(decoded, encoded),
        }
    }

    fn swap(self, source: &[u8], target: &mut [u8]) {
        match self.swap {
            2 => byteswap::copy_swapped::<2>(source, target),
            4 => byteswap::copy_swapped::<4>(source, target),
            8 => byteswap::copy_swapped::<8>(source, target),
            _ => target.copy_from_slice(source),
        }
    }

    /// The index of the first byte that is not an element, and that byte.
    pub fn first_invalid(self, encoded: &[u8]) -> Option<(usize, u8)> {
        match self.check {
            Check::Nothing => None,
            Check::Bool => boolean::first_invalid(encoded),
        }
    }
}

// What JavaScript hands back is what it was given.
const _: () = {
    let conversion = Conversion {
        check: Check::Bool,
        swap: 8,
        cast: Cast::Float16ToFloat32,
    };
    let unpacked = Conversion::from_number(conversion.to_number());
    assert!(matches!(unpacked.check, Check::Bool) && unpacked.swap == 8);
    assert!(matches!(unpacked.cast, Cast::Float16ToFloat32));
};
