//! Fletcher-32 as HDF5 computes it: over big-endian words of 16 bits, modulo 65535. An odd byte at the end counts as a
//! word whose second byte is 0.
//!
//! Contract: `update(fletcher, bytes)` continues the Fletcher-32 `fletcher` over `bytes`; the Fletcher-32 of no bytes is
//! 0. All pieces of a message but the last have an even length. Never fails or panics.
//!
//! Reference: `H5_checksum_fletcher32` in `H5checksum.c` of HDF5.

use crate::sums::{Checksum, lanes};

/// Sums of words modulo 65535. HDF5 adds carries at the other end, so that no sum is 0 unless all words are.
pub const FLETCHER32: Checksum = Checksum {
    word: 2,
    reduce: |sum| match sum {
        0 => 0,
        _ => (sum - 1) % 0xffff + 1,
    },
};

/// Continues the Fletcher-32 `fletcher` over `bytes`; start with 0.
pub fn update(fletcher: u32, bytes: &[u8]) -> u32 {
    FLETCHER32.update(lanes, fletcher, bytes)
}
