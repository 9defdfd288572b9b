//! Locates one flipped bit.
//!
//! Its distance d in bits from the end of the chunk is what `stored ^ computed` is the power x^d of, modulo the polynomial.
//! Other damage makes any difference, so in a chunk of n bits it looks like a flipped bit in n of 2^32 cases. A repair that
//! is wrong makes damaged data pass for sound. So a bit is named only if that is rare.

use super::Diagnosis;
use crate::kernel::{
    checksum::{CHECKSUM_SIZE, Mismatch},
    crc32c::{ONE, POLYNOMIAL},
};

/// The longest payload in bytes in which a bit is named: other damage looks the same in 1 of 511 cases.
const LONGEST: u64 = 1 << 20;

/// Diagnoses a mismatch that one flipped bit explains, and nothing else is likely to.
pub fn diagnose(mismatch: Mismatch) -> Option<Diagnosis> {
    let payload = mismatch.byte_length;
    let bits = 8 * (payload + CHECKSUM_SIZE as u64);
    if payload > LONGEST {
        return None;
    }
    let distance = locate(mismatch.stored ^ mismatch.computed, bits)?;
    let byte = (bits - 1 - distance) / 8;
    let bit = 7 - (distance % 8) as u8;
    let part = if byte < payload {
        ""
    } else {
        ", in the checksum"
    };
    let place = text!["bit ", bit, " of byte ", byte, " of the chunk", part];
    let odds = (1 << 32) / bits;
    let odds = text![" (other damage looks the same in 1 of ", odds, " cases)"];
    let message = text!["probably a flipped bit: ", place, odds];
    Some(Diagnosis {
        byte_offset: Some(byte),
        bit: Some(bit),
        ..Diagnosis::new("flipped_bit", message)?
    })
}

/// Returns the exponent below `bits` of the power of x that `difference` is.
fn locate(difference: u32, bits: u64) -> Option<u64> {
    // x + 1 divides the polynomial, so every power of x has an odd number of terms.
    if difference.count_ones().is_multiple_of(2) {
        return None;
    }
    let mut power = ONE;
    (0..bits).find(|_| {
        let is_it = power == difference;
        power = times_x(power);
        is_it
    })
}

fn times_x(power: u32) -> u32 {
    (power >> 1) ^ (POLYNOMIAL * (power & 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::crc32c::combine;

    /// Computed from the definition of a power.
    fn power(exponent: u64) -> u32 {
        (0..exponent % 8).fold(combine(ONE, 0, exponent / 8), |power, _| times_x(power))
    }

    #[test]
    fn exponents_are_found_within_the_chunk_only() {
        for bits in [32, 40, 32_768, 1 << 20] {
            assert_eq!(locate(power(bits - 1), bits), Some(bits - 1));
            assert_eq!(locate(power(bits / 2), bits), Some(bits / 2));
            assert_eq!(locate(power(bits), bits), None);
        }
    }

    #[test]
    fn what_is_no_power_is_not_located() {
        assert_eq!(locate(0, 1 << 20), None);
        assert_eq!(locate(power(5) ^ power(77), 1 << 20), None);
    }
}
