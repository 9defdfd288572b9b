//! Shifts.

/// Converts each bfloat16 of `source` to a binary32 in `target`.
pub fn widen<const SWAPPED: bool>(source: &[u8], target: &mut [u8]) {
    let (source, _) = source.as_chunks();
    let (target, _) = target.as_chunks_mut();
    for (to, &from) in target.iter_mut().zip(source) {
        let bits = u32::from(order::<SWAPPED>(u16::from_ne_bytes(from)));
        *to = (bits << 16).to_ne_bytes();
    }
}

/// Converts each binary32 of `source` to a bfloat16 in `target`.
pub fn narrow<const SWAPPED: bool>(source: &[u8], target: &mut [u8]) {
    let (source, _) = source.as_chunks();
    let (target, _) = target.as_chunks_mut();
    for (to, &from) in target.iter_mut().zip(source) {
        *to = order::<SWAPPED>(rounded(u32::from_ne_bytes(from))).to_ne_bytes();
    }
}

/// Rounds the bits of a binary32 to those of a bfloat16.
pub fn rounded(bits: u32) -> u16 {
    let upper = bits >> 16;
    if bits & 0x7fff_ffff > 0x7f80_0000 {
        let quiet = if upper & 0x7f == 0 { 0x40 } else { 0 };
        return (upper | quiet) as u16;
    }
    // Adding just under half of the last bit that is kept, or exactly half if that bit is odd. Numbers that are too
    // large become infinity.
    ((bits + 0x7fff + (upper & 1)) >> 16) as u16
}

/// Swaps the bytes if `SWAPPED`.
fn order<const SWAPPED: bool>(bits: u16) -> u16 {
    if SWAPPED { bits.swap_bytes() } else { bits }
}
