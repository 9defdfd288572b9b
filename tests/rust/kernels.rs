//! Runs the conformance suites on the kernels that run natively.

use crate::conformance::{self, float16::Float16, small_numbers::Bfloat16};
use zarr_codecs::kernel::{
    bfloat16, boolean, byteswap, crc32,
    crc32c::{self, History, Kernels},
    float16, shuffle, small_float, small_int, sums, transpose,
};

#[test]
fn crc32c_dispatch() {
    conformance::crc32c::check(crc32c::update, &[1024, 65_536]);
}

#[test]
fn crc32c_table() {
    conformance::crc32c::check(crc32c::table::update, &[16, 1024]);
}

#[test]
fn crc32c_portable() {
    // The shortest input, and one, two and three full blocks.
    conformance::crc32c::check(
        crc32c::portable::update,
        &[3344, 4180, 7524, 10_868, 65_536],
    );
}

#[test]
fn crc32c_long() {
    // In one piece, and in pieces of 8064 bytes with a longer last one. `Digest` does not use this kernel natively, so
    // its steps are called directly.
    let edges = [crc32c::KERNELS.shortest, 65_536, 262_144];
    let whole = |crc, bytes: &[u8]| eliminated(&crc32c::KERNELS, crc, bytes, usize::MAX);
    let pieces = |crc, bytes: &[u8]| eliminated(&crc32c::KERNELS, crc, bytes, 8064);
    conformance::crc32c::check(whole, &edges);
    conformance::crc32c::check(pieces, &edges);
}

#[test]
fn crc32_long() {
    let bytes = conformance::noise(300_000);
    for size in [usize::MAX, 8064] {
        for length in [8192, 8193, 65_536, 70_001, 300_000] {
            let bytes = &bytes[..length];
            let expected = crc32fast::hash(bytes);
            assert_eq!(eliminated(&crc32::KERNELS, 0, bytes, size), expected);
        }
    }
}

/// Computes a CRC in pieces of `size` bytes.
fn eliminated(kernels: &Kernels, crc: u32, bytes: &[u8], size: usize) -> u32 {
    let offsets = &kernels.multiple.0;
    if bytes.len() < kernels.shortest {
        return (kernels.update)(crc, bytes);
    }
    let (pieces, last) = bytes.split_at((bytes.len() - offsets[2]) / size * size);
    let mut history = History::new();
    history.begin(!0, offsets); // Of another message.
    history.eliminate(pieces, offsets);
    history.begin(!crc, offsets);
    for piece in pieces.chunks(size) {
        history.eliminate(piece, offsets);
    }
    let (last, left) = last.split_at(History::eliminated(last.len(), true, offsets));
    history.eliminate(last, offsets);
    (kernels.update)(!0, history.finish(left, offsets))
}

#[test]
fn byteswap_portable() {
    conformance::byteswap::check([
        (2, byteswap::portable::copy_swapped::<2>),
        (4, byteswap::portable::copy_swapped::<4>),
        (8, byteswap::portable::copy_swapped::<8>),
    ]);
}

#[test]
fn float16_portable() {
    conformance::float16::check(&Float16 {
        widen: [
            float16::portable::widen::<false>,
            float16::portable::widen::<true>,
        ],
        narrow: [
            float16::portable::narrow::<false>,
            float16::portable::narrow::<true>,
        ],
    });
}

#[test]
fn boolean() {
    conformance::boolean::check(&conformance::boolean::Boolean {
        first_invalid: boolean::first_invalid,
        copy_normalized: boolean::copy_normalized,
    });
}

#[test]
fn checksums() {
    conformance::checksum::check_sums(sums::portable::lanes);
    conformance::checksum::check_crc32();
    conformance::checksum::check_xxh64();
    conformance::checksum::check_digest();
}

#[test]
fn transpose_portable() {
    conformance::transpose::check(transpose::portable::transpose);
}

#[test]
fn shuffle_groups_bytes_by_their_place() {
    // By numcodecs 0.16.6: Shuffle(elementsize=3).encode(bytes(range(9))).
    let mut encoded = [0; 9];
    shuffle::shuffle(3, &[0, 1, 2, 3, 4, 5, 6, 7, 8], &mut encoded);
    assert_eq!(encoded, [0, 3, 6, 1, 4, 7, 2, 5, 8]);
    for size in [1, 2, 3, 4, 7, 8, 16, 100] {
        for length in [0, 1, 5, 64, 1000, 4099] {
            let decoded: Vec<u8> = (0..length).map(|i| (i * 7 / 3) as u8).collect();
            let elements = length / size;
            let mut expected = decoded.clone();
            for i in 0..elements * size {
                expected[i % size * elements + i / size] = decoded[i];
            }
            let mut encoded = vec![0xaa; length];
            shuffle::shuffle(size, &decoded, &mut encoded);
            assert_eq!(encoded, expected, "{length} bytes, elements of {size}");
            let mut again = vec![0xaa; length];
            shuffle::unshuffle(size, &encoded, &mut again);
            assert_eq!(again, decoded, "{length} bytes, elements of {size}");
        }
    }
}

#[test]
fn small_floats_portable() {
    conformance::small_numbers::check_floats(
        small_float::portable::widen,
        small_float::narrow,
        small_float::first_unfit,
    );
}

#[test]
fn small_integers() {
    conformance::small_numbers::check_integers(
        small_int::widen,
        small_int::narrow,
        small_int::first_unfit,
    );
}

#[test]
fn bfloat16_portable() {
    use bfloat16::portable::{narrow, widen};
    conformance::small_numbers::check_bfloat16(&Bfloat16 {
        widen: [widen::<false>, widen::<true>],
        narrow: [narrow::<false>, narrow::<true>],
    });
}
