//! The conversions of the `half` crate.

use half::f16;

/// Converts each binary16 of `source` to a binary32 in `target`.
pub fn widen<const SWAPPED: bool>(source: &[u8], target: &mut [u8]) {
    let (source, _) = source.as_chunks::<2>();
    let (target, _) = target.as_chunks_mut::<4>();
    for (to, &from) in target.iter_mut().zip(source) {
        let bits = order::<SWAPPED>(u16::from_ne_bytes(from));
        *to = f16::from_bits(bits).to_f32().to_ne_bytes();
    }
}

/// Converts each binary32 of `source` to a binary16 in `target`.
pub fn narrow<const SWAPPED: bool>(source: &[u8], target: &mut [u8]) {
    let (source, _) = source.as_chunks::<4>();
    let (target, _) = target.as_chunks_mut::<2>();
    for (to, &from) in target.iter_mut().zip(source) {
        let bits = f16::from_f32(f32::from_ne_bytes(from)).to_bits();
        *to = order::<SWAPPED>(bits).to_ne_bytes();
    }
}

/// Swaps the bytes if `SWAPPED`.
fn order<const SWAPPED: bool>(bits: u16) -> u16 {
    if SWAPPED { bits.swap_bytes() } else { bits }
}
