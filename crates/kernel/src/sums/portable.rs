//! The kernel without SIMD.

use super::Sums;

/// Computes the sums of bytes.
pub fn of_bytes(block: &[u8]) -> Sums {
    // At most 255 * 4096 * 4097 / 2 = 2 139 095 040.
    let (mut plain, mut running) = (0_u32, 0_u32);
    for byte in block {
        plain += u32::from(*byte);
        running += plain;
    }
    Sums {
        plain: plain.into(),
        running: running.into(),
    }
}

/// Computes the sums of big-endian words of 16 bits.
pub fn of_words(block: &[u8]) -> Sums {
    let (mut plain, mut running) = (0_u32, 0_u64);
    for word in block.as_chunks().0 {
        plain += u32::from(u16::from_be_bytes(*word));
        running += u64::from(plain);
    }
    Sums {
        plain: plain.into(),
        running,
    }
}
