//! Sparse multiples of the polynomial, which shorten a message without changing its checksum.
//!
//! A message is a polynomial over GF(2), its first byte highest, and its checksum is the remainder modulo P. Adding a
//! multiple of P does not change the remainder. If Q = x^(8k) + ... + 1 is such a multiple and all its exponents are
//! multiples of 8, adding Q times the byte at position t, shifted so that its first term meets that byte, makes the
//! byte 0 (eliminates it) and adds it to a few later bytes, at most k further on. This takes neither tables nor shifts
//! by bits. Gathered instead of scattered, for all t in order:
//!
//! ```text
//! m'[t] = m[t] ^ m'[t - offsets[0]] ^ m'[t - offsets[1]] ^ ...
//! ```
//!
//! is the value of the byte at t at the time of its elimination. In this way all bytes but the last k can be
//! eliminated; these are the shortened message. If Q is a multiple of P, so is Q(x^2): offsets may be multiplied by
//! powers of 2.
//!
//! The idea is that of Chorba (Russell, arXiv 2412.16398) for CRC-32. Fewer terms are less work, but need longer
//! offsets. The shortest multiple with four terms spans 5275 bits, the length up to which CRC-32C has a Hamming
//! distance of 6. There is also one of 5275 bytes, since multiplying all exponents by 8 is squaring three times.

use super::{POLYNOMIAL, combine::power_of_byte};

/// The offsets in bytes, in ascending order, of a multiple with one more term than offsets.
#[derive(Debug)]
pub struct SparseMultiple<const OFFSETS: usize>(pub [usize; OFFSETS]);

impl<const OFFSETS: usize> SparseMultiple<OFFSETS> {
    /// Creates the multiple of a polynomial with these offsets. Fails to compile (in a constant) if they are not those of a multiple.
    pub const fn new(offsets: [usize; OFFSETS], polynomial: u32) -> Self {
        let longest = offsets[OFFSETS - 1];
        let mut sum = power_of_byte(longest as u64, polynomial);
        let mut i = 0;
        while i < OFFSETS {
            sum ^= power_of_byte((longest - offsets[i]) as u64, polynomial);
            i += 1;
        }
        assert!(sum == 0, "not a multiple of the polynomial");
        Self(offsets)
    }

    /// Returns the longest offset: how many bytes are left of a message at least.
    pub const fn window(&self) -> usize {
        self.0[OFFSETS - 1]
    }
}

/// Six terms within 209 bytes.
pub const SIX_TERMS: SparseMultiple<5> = SparseMultiple::new([65, 155, 170, 195, 209], POLYNOMIAL);

/// Eight terms within 98 bytes.
pub const EIGHT_TERMS: SparseMultiple<7> =
    SparseMultiple::new([21, 47, 60, 65, 70, 94, 98], POLYNOMIAL);

/// Four terms within 7024 bytes. The only such multiple of up to 12000 bytes with two offsets that are multiples of 16,
/// so that two of three loads are aligned: 10 % faster than 1747, 2830, 5321 (Node 20).
pub const FOUR_TERMS: SparseMultiple<3> = SparseMultiple::new([1712, 5215, 7024], POLYNOMIAL);
