//! Byte swapping: every byte moves to the mirrored position in its component.

type CopySwapped = fn(&[u8], &mut [u8]);

/// Checks an implementation for components of 2, 4 and 8 bytes.
pub fn check(implementations: [(usize, CopySwapped); 3]) {
    let bytes: Vec<u8> = (0..=255).cycle().take(600).collect();
    for (size, copy_swapped) in implementations {
        for offset in 0..16 {
            for components in 0..=300 / size {
                let source = &bytes[offset..][..size * components];
                // The margins show whether it writes out of bounds.
                let mut target = vec![0xaa; offset + source.len() + 16];
                copy_swapped(source, &mut target[offset..][..source.len()]);
                for (at, byte) in target.into_iter().enumerate() {
                    let expected = match at.checked_sub(offset) {
                        Some(at) if at < source.len() => {
                            source[at / size * size + size - 1 - at % size]
                        }
                        _ => 0xaa,
                    };
                    assert_eq!(
                        byte, expected,
                        "byte {at} of {components} components of {size} bytes"
                    );
                }
            }
        }
    }
}
