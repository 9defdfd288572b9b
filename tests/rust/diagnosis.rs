//! Diagnoses of damaged chunks. Each is damaged in the way that the diagnosis names.

use zarr_codecs::{
    Error,
    diagnosis::{Diagnosis, diagnose_bytes},
    kernel::checksum::{CHECKSUM_SIZE, Mismatch},
};

/// Lengths around those at which blocks are eliminated and pieces begin.
const LENGTHS: [usize; 9] = [
    9, 64, 1000, 16_384, 16_448, 65_537, 262_144, 278_592, 1_000_000,
];

/// Diagnoses a chunk that ends with a checksum.
fn diagnose(chunk: &[u8]) -> Option<Diagnosis> {
    let (payload, stored) = chunk.split_at(chunk.len() - CHECKSUM_SIZE);
    let mismatch = Mismatch {
        stored: u32::from_le_bytes(stored.try_into().unwrap()),
        computed: crc32c::crc32c(payload),
        byte_length: payload.len() as u64,
    };
    assert_ne!(mismatch.stored, mismatch.computed, "the chunk is right");
    match diagnose_bytes(mismatch, chunk) {
        Error::ChecksumMismatch { diagnosis, .. } => diagnosis,
        other => panic!("{other}"),
    }
}

fn noise(length: usize) -> Vec<u8> {
    let mut state = length as u32;
    std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(length)
    .collect()
}

fn encoded(mut payload: Vec<u8>) -> Vec<u8> {
    let checksum = crc32c::crc32c(&payload);
    payload.extend(checksum.to_le_bytes());
    payload
}

/// A CRC-32C bit by bit, with any inversions.
fn slow_crc(bytes: &[u8], initial: u32, last: u32) -> u32 {
    let mut register = initial;
    for byte in bytes {
        register ^= u32::from(*byte);
        for _ in 0..8 {
            register = (register >> 1) ^ (0x82f6_3b78 * (register & 1));
        }
    }
    register ^ last
}

/// Checks that noise of each length, stored with the checksum that `checksum` returns, is diagnosed as `code`.
fn assert_stored(code: &str, expected: &str, checksum: impl Fn(&[u8]) -> [u8; 4]) {
    for length in LENGTHS {
        let mut chunk = noise(length);
        let stored = checksum(&chunk);
        chunk.extend(stored);
        let Some(diagnosis) = diagnose(&chunk) else {
            panic!("{code}: not recognized in {length} bytes");
        };
        assert_eq!(diagnosis.code, code, "{length} bytes");
        assert!(
            diagnosis.message.contains(expected),
            "{}",
            diagnosis.message
        );
        assert_eq!((diagnosis.byte_offset, diagnosis.bit), (None, None));
    }
}

#[test]
fn checksums_that_writers_confuse() {
    assert_stored("crc32", "CRC-32 of", |payload| {
        crc32fast::hash(payload).to_le_bytes()
    });
    assert_stored("big_endian", "big endian", |payload| {
        crc32c::crc32c(payload).to_be_bytes()
    });
    assert_stored("masked", "LevelDB", |payload| {
        let crc = crc32c::crc32c(payload);
        crc.rotate_right(15).wrapping_add(0xa282_ead8).to_le_bytes()
    });
    for (initial, last) in [(!0, 0), (0, !0), (0, 0)] {
        assert_stored("not_inverted", "inversion", |payload| {
            slow_crc(payload, initial, last).to_le_bytes()
        });
    }
}

#[test]
fn checksums_of_the_other_byte_order() {
    for size in [2, 4, 8] {
        for length in LENGTHS {
            let mut chunk = noise(length / 8 * 8);
            let mut swapped = chunk.clone();
            swapped.chunks_exact_mut(size).for_each(<[u8]>::reverse);
            chunk.extend(crc32c::crc32c(&swapped).to_le_bytes());
            let diagnosis = diagnose(&chunk).unwrap();
            assert_eq!(diagnosis.code, "byte_swapped");
            let bytes = format!("units of {size} bytes");
            assert!(diagnosis.message.ends_with(&bytes), "{}", diagnosis.message);
        }
    }
}

#[test]
fn checksums_of_the_other_byte_order_of_chunks_in_pieces() {
    // Of two pieces and of three.
    for length in [1000, zarr_codecs::kernel::window::SIZE + 1000] {
        let mut chunk = noise(zarr_codecs::kernel::window::SIZE + length);
        let mut swapped = chunk.clone();
        swapped.chunks_exact_mut(4).for_each(<[u8]>::reverse);
        chunk.extend(crc32c::crc32c(&swapped).to_le_bytes());
        assert_eq!(diagnose(&chunk).unwrap().code, "byte_swapped");
    }
}

#[test]
fn checksums_at_the_start() {
    for length in [0, 1, 3, 4, 9, 100_000] {
        let payload = noise(length);
        let mut chunk = crc32c::crc32c(&payload).to_le_bytes().to_vec();
        chunk.extend(payload);
        // Four zero bytes are their own chunk, with a right checksum.
        if length > 0 {
            assert_eq!(diagnose(&chunk).unwrap().code, "at_start", "{length} bytes");
        }
    }
}

#[test]
fn chunks_of_zeros() {
    for length in LENGTHS {
        assert_eq!(diagnose(&vec![0; length + 4]).unwrap().code, "zeros");
    }
}

#[test]
fn bytes_that_are_too_many_or_missing() {
    for length in [100, 70_000] {
        for count in [1, 2, 3, 4, 7, 63, 64] {
            let recognized = |chunk: &[u8], code, expected: &str| {
                let diagnosis = diagnose(chunk).unwrap();
                assert_eq!(diagnosis.code, code, "{count} of {length} bytes");
                assert!(
                    diagnosis.message.contains(expected),
                    "{}",
                    diagnosis.message
                );
            };
            let mut after = encoded(noise(length));
            after.extend(noise(count));
            recognized(&after, "extended", &format!("followed by {count} byte"));

            let mut before = encoded(noise(length));
            before.splice(length..length, noise(count));
            recognized(
                &before,
                "extended",
                &format!("without its last {count} byte"),
            );

            let mut longer = noise(length);
            longer.resize(length + count, 0);
            let mut missing = encoded(longer);
            missing.drain(length..length + count);
            recognized(
                &missing,
                "truncated",
                &format!("followed by {count} zero byte"),
            );
        }
        for count in [1, 2] {
            let mut short = encoded(noise(length));
            short.truncate(short.len() - count);
            let diagnosis = diagnose(&short).unwrap();
            assert_eq!(diagnosis.code, "truncated");
            assert_eq!(
                diagnosis.message,
                format!(
                    "the chunk probably lacks its last {count} byte{}",
                    if count == 1 { "" } else { "s" }
                )
            );
        }
        let mut short = encoded(noise(length));
        short.truncate(short.len() - 3);
        assert_eq!(diagnose(&short), None);
    }
}

#[test]
fn each_flipped_bit_is_located() {
    for length in [0, 1, 9, 300] {
        let right = encoded(noise(length));
        for at in 0..right.len() * 8 {
            let mut chunk = right.clone();
            chunk[at / 8] ^= 1 << (at % 8);
            let diagnosis = diagnose(&chunk).unwrap();
            assert_eq!(diagnosis.code, "flipped_bit", "{length} bytes, bit {at}");
            assert_eq!(diagnosis.byte_offset, Some(at as u64 / 8));
            assert_eq!(diagnosis.bit, Some(at as u8 % 8));
            assert_eq!(
                diagnosis.message.contains("in the checksum"),
                at / 8 >= length
            );
        }
    }
}

#[test]
fn the_odds_of_a_flipped_bit_depend_on_the_length() {
    for (length, odds) in [(1 << 10, 522_247), (1 << 16, 8191), (1 << 20, 511)] {
        let mut chunk = encoded(vec![7; length]);
        chunk[length / 3] ^= 64;
        let message = diagnose(&chunk).unwrap().message;
        let expected = format!(
            "probably a flipped bit: bit 6 of byte {} of the chunk (other damage looks the same in 1 of {odds} cases)",
            length / 3,
        );
        assert_eq!(message, expected);
    }
}

#[test]
fn no_bit_is_named_in_long_chunks() {
    for length in [(1 << 20) + 1, 1 << 23, 1 << 26] {
        let mut chunk = encoded(vec![7; length]);
        chunk[length / 3] ^= 64;
        assert_eq!(diagnose(&chunk), None, "{length}");
    }
}

/// In 8 MiB, one in 64 blocks of zeros makes the difference of some flipped bit.
#[test]
fn a_block_of_zeros_is_not_taken_for_a_flipped_bit() {
    const LENGTH: usize = 1 << 23;
    let right = encoded(noise(LENGTH));
    for block in 0..200 {
        let mut chunk = right.clone();
        chunk[4096 * 10 * block..][..4096].fill(0);
        assert_eq!(diagnose(&chunk), None, "block {block}");
    }
}

#[test]
fn a_right_checksum_after_the_wrong_one_excludes_damage() {
    let mut chunk = encoded(noise(100));
    chunk[3] ^= 1;
    assert_eq!(diagnose(&chunk).unwrap().code, "flipped_bit");
    let mismatch = Mismatch {
        stored: u32::from_le_bytes(chunk[100..].try_into().unwrap()),
        computed: crc32c::crc32c(&chunk[..100]),
        byte_length: 100,
    };
    let twice = encoded(chunk);
    let is_undiagnosed = matches!(
        diagnose_bytes(mismatch, &twice),
        Error::ChecksumMismatch {
            diagnosis: None,
            ..
        }
    );
    assert!(is_undiagnosed);
}

#[test]
fn other_damage_is_not_explained() {
    for length in LENGTHS {
        let mut chunk = encoded(noise(length));
        chunk[2] ^= 1;
        chunk[7] ^= 128;
        assert_eq!(diagnose(&chunk), None, "{length} bytes");
    }
}
