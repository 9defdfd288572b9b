//! CRC-32 (ISO-HDLC; RFC 1952, section 8), the checksum of gzip, zip and PNG. Its check value is
//! `update(0, b"123456789") == 0xcbf4_3926`.
//!
//! Contract: as that of [`super::crc32c`].

use super::crc32c::Tables;

/// The polynomial of IEEE 802.3, reflected.
const POLYNOMIAL: u32 = 0xedb8_8320;

static TABLES: Tables = Tables::new(POLYNOMIAL);

/// Continues the CRC-32 `crc` over `bytes`; start with 0.
pub fn update(crc: u32, bytes: &[u8]) -> u32 {
    TABLES.update(crc, bytes)
}
