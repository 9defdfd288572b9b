//! What becomes of the bytes of a chunk: which loop runs.

use crate::{boolean, byteswap, float16};

/// How the bytes of an encoded chunk become those of the decoded array, and back.
///
/// Decoded components are in the host's byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// The bytes stay as they are.
    Keep,
    /// The bytes of each 2-byte component are reversed.
    Swap2,
    /// The bytes of each 4-byte component are reversed.
    Swap4,
    /// The bytes of each 8-byte component are reversed.
    Swap8,
    /// Each byte is 0 or 1, and stays as it is.
    CheckedBool,
    /// A byte other than 0 becomes 1.
    AnyBool,
    /// Encoded binary16 in the host's byte order, decoded binary32; encoding rounds to nearest even.
    Float16ToFloat32,
    /// The same with the two bytes of each binary16 reversed.
    SwappedFloat16ToFloat32,
}

use Conversion::*;

impl Conversion {
    /// All of them, each at the position that is its number (`as u32`).
    pub const ALL: [Self; 8] = [
        Keep,
        Swap2,
        Swap4,
        Swap8,
        CheckedBool,
        AnyBool,
        Float16ToFloat32,
        SwappedFloat16ToFloat32,
    ];

    /// For binary16 components: the conversion between them and binary32.
    pub fn widened(self) -> Self {
        match self {
            Swap2 => SwappedFloat16ToFloat32,
            _ => Float16ToFloat32,
        }
    }

    /// Whether decoded and encoded bytes are the same, so that one can serve as the other.
    pub fn is_identity(self) -> bool {
        matches!(self, Keep | CheckedBool)
    }

    /// How many decoded bytes an encoded one becomes.
    pub fn widening(self) -> usize {
        match self {
            Float16ToFloat32 | SwappedFloat16ToFloat32 => 2,
            _ => 1,
        }
    }

    /// Converts whole components. `decoded` is [`Self::widening`] times as long as `encoded`.
    pub fn decode(self, encoded: &[u8], decoded: &mut [u8]) {
        match self {
            Keep | CheckedBool => decoded.copy_from_slice(encoded),
            Swap2 => byteswap::copy_swapped::<2>(encoded, decoded),
            Swap4 => byteswap::copy_swapped::<4>(encoded, decoded),
            Swap8 => byteswap::copy_swapped::<8>(encoded, decoded),
            AnyBool => boolean::copy_normalized(encoded, decoded),
            Float16ToFloat32 => float16::widen::<false>(encoded, decoded),
            SwappedFloat16ToFloat32 => float16::widen::<true>(encoded, decoded),
        }
    }

    /// Converts whole components back. `decoded` is [`Self::widening`] times as long as `encoded`.
    pub fn encode(self, decoded: &[u8], encoded: &mut [u8]) {
        match self {
            Float16ToFloat32 => float16::narrow::<false>(decoded, encoded),
            SwappedFloat16ToFloat32 => float16::narrow::<true>(decoded, encoded),
            // The others undo themselves, or (bool) produce the same bytes either way.
            itself => itself.decode(decoded, encoded),
        }
    }

    /// The position of the first byte that is not an element, and that byte.
    pub fn first_invalid(self, bytes: &[u8]) -> Option<(usize, u8)> {
        match self {
            CheckedBool => boolean::first_invalid(bytes),
            _ => None,
        }
    }
}
