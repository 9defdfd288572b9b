//! Adler-32 (RFC 1950, section 8), the checksum of zlib. Its check value is `update(1, b"123456789") == 0x091e_01de`.
//!
//! Contract: `update(adler, bytes)` continues the Adler-32 `adler` over `bytes`; the Adler-32 of no bytes is 1. Never
//! fails or panics.

use crate::sums::{Checksum, lanes};

/// Sums of bytes modulo the largest prime below 2^16.
pub const ADLER32: Checksum = Checksum {
    word: 1,
    reduce: |sum| sum % 65_521,
};

/// Continues the Adler-32 `adler` over `bytes`; start with 1.
pub fn update(adler: u32, bytes: &[u8]) -> u32 {
    ADLER32.update(lanes, adler, bytes)
}
