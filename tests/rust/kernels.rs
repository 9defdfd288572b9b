//! The kernels that run natively, each against the conformance suite of its contract.

use crate::conformance;
use zarr_codecs::kernel::crc32c;

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
