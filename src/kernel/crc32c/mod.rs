//! CRC-32C (Castagnoli; RFC 3720, section 12.1). Its check value is `update(0, b"123456789") == 0xe306_9283`.
//!
//! Contract: `update(crc, bytes)` is the CRC-32C of what `crc` is of, followed by `bytes`; that of nothing is 0. So
//! `update(update(0, a), b)` is the CRC-32C of `a` and `b` joined. Total, without allocation.
//!
//! Natively the `crc32c` crate does it, with the instructions that x86-64 and AArch64 have for it. WebAssembly has
//! neither those nor carry-less multiplication, so there it is [`table`].

mod combine;
pub mod table;

pub use combine::combine;
pub use table::Table;

/// The Castagnoli polynomial, reflected: bit 31 is the coefficient of x^0.
pub const POLYNOMIAL: u32 = 0x82f6_3b78;

/// The CRC-32C of what `crc` is of, followed by `bytes`.
pub fn update(crc: u32, bytes: &[u8]) -> u32 {
    #[cfg(not(target_arch = "wasm32"))]
    return crc32c::crc32c_append(crc, bytes);
    #[cfg(target_arch = "wasm32")]
    return table::update(crc, bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 3720, B.4: the examples, checksums as numbers.
    #[test]
    fn rfc_3720_examples() {
        let ascending: Vec<u8> = (0..32).collect();
        let descending: Vec<u8> = (0..32).rev().collect();
        let mut read_command = [0; 48];
        for (at, byte) in [
            (0, 0x01),
            (1, 0xc0),
            (16, 0x14),
            (22, 0x04),
            (27, 0x14),
            (31, 0x18),
            (32, 0x28),
            (40, 0x02),
        ] {
            read_command[at] = byte;
        }
        let examples: [(&[u8], u32); 6] = [
            (&[0; 32], 0x8a91_36aa),
            (&[0xff; 32], 0x62a8_ab43),
            (&ascending, 0x46dd_794e),
            (&descending, 0x113f_db5c),
            (&read_command, 0xd996_3a56),
            (b"123456789", 0xe306_9283),
        ];
        for (bytes, crc) in examples {
            assert_eq!(update(0, bytes), crc);
            assert_eq!(table::update(0, bytes), crc);
        }
    }

    /// The `crc32c` crate is the oracle, at every length around the table's step and every alignment.
    #[test]
    fn the_table_agrees_with_the_crate_at_all_lengths_and_offsets() {
        let bytes: Vec<u8> = (0..400u32)
            .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8)
            .collect();
        for offset in 0..16 {
            for length in 0..=300 {
                let bytes = &bytes[offset..offset + length];
                assert_eq!(
                    table::update(0x1234_5678, bytes),
                    crc32c::crc32c_append(0x1234_5678, bytes)
                );
            }
        }
    }
}
