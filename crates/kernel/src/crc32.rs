//! CRC-32 (ISO-HDLC; RFC 1952, section 8), the checksum of gzip, zip and PNG. Its check value is
//! `update(0, b"123456789") == 0xcbf4_3926`.
//!
//! Contract: as that of [`super::crc32c`].

use super::crc32c::{Kernels, Tables, sparse::SparseMultiple};

/// The polynomial of IEEE 802.3, reflected.
const POLYNOMIAL: u32 = 0xedb8_8320;

static TABLES: Tables = Tables::new(POLYNOMIAL);

/// The kernels of CRC-32, for a [`Digest`](super::crc32c::Digest).
pub static KERNELS: Kernels = Kernels {
    update,
    // The only other multiple within 4200 bytes has a shortest offset of 140 bytes: loads would straddle recent stores.
    multiple: SparseMultiple::new([1927, 2181, 4018], POLYNOMIAL),
    shortest: 8 * 1024,
};

/// Continues the CRC-32 `crc` over `bytes`; start with 0.
pub fn update(crc: u32, bytes: &[u8]) -> u32 {
    TABLES.update(crc, bytes)
}
