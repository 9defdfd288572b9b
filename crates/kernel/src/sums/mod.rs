//! The two sums that [Adler-32](crate::adler32) and [Fletcher-32](crate::fletcher32) reduce: of the words of a message,
//! and of the sums after each of its words.
//!
//! Contract of the implementations: `lanes(vectors)` sums each byte of a vector by itself, for at most [`MOST`] vectors.
//!
//! Of T vectors of L words, word j of vector t is counted L (T - t) - j times in the sum of sums. A lane that adds its
//! plain sum after each vector counts it T - t times. So `L * running[j] - j * plain[j]`, summed over the lanes j, is the
//! sum of sums, without a multiplication in the loop.

pub mod portable;
#[cfg(target_feature = "simd128")]
pub mod simd128;

#[cfg(not(target_feature = "simd128"))]
pub use portable::lanes;
#[cfg(target_feature = "simd128")]
pub use simd128::lanes;

/// Bytes per vector.
pub const SIZE: usize = 16;
/// As many vectors as a lane of 16 bits can add bytes.
pub const MOST: usize = 256;
/// Bytes between two reductions.
const BLOCK: usize = MOST * SIZE;

/// The sums of each byte of vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// The sums.
    pub plain: [u32; SIZE],
    /// The sums of the sums after each vector.
    pub running: [u32; SIZE],
}

/// A function that sums the bytes of vectors.
pub type Implementation = fn(&[[u8; SIZE]]) -> Lanes;

/// A checksum that consists of both sums, reduced.
#[derive(Clone, Copy, Debug)]
pub struct Checksum {
    /// The size of a word in bytes: 1 or 2, the first the higher one.
    pub word: usize,
    /// Reduces a sum to 16 bits.
    pub reduce: fn(u64) -> u64,
}

impl Checksum {
    /// Continues the checksum `state`, the sum of sums in its upper half, over `bytes`. The last word may be incomplete:
    /// its second byte is 0.
    #[inline(never)] // The code of both checksums.
    pub fn update(self, lanes: Implementation, state: u32, bytes: &[u8]) -> u32 {
        let (mut plain, mut running) = (u64::from(state & 0xffff), u64::from(state >> 16));
        for block in bytes.chunks(BLOCK) {
            let (vectors, rest) = block.as_chunks();
            let per_vector = (SIZE / self.word) as u64;
            running += per_vector * vectors.len() as u64 * plain;
            let lanes = lanes(vectors);
            for (lane, (sum, sums)) in lanes.plain.into_iter().zip(lanes.running).enumerate() {
                let (sum, sums) = (self.valued(lane, sum), self.valued(lane, sums));
                plain += sum;
                running += per_vector * sums - (lane / self.word) as u64 * sum;
            }
            for word in rest.chunks(self.word) {
                for (lane, byte) in word.iter().enumerate() {
                    plain += self.valued(lane, (*byte).into());
                }
                running += plain;
            }
            (plain, running) = ((self.reduce)(plain), (self.reduce)(running));
        }
        (running as u32) << 16 | plain as u32
    }

    /// Returns what a sum of bytes in a lane is worth.
    const fn valued(self, lane: usize, sum: u32) -> u64 {
        let is_higher = self.word == 2 && lane.is_multiple_of(2);
        (sum as u64) << if is_higher { 8 } else { 0 }
    }
}
