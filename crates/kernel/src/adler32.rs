//! Adler-32 (RFC 1950, section 8), the checksum of zlib. Its check value is `update(1, b"123456789") == 0x091e_01de`.
//!
//! Contract: `update(adler, bytes)` continues the Adler-32 `adler` over `bytes`; the Adler-32 of no bytes is 1. Never
//! fails or panics.

use crate::sums;

/// The largest prime below 2^16.
const MODULUS: u64 = 65_521;

/// Continues the Adler-32 `adler` over `bytes`; start with 1.
pub fn update(adler: u32, bytes: &[u8]) -> u32 {
    update_with(sums::of_bytes, adler, bytes)
}

/// Continues an Adler-32 with one of the implementations of [`sums`].
pub fn update_with(sums: sums::Implementation, adler: u32, bytes: &[u8]) -> u32 {
    let (mut plain, mut running) = (u64::from(adler & 0xffff), u64::from(adler >> 16));
    for block in bytes.chunks(sums::BLOCK) {
        let sums = sums(block);
        running = (running + block.len() as u64 * plain + sums.running) % MODULUS;
        plain = (plain + sums.plain) % MODULUS;
    }
    (running as u32) << 16 | plain as u32
}
