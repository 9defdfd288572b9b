//! Runs the conformance suites on the kernels for WebAssembly.

use crate::suite::conformance;
use wasm_bindgen_test::wasm_bindgen_test;
use zarr_codecs::kernel;

#[wasm_bindgen_test]
fn crc32c_simd128() {
    // The shortest input, and full heads and blocks.
    let edges = [228, 288, 448, 452, 672, 676, 65_536];
    conformance::crc32c::check(kernel::crc32c::simd128::update, &edges);
}

#[wasm_bindgen_test]
fn crc32c_portable() {
    conformance::crc32c::check(
        kernel::crc32c::portable::update,
        &[3344, 4180, 7524, 65_536],
    );
}

#[wasm_bindgen_test]
fn crc32c_table() {
    conformance::crc32c::check(kernel::crc32c::table::update, &[16, 1024]);
}

#[wasm_bindgen_test]
fn crc32c_long() {
    // In one piece, and in pieces of 8064 bytes with a longer last one.
    conformance::crc32c::check(
        |crc, bytes| in_pieces(crc, &[bytes]),
        &[kernel::crc32c::KERNELS.shortest, 65_536, 262_144],
    );
    let update = |crc, bytes: &[u8]| {
        let (pieces, rest) = bytes.split_at(bytes.len().saturating_sub(8064) / 8064 * 8064);
        let pieces: Vec<_> = pieces.chunks(8064).chain([rest]).collect();
        in_pieces(crc, &pieces)
    };
    conformance::crc32c::check(update, &[16_000, 24_000, 65_536]);
}

/// Computes a CRC-32C of pieces.
fn in_pieces(crc: u32, pieces: &[&[u8]]) -> u32 {
    use kernel::crc32c::{Digest, History};
    let mut digest = Digest::new(crc);
    let mut history = History::new();
    for (i, piece) in pieces.iter().enumerate() {
        digest.update_with(&mut history, piece, i + 1 == pieces.len());
    }
    digest.crc()
}

#[wasm_bindgen_test]
fn byteswap_simd128() {
    use kernel::byteswap::simd128::copy_swapped;
    conformance::byteswap::check([
        (2, copy_swapped::<2>),
        (4, copy_swapped::<4>),
        (8, copy_swapped::<8>),
    ]);
}

#[wasm_bindgen_test]
fn float16_simd128() {
    use kernel::float16::simd128::{narrow, widen};
    conformance::float16::check(&conformance::float16::Float16 {
        widen: [widen::<false>, widen::<true>],
        narrow: [narrow::<false>, narrow::<true>],
    });
}

#[wasm_bindgen_test]
fn boolean_simd128() {
    conformance::boolean::check(&conformance::boolean::Boolean {
        first_invalid: kernel::boolean::first_invalid,
        copy_normalized: kernel::boolean::copy_normalized,
    });
}

#[wasm_bindgen_test]
fn checksums() {
    use kernel::sums::{portable, simd128};
    conformance::checksum::check_sums(simd128::lanes);
    conformance::checksum::check_sums(portable::lanes);
    conformance::checksum::check_crc32();
    conformance::checksum::check_xxh64();
    conformance::checksum::check_digest();
}

#[wasm_bindgen_test]
fn transpose_simd128() {
    conformance::transpose::check(kernel::transpose::simd128::transpose);
}

#[wasm_bindgen_test]
fn small_floats_simd128() {
    use kernel::small_float::{first_unfit, narrow, portable, simd128};
    conformance::small_numbers::check_floats(simd128::widen, narrow, first_unfit);
    conformance::small_numbers::check_floats(portable::widen, narrow, first_unfit);
}

#[wasm_bindgen_test]
fn small_integers() {
    use kernel::small_int::{first_unfit, narrow, widen};
    conformance::small_numbers::check_integers(widen, narrow, first_unfit);
}

#[wasm_bindgen_test]
fn bfloat16_simd128() {
    use kernel::bfloat16::simd128::{narrow, widen};
    conformance::small_numbers::check_bfloat16(&conformance::small_numbers::Bfloat16 {
        widen: [widen::<false>, widen::<true>],
        narrow: [narrow::<false>, narrow::<true>],
    });
}
