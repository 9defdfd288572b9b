//! CRC-32 (ISO-HDLC, the checksum of zip and PNG), only to recognize it where a CRC-32C should stand.

use super::crc32c::Table;

/// The polynomial of IEEE 802.3, reflected.
const POLYNOMIAL: u32 = 0xedb8_8320;

/// The CRC-32 of what `crc` is of, followed by `bytes`. Begins with 0.
pub fn update(crc: u32, bytes: &[u8]) -> u32 {
    // Made anew for each piece: it is needed of damaged chunks only, and would be 1 KiB of the module.
    let table = Table::new(POLYNOMIAL);
    !bytes
        .iter()
        .fold(!crc, |register, &byte| table.step(register, byte))
}

// The check value in the CRC catalogue.
#[test]
fn the_check_value_is_the_published_one() {
    assert_eq!(update(update(0, b"1234"), b"56789"), 0xcbf4_3926);
}
