//! Combines the checksums of two messages without reading the messages again.
//!
//! A CRC register is a polynomial over GF(2) modulo the CRC's polynomial. Appending n zero bytes multiplies it by
//! x^(8n), so `crc(a ++ b)` is `crc(a) * x^(8 * len(b)) + crc(b)`; the initial and final inversions cancel.

use super::POLYNOMIAL;

/// Returns the CRC-32C of one message followed by another. `a` and `b` are their checksums; `length_of_b` is the length
/// of the second in bytes.
pub const fn combine(a: u32, b: u32, length_of_b: u64) -> u32 {
    multiply(a, power_of_byte(length_of_b, POLYNOMIAL), POLYNOMIAL) ^ b
}

/// The polynomial 1, reflected.
pub const ONE: u32 = 1 << 31;

/// The order of x modulo the Castagnoli polynomial: so many factors x, or as many factors `x^8`, are 1.
pub const ORDER: u64 = (1 << 31) - 1;

/// The polynomial `x^8`, reflected: appending a byte multiplies a register by it.
const BYTE: u32 = ONE >> 8;

/// Returns the register of the CRC with this polynomial (reflected) after a zero byte.
pub(super) const fn append_zero_byte(register: u32, polynomial: u32) -> u32 {
    multiply(BYTE, register, polynomial)
}

/// Returns `x^(8n)` modulo a polynomial, by repeated squaring.
pub const fn power_of_byte(mut n: u64, polynomial: u32) -> u32 {
    let mut power = ONE;
    let mut square = BYTE;
    while n > 0 {
        if n & 1 == 1 {
            power = multiply(power, square, polynomial);
        }
        square = multiply(square, square, polynomial);
        n >>= 1;
    }
    power
}

/// Returns `a * b` modulo a polynomial.
///
/// The loop ends when `a` is 0, not after 32 steps, and is not inlined: compilers would unroll and copy it, which is
/// not worth the size for a function that runs once per message at most.
#[inline(never)]
pub const fn multiply(mut a: u32, mut b: u32, polynomial: u32) -> u32 {
    let mut product = 0;
    while a != 0 {
        product ^= b * (a >> 31);
        a <<= 1;
        b = (b >> 1) ^ (polynomial * (b & 1));
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combined_checksums_equal_those_of_the_joined_messages() {
        let bytes: Vec<u8> = (0..5000u32).map(|i| ((i * i) >> 3) as u8).collect();
        for split in [0, 1, 7, 8, 255, 256, 4096, 5000] {
            let (a, b) = bytes.split_at(split);
            let combined = combine(crc32c::crc32c(a), crc32c::crc32c(b), b.len() as u64);
            assert_eq!(combined, crc32c::crc32c(&bytes), "split at {split}");
        }
    }

    #[test]
    fn lengths_beyond_32_bits_are_not_truncated() {
        assert_eq!(combine(0xe306_9283, 0, ORDER), 0xe306_9283);
        assert_eq!(combine(0xe306_9283, 0, ORDER << 20), 0xe306_9283);
        assert_ne!(combine(0xe306_9283, 0, (ORDER << 20) + 1), 0xe306_9283);
    }
}
