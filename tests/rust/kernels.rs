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
    // As one piece, and as pieces of 8000 bytes, the last one longer.
    conformance::crc32c::check(
        |crc, bytes| in_place(crc, &[bytes]),
        &[24 * 1024, 65_536, 262_144],
    );
    let update = |crc, bytes: &[u8]| {
        let (pieces, rest) = bytes.split_at(bytes.len().saturating_sub(8000) / 8000 * 8000);
        let pieces: Vec<_> = pieces.chunks(8000).chain([rest]).collect();
        in_place(crc, &pieces)
    };
    conformance::crc32c::check(update, &[16_000, 24_000, 65_536]);
}

fn in_place(crc: u32, pieces: &[&[u8]]) -> u32 {
    use crc32c::Digest;
    let mut digest = Digest::new(crc);
    let mut buffer = vec![0xaa; Digest::ROOM];
    for (i, piece) in pieces.iter().enumerate() {
        buffer.truncate(Digest::ROOM);
        buffer.extend_from_slice(piece);
        digest.update_in_place(&mut buffer, i + 1 == pieces.len());
    }
    digest.crc()
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
