//! CRC-32 (ISO-HDLC, the checksum of zip and PNG), used only to recognize one stored in place of a CRC-32C.

use super::crc32c::Table;

/// The polynomial of IEEE 802.3, reflected.
const POLYNOMIAL: u32 = 0xedb8_8320;

/// Continues the CRC-32 `crc` over `bytes`; start with 0.
pub fn update(crc: u32, bytes: &[u8]) -> u32 {
    // Computed for each piece: only corrupt chunks need it, and a constant would add 1 KiB to the module.
    let table = Table::new(POLYNOMIAL);
    !bytes
        .iter()
        .fold(!crc, |register, &byte| table.step(register, byte))
}

/// The check value is that of the CRC catalogue.
#[test]
fn the_check_value_is_the_published_one() {
    assert_eq!(update(update(0, b"1234"), b"56789"), 0xcbf4_3926);
}
