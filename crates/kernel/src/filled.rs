//! Recognizes bytes that repeat one element.

/// Returns whether `bytes`, which are whole elements, repeat `element` bit for bit.
pub fn is_filled(bytes: &[u8], element: &[u8]) -> bool {
    match bytes.len().checked_sub(element.len()) {
        // Each element equals the one after it.
        Some(rest) => {
            bytes.starts_with(element) && are_equal(&bytes[..rest], &bytes[element.len()..])
        }
        None => bytes.is_empty(),
    }
}

/// Returns whether two slices of one length are equal. (The comparison of the standard library is one of single bytes here.)
fn are_equal(a: &[u8], b: &[u8]) -> bool {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<BLOCK>(), b.as_chunks::<BLOCK>());
    let is_same = |(a, b): (&[u8; BLOCK], &[u8; BLOCK])| {
        // Without an exit within the block, this is a loop over vectors.
        a.iter().zip(b).fold(0, |bits, (a, b)| bits | (a ^ b)) == 0
    };
    a.iter().zip(b).all(is_same) && a_rest == b_rest
}

/// Bytes that are compared at a time.
const BLOCK: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_other_bit_is_noticed_anywhere() {
        for element in [
            &[0][..],
            &[7],
            &[1, 2],
            &[1, 2, 3],
            &[0, 0, 0, 0, 0, 0, 0, 128],
        ] {
            for count in [0, 1, 2, 3, 63, 64, 65, 200] {
                let mut bytes = element.repeat(count);
                assert!(is_filled(&bytes, element));
                for at in 0..bytes.len() {
                    bytes[at] ^= 4;
                    assert!(!is_filled(&bytes, element), "{element:?} x {count} at {at}");
                    bytes[at] ^= 4;
                }
            }
        }
    }
}
