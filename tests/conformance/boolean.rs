//! Booleans: only the bytes 0 and 1 are valid.

/// The implementation under test.
pub struct Boolean {
    pub first_invalid: fn(&[u8]) -> Option<(usize, u8)>,
    pub copy_normalized: fn(&[u8], &mut [u8]),
}

/// Checks an implementation.
pub fn check(boolean: &Boolean) {
    for length in (0..300).chain([1023, 1024, 1025, 2500]) {
        let valid: Vec<u8> = (0..length).map(|i| (i % 3 == 0) as u8).collect();
        assert_eq!((boolean.first_invalid)(&valid), None);
        for at in (0..length).step_by(7) {
            let mut bytes = valid.clone();
            bytes[length - 1] = 255;
            let value = 2 << (at / 7 % 7); // Any bit but the lowest makes a byte invalid.
            bytes[at] = value;
            assert_eq!(
                (boolean.first_invalid)(&bytes),
                Some((at, value)),
                "{length}"
            );
        }
        nonzero_bytes_become_one(boolean, length);
    }
}

fn nonzero_bytes_become_one(boolean: &Boolean, length: usize) {
    let source: Vec<u8> = (0..length).map(|i| (i * 37) as u8).collect();
    let expected: Vec<u8> = source.iter().map(|&byte| (byte != 0) as u8).collect();
    let mut target = vec![9; length];
    (boolean.copy_normalized)(&source, &mut target);
    assert_eq!(target, expected);
}
