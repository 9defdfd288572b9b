//! The conversion between the encoded and the decoded representation of a chunk.

use crate::{Permutation, boolean, byteswap, float16, transpose};

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

/// Which encoded elements are rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// None: every byte pattern is a valid element.
    Nothing,
    /// Bytes other than 0 and 1.
    Bool,
}

/// How components are cast when decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cast {
    /// They are not cast.
    Nothing,
    /// Bytes other than 0 become 1.
    AnyToBool,
    /// From binary16 to binary32. Encoding rounds to nearest even.
    Float16ToFloat32,
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
        self.check as u32 | (self.cast as u32) << 8 | (self.swap as u32) << 16
    }

    /// Unpacks a number from [`Self::to_number`].
    ///
    /// # Panics
    /// Panics if the number names no check or no cast.
    pub const fn from_number(number: u32) -> Self {
        Self {
            check: [Check::Nothing, Check::Bool][(number & 0xff) as usize],
            swap: (number >> 16) as u8,
            cast: [Cast::Nothing, Cast::AnyToBool, Cast::Float16ToFloat32]
                [(number >> 8 & 0xff) as usize],
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
            Cast::Nothing | Cast::AnyToBool => 1,
            Cast::Float16ToFloat32 => 2,
        }
    }

    /// Decodes whole components. `decoded` is [`Self::widening`] times as long as `encoded`.
    pub fn decode(self, encoded: &[u8], decoded: &mut [u8]) {
        match (self.cast, self.swap) {
            (Cast::Nothing, size) => byteswap::copy_swapped_by(size.into(), encoded, decoded),
            (Cast::AnyToBool, _) => boolean::copy_normalized(encoded, decoded),
            (Cast::Float16ToFloat32, 2) => float16::widen::<true>(encoded, decoded),
            (Cast::Float16ToFloat32, _) => float16::widen::<false>(encoded, decoded),
        }
    }

    /// Encodes whole components. `decoded` is [`Self::widening`] times as long as `encoded`.
    pub fn encode(self, decoded: &[u8], encoded: &mut [u8]) {
        match (self.cast, self.swap) {
            (Cast::Nothing, size) => byteswap::copy_swapped_by(size.into(), decoded, encoded),
            (Cast::AnyToBool, _) => boolean::copy_normalized(decoded, encoded),
            (Cast::Float16ToFloat32, 2) => float16::narrow::<true>(decoded, encoded),
            (Cast::Float16ToFloat32, _) => float16::narrow::<false>(decoded, encoded),
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

    /// Returns the index of the first byte that is not a valid element, and that byte.
    pub fn first_invalid(self, encoded: &[u8]) -> Option<(usize, u8)> {
        match self.check {
            Check::Nothing => None,
            Check::Bool => boolean::first_invalid(encoded),
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
        cast: Cast::Float16ToFloat32,
    };
    let unpacked = Conversion::from_number(conversion.to_number());
    assert!(matches!(unpacked.check, Check::Bool) && unpacked.swap == 8);
    assert!(matches!(unpacked.cast, Cast::Float16ToFloat32));
};
