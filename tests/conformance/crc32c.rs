//! CRC-32C, compared with the examples of RFC 3720 and the `crc32c` crate.

use super::noise;
use crc32c::crc32c_append as oracle;

type Update = fn(u32, &[u8]) -> u32;

/// Checks an implementation. `edges` are lengths around which it uses another method.
pub fn check(update: Update, edges: &[usize]) {
    rfc_3720_examples(update);
    short_lengths_at_all_offsets(update);
    lengths_around(update, edges);
    split_equals_whole(update);
}

/// The examples of RFC 3720, B.4, with their checksums as numbers.
fn rfc_3720_examples(update: Update) {
    let ascending: Vec<u8> = (0..32).collect();
    let descending: Vec<u8> = (0..32).rev().collect();
    let mut read_command = [0; 48];
    for (at, byte) in [
        (0, 0x01),
        (1, 0xc0),
        (16, 0x14),
        (22, 0x04),
        (27, 0x14),
        (31, 0x18),
        (32, 0x28),
        (40, 0x02),
    ] {
        read_command[at] = byte;
    }
    let examples: [(&[u8], u32); 6] = [
        (&[0; 32], 0x8a91_36aa),
        (&[0xff; 32], 0x62a8_ab43),
        (&ascending, 0x46dd_794e),
        (&descending, 0x113f_db5c),
        (&read_command, 0xd996_3a56),
        (b"123456789", 0xe306_9283),
    ];
    for (bytes, crc) in examples {
        assert_eq!(update(0, bytes), crc);
    }
}

fn short_lengths_at_all_offsets(update: Update) {
    let bytes = noise(320);
    for offset in 0..16 {
        for length in 0..=300 {
            assert_agrees(update, 0x1234_5678, &bytes[offset..offset + length]);
        }
    }
}

fn lengths_around(update: Update, edges: &[usize]) {
    let bytes = noise(edges.iter().max().map_or(0, |edge| edge + 40));
    for edge in edges {
        for length in edge.saturating_sub(20)..edge + 20 {
            assert_agrees(update, 0, &bytes[..length]);
            assert_agrees(update, !0, &bytes[edge % 16..length.max(edge % 16)]);
        }
    }
}

fn split_equals_whole(update: Update) {
    let bytes = noise(5000);
    for split in [
        0, 1, 3, 4, 5, 16, 223, 224, 287, 288, 1024, 4712, 4713, 5000,
    ] {
        let (a, b) = bytes.split_at(split);
        assert_eq!(
            update(update(0, a), b),
            oracle(0, &bytes),
            "split at {split}"
        );
    }
}

fn assert_agrees(update: Update, crc: u32, bytes: &[u8]) {
    let (actual, expected) = (update(crc, bytes), oracle(crc, bytes));
    assert_eq!(actual, expected, "{} bytes after {crc:08x}", bytes.len());
}
