//! Shortens a message without changing its CRC-32C, in blocks: each byte keeps its place within its block. What exchanging
//! bytes within blocks does to the checksum, for example reversing the byte order, can then be computed from a short message.
//!
//! The offsets of [`SIX_TERMS`], multiplied by the size of a block: that is a power of 2, so the result is a multiple too.

use super::{
    long::{load, store, xor},
    sparse::SIX_TERMS,
};

/// The size of a block in bytes.
pub const BLOCK: usize = 64;

/// The number of blocks that are kept: the last ones that have been eliminated.
pub const RING: usize = 256;

const _: () = assert!(SIX_TERMS.window() < RING && BLOCK.is_power_of_two());

/// A message that is being shortened: zeros at first.
pub struct Lanes<'a> {
    ring: &'a mut [[u8; BLOCK]; RING],
    eliminated: usize,
}

impl<'a> Lanes<'a> {
    /// Starts a message. `ring` is overwritten.
    pub fn new(ring: &'a mut [[u8; BLOCK]; RING]) -> Self {
        ring.fill([0; BLOCK]);
        Self {
            ring,
            eliminated: 0,
        }
    }

    /// Returns how many blocks of a message of `length` bytes are eliminated; what is left is for [`Self::finish`].
    pub const fn block_count(length: usize) -> usize {
        (length / BLOCK).saturating_sub(RING)
    }

    /// Eliminates the next blocks.
    #[inline(never)]
    pub fn eliminate(&mut self, blocks: &[[u8; BLOCK]]) {
        for block in blocks {
            let past = |offset| self.eliminated.wrapping_sub(offset) % RING;
            let past = SIX_TERMS.0.map(past);
            for (lane, bytes) in block.as_chunks().0.iter().enumerate() {
                let sum = past.iter().fold(load(bytes), |sum, block| {
                    xor(sum, load(&self.ring[*block].as_chunks().0[lane]))
                });
                let block = &mut self.ring[self.eliminated % RING];
                store(&mut block.as_chunks_mut().0[lane], sum);
            }
            self.eliminated += 1;
        }
    }

    /// Adds what has been eliminated to the bytes that are left, at least [`RING`] blocks if any were eliminated.
    #[inline(never)]
    pub fn finish(&self, left: &mut [u8]) {
        for (index, block) in left.chunks_mut(BLOCK).enumerate() {
            for offset in SIX_TERMS.0 {
                if offset > index {
                    let past = &self.ring[(self.eliminated + index).wrapping_sub(offset) % RING];
                    for (byte, past) in block.iter_mut().zip(past) {
                        *byte ^= past;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crc32c::table::update;

    #[test]
    fn what_is_left_has_the_same_remainder() {
        let mut ring = [[0; BLOCK]; RING];
        let noise = |i: usize| (((i * i) >> 5) ^ (i * 31)) as u8;
        for length in [0, 3, 64, 16_384, 16_447, 16_448, 40_001, 500_003] {
            let message: Vec<u8> = (0..length).map(noise).collect();
            let eliminated = Lanes::block_count(length);
            let (blocks, left) = message.split_at(eliminated * BLOCK);
            let mut lanes = Lanes::new(&mut ring);
            let (first, second) = blocks.as_chunks().0.split_at(eliminated / 3);
            lanes.eliminate(first);
            lanes.eliminate(second);
            let mut left = left.to_vec();
            lanes.finish(&mut left);
            // The CRC !0 is a register of 0.
            assert_eq!(update(!0, &left), update(!0, &message), "{length} bytes");
        }
    }
}
