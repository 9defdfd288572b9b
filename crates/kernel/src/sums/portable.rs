//! The kernel without SIMD.

use super::{Lanes, SIZE};

/// Sums each byte of vectors.
pub fn lanes(vectors: &[[u8; SIZE]]) -> Lanes {
    let mut lanes = Lanes {
        plain: [0; SIZE],
        running: [0; SIZE],
    };
    for vector in vectors {
        for (lane, byte) in vector.iter().enumerate() {
            lanes.plain[lane] += u32::from(*byte);
            lanes.running[lane] += lanes.plain[lane];
        }
    }
    lanes
}
