//! Fletcher-32 as HDF5 computes it: over big-endian words of 16 bits, modulo 65535. An odd byte at the end counts as a
//! word whose second byte is 0. The result of a sum that is a multiple of 65535 is 65535, or 0 if all words are 0.
//!
//! Contract: `update(fletcher, bytes)` continues the Fletcher-32 `fletcher` over `bytes`; the Fletcher-32 of no bytes is
//! 0. All pieces of a message but the last have an even length. Never fails or panics.
//!
//! Reference: `H5_checksum_fletcher32` in `H5checksum.c` of HDF5.

use crate::sums;

/// Continues the Fletcher-32 `fletcher` over `bytes`; start with 0.
pub fn update(fletcher: u32, bytes: &[u8]) -> u32 {
    update_with(sums::of_words, fletcher, bytes)
}

/// Continues a Fletcher-32 with one of the implementations of [`sums`].
pub fn update_with(sums: sums::Implementation, fletcher: u32, bytes: &[u8]) -> u32 {
    let (mut plain, mut running) = (u64::from(fletcher & 0xffff), u64::from(fletcher >> 16));
    let (words, odd) = bytes.split_at(bytes.len() / 2 * 2);
    let mut add = |block: &[u8]| {
        let sums = sums(block);
        running = reduce(running + (block.len() / 2) as u64 * plain + sums.running);
        plain = reduce(plain + sums.plain);
    };
    words.chunks(sums::BLOCK).for_each(&mut add);
    if let [byte] = *odd {
        add(&[byte, 0]);
    }
    (running as u32) << 16 | plain as u32
}

/// Reduces a sum modulo 65535, to 65535 rather than 0 unless the sum is 0: carries are added at the other end.
const fn reduce(sum: u64) -> u64 {
    match sum {
        0 => 0,
        _ => (sum - 1) % 0xffff + 1,
    }
}
