//! Locates one flipped bit.
//!
//! Its distance d in bits from the end of the chunk is what `stored ^ computed` is the power x^d of, modulo the polynomial:
//! a discrete logarithm, unique below [`ORDER`] bits (256 MiB). It is found by baby steps and giant steps: with a table of
//! the powers below x^32768, and steps by that many bits until one leads into it. At most 65536 steps, 1 ms for 64 MiB.

use super::Diagnosis;
use crate::kernel::{
    checksum::{CHECKSUM_SIZE, Mismatch},
    crc32c::{ONE, ORDER, POLYNOMIAL, multiply, power_of_byte},
    window::SIZE,
};

/// The number of powers in the table.
const BABY_STEPS: u64 = 1 << 15;

/// The size of the table, twice as many as it holds: collisions go to the next free slot.
const SLOTS: usize = 1 << 16;

type Slots = [[u8; 4]; SLOTS];

const _: () = assert!(size_of::<Slots>() <= SIZE);

/// `x^-BABY_STEPS`.
const GIANT_STEP: u32 = power_of_byte(ORDER - BABY_STEPS / 8, POLYNOMIAL);

/// Diagnoses a mismatch that one flipped bit explains. Uses the first [`SIZE`] bytes of `table`.
pub fn diagnose(mismatch: Mismatch, table: &mut [u8]) -> Option<Diagnosis> {
    let payload = mismatch.byte_length;
    let bits = 8 * (payload + CHECKSUM_SIZE as u64);
    let distance = locate(mismatch.stored ^ mismatch.computed, bits, table)?;
    let byte = (bits - 1 - distance) / 8;
    let bit = 7 - (distance % 8) as u8;
    let part = if byte < payload {
        ""
    } else {
        ", in the checksum"
    };
    // The differences that a flipped bit makes are this many of 2^32.
    let odds = (1 << 32) / bits;
    let place = text!["bit ", bit, " of byte ", byte, part];
    let odds = text![" (other damage looks the same in 1 of ", odds, " cases)"];
    let message = text!["probably a flipped bit: ", place, odds];
    Some(Diagnosis {
        byte_offset: Some(byte),
        bit: Some(bit),
        ..Diagnosis::new("flipped_bit", message)?
    })
}

/// Returns the exponent below `bits` of the power of x that `difference` is.
fn locate(difference: u32, bits: u64, table: &mut [u8]) -> Option<u64> {
    // x + 1 divides the polynomial, so every power of x has an odd number of terms.
    if bits >= ORDER || difference.count_ones().is_multiple_of(2) {
        return None;
    }
    let slots: &mut Slots = table.as_chunks_mut().0.first_chunk_mut()?;
    slots.fill([0; 4]);
    let mut power = ONE;
    for _ in 0..BABY_STEPS {
        slots[slot(slots, power)] = power.to_le_bytes();
        power = times_x(power);
    }
    let mut rest = difference;
    for giant_steps in 0..=bits / BABY_STEPS {
        if slots[slot(slots, rest)] != [0; 4] {
            let mut distance = giant_steps * BABY_STEPS;
            let mut power = ONE;
            while power != rest {
                power = times_x(power);
                distance += 1;
            }
            return (distance < bits).then_some(distance);
        }
        rest = multiply(GIANT_STEP, rest, POLYNOMIAL);
    }
    None
}

/// Returns the index of the slot that holds a power, or of the free one where it belongs. No power is 0.
fn slot(slots: &Slots, power: u32) -> usize {
    let mut index = (power.wrapping_mul(0x9e37_79b1) >> 16) as usize; // Fibonacci hashing.
    while slots[index] != [0; 4] && slots[index] != power.to_le_bytes() {
        index = (index + 1) % SLOTS;
    }
    index
}

fn times_x(power: u32) -> u32 {
    (power >> 1) ^ (POLYNOMIAL * (power & 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::crc32c::combine;

    fn located(difference: u32, bits: u64) -> Option<u64> {
        locate(difference, bits, &mut vec![0; SIZE])
    }

    /// Computed from the definition of a power, without the table.
    fn power(exponent: u64) -> u32 {
        (0..exponent % 8).fold(combine(ONE, 0, exponent / 8), |power, _| times_x(power))
    }

    #[test]
    fn exponents_are_found_up_to_the_order() {
        for exponent in [0, 1, 31, 32, 32_767, 32_768, 1 << 29, ORDER - 3, ORDER - 2] {
            assert_eq!(located(power(exponent), ORDER - 1), Some(exponent));
        }
        assert_eq!(power(ORDER), ONE);
    }

    #[test]
    fn bits_beyond_the_chunk_and_chunks_beyond_the_order_are_not_located() {
        for bits in [32, 40, 32_768, 1 << 20] {
            assert_eq!(located(power(bits - 1), bits), Some(bits - 1));
            assert_eq!(located(power(bits), bits), None);
        }
        assert_eq!(located(ONE, ORDER), None);
    }

    #[test]
    fn what_is_no_power_is_not_located() {
        // The primitive factor of degree 31 is the only register with an odd number of terms that is no power of x.
        let factor = (0..32).fold(0, |sum, shift| sum ^ (0x82f6_3b78_u32 >> shift));
        assert_eq!(factor.count_ones() % 2, 1);
        assert_eq!(located(factor, ORDER - 1), None);
        assert_eq!(located(0, 1 << 20), None);
        assert_eq!(located(power(5) ^ power(77), 1 << 20), None);
    }
}
