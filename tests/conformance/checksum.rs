//! Checksums other than CRC-32C, compared with published values and with another implementation.

use twox_hash::XxHash64;
use zarr_codecs::kernel::{
    adler32::ADLER32, crc32, digest::Algorithm, fletcher32::FLETCHER32, sums, xxh64::Xxh64,
};

/// Computes the checksum of a message in pieces, all of even length but the last.
type Checksum<'a> = &'a dyn Fn(&[&[u8]]) -> u64;

/// Checks both sums of Adler-32 and Fletcher-32.
pub fn check_sums(lanes: sums::Implementation) {
    let adler32 = |pieces: &[&[u8]]| {
        let update = |adler, piece: &&[u8]| ADLER32.update(lanes, adler, piece);
        pieces.iter().fold(1, update).into()
    };
    let known: [(&[u8], u64); 3] = [(b"", 1), (b"123456789", 0x091e_01de), (b"a", 0x0062_0062)];
    check(&adler32, &|bytes| adler2::adler32_slice(bytes), &known);

    let fletcher32 = |pieces: &[&[u8]]| {
        let update = |sum, piece: &&[u8]| FLETCHER32.update(lanes, sum, piece);
        pieces.iter().fold(0, update).into()
    };
    // Computed by numcodecs 0.16.6.
    let known: [(&[u8], u64); 5] = [
        (b"\0\0\0", 0),
        (b"abcde", 0x4ff0_29c7),
        (b"123456789", 0x09df_09d5),
        (b"\xff\xff", 0xffff_ffff),
        (b"\x12\x34\xed\xcb", 0x1234_ffff),
    ];
    check(&fletcher32, &fletcher32_by_definition, &known);
}

/// Checks CRC-32.
pub fn check_crc32() {
    let crc32 = |pieces: &[&[u8]]| {
        let update = |crc, piece: &&[u8]| crc32::update(crc, piece);
        pieces.iter().fold(0, update).into()
    };
    let known: [(&[u8], u64); 2] = [(b"", 0), (b"123456789", 0xcbf4_3926)];
    check(&crc32, &|bytes| crc32fast::hash(bytes), &known);
}

/// Checks XXH64.
pub fn check_xxh64() {
    let xxh64 = |pieces: &[&[u8]]| {
        let mut hash = Xxh64::new();
        pieces.iter().for_each(|piece| hash.update(piece));
        hash.digest()
    };
    let known: [(&[u8], u64); 2] = [
        (b"", 0xef46_db37_51d8_e999),
        (b"abc", 0x44bc_2cf5_ad77_0999),
    ];
    check(&xxh64, &|bytes| XxHash64::oneshot(0, bytes), &known);
}

/// Checks that every name and number belongs to its algorithm.
pub fn check_digest() {
    use zarr_codecs::kernel::digest::Digest;
    let expected = [
        ("crc32c", 0xe306_9283),
        ("crc32", 0xcbf4_3926),
        ("adler32", 0x091e_01de),
        ("fletcher32", 0x09df_09d5),
        ("xxh64", 0x40e6_ae83), // By xxhash (Python) 3.
    ];
    for (algorithm, expected) in Algorithm::ALL.into_iter().zip(expected) {
        let mut digest = Digest::new(algorithm);
        digest.update(b"1234");
        digest.update(b"56789");
        assert_eq!((algorithm.name(), digest.finish()), expected);
    }
}

fn check<N: Into<u64>>(checksum: Checksum, oracle: &dyn Fn(&[u8]) -> N, known: &[(&[u8], u64)]) {
    for (bytes, expected) in known {
        assert_eq!(checksum(&[bytes]), *expected, "{bytes:x?}");
    }
    for fill in [0, 1, 0xff] {
        for length in [4096, 4098, 5552, 70_000] {
            let bytes = vec![fill; length];
            let expected = oracle(&bytes).into();
            assert_eq!(checksum(&[&bytes]), expected, "{length} bytes of {fill}");
        }
    }
    let bytes = super::noise(20_000);
    for offset in 0..16 {
        for length in (0..=300)
            .chain(4080..4120)
            .chain([8191, 8192, 8193, 19_984])
        {
            let bytes = &bytes[offset..offset + length];
            assert_eq!(checksum(&[bytes]), oracle(bytes).into(), "{length} bytes");
        }
    }
    for split in [0, 2, 30, 32, 34, 62, 64, 4094, 4096, 4098, 9000, 20_000] {
        let (a, b) = bytes.split_at(split);
        let (b, c) = b.split_at(b.len().min(6));
        assert_eq!(
            checksum(&[a, b, c]),
            oracle(&bytes).into(),
            "split at {split}"
        );
    }
}

/// Fletcher-32 word by word, with the carry added after each.
fn fletcher32_by_definition(bytes: &[u8]) -> u32 {
    let carried = |sum: u32| (sum & 0xffff) + (sum >> 16);
    let (mut plain, mut running) = (0, 0);
    for word in bytes.chunks(2) {
        let low = word.get(1).copied().unwrap_or(0);
        plain = carried(plain + u32::from(word[0]) * 256 + u32::from(low));
        running = carried(running + plain);
    }
    running << 16 | plain
}
