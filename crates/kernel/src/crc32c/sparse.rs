//! Sparse multiples of the polynomial: how to shorten a message without changing its checksum.
//!
//! A message is a polynomial over GF(2), its first byte highest, and its checksum the remainder modulo P. Adding a
//! multiple of P changes nothing. If Q = x^(8k) + ... + 1 is such a multiple and all its exponents are multiples of 8,
//! adding Q times the byte at position t, moved to there, makes that byte 0 and adds it to a few later bytes, k at most
//! behind it. Nothing is looked up or shifted by bits. Gathered instead of scattered, for all t in order:
//!
//! ```text
//! m'[t] = m[t] ^ m'[t - offsets[0]] ^ m'[t - offsets[1]] ^ ...
//! ```
//!
//! is what the byte at t has become when its turn comes to be made 0. All bytes but the last k can be eliminated so;
//! they are the message that is left. If Q is a multiple of P, so is Q(x^2): offsets may be multiplied by powers of 2.
//!
//! The idea is Chorba's (Russell, arXiv 2412.16398) for CRC-32. Few terms are little work, but need long offsets. With
//! four terms the shortest multiple spans 5275 bits: up to there CRC-32C has a Hamming distance of 6. In whole bytes it
//! is the same number, since multiplying all exponents by 8 is squaring three times.

use super::combine::power_of_byte;

/// The offsets of a multiple with as many terms and one more, in ascending order.
pub struct SparseMultiple<const OFFSETS: usize>(pub [usize; OFFSETS]);

impl<const OFFSETS: usize> SparseMultiple<OFFSETS> {
    /// The multiple with these offsets, in bytes. Does not compile (in a constant) if there is none.
    const fn new(offsets: [usize; OFFSETS]) -> Self {
        let longest = offsets[OFFSETS - 1];
        let mut sum = power_of_byte(longest as u64);
        let mut i = 0;
        while i < OFFSETS {
            sum ^= power_of_byte((longest - offsets[i]) as u64);
            i += 1;
        }
        assert!(sum == 0, "not a multiple of the polynomial");
        Self(offsets)
    }

    /// How many bytes are left of a message at least.
    pub const fn window(&self) -> usize {
        self.0[OFFSETS - 1]
    }
}

/// Six terms within 209 bytes.
pub const SIX_TERMS: SparseMultiple<5> = SparseMultiple::new([65, 155, 170, 195, 209]);

/// Eight terms within 98 bytes.
pub const EIGHT_TERMS: SparseMultiple<7> = SparseMultiple::new([21, 47, 60, 65, 70, 94, 98]);

/// Four terms within 7024 bytes. Of those up to 12000 bytes it is the only one with two offsets that are multiples of 16,
/// so that two of three loads are aligned: 10 % faster than 1747, 2830, 5321 (Node 20).
pub const FOUR_TERMS: SparseMultiple<3> = SparseMultiple::new([1712, 5215, 7024]);
