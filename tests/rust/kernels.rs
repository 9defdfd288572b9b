//! The kernels that run natively, each against the conformance suite of its contract.

use crate::conformance::{self, float16::Float16};
use zarr_codecs::kernel::{byteswap, crc32c, float16};

#[test]
fn crc32c_as_dispatched() {
    conformance::crc32c::check(crc32c::update, &[1024, 65_536]);
}

#[test]
fn crc32c_table() {
    conformance::crc32c::check(crc32c::table::update, &[16, 1024]);
}

#[test]
fn crc32c_portable() {
    // Where it begins, and where one, two and three blocks are full.
    conformance::crc32c::check(
        crc32c::portable::update,
        &[3344, 4180, 7524, 10_868, 65_536],
    );
}

#[test]
fn crc32c_in_place() {
    let update = |crc, bytes: &[u8]| {
        crc32c::in_place::update(crc, &mut bytes.to_vec(), crc32c::table::update)
    };
    conformance::crc32c::check(update, &[24 * 1024, 65_536]);
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
