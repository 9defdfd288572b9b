//! The kernel for short input: 16 tables, 16 bytes at a step ("slicing", Kounavis and Berry, 2005).

use super::POLYNOMIAL;
use std::sync::LazyLock;

/// What one byte does to the register of a reflected CRC.
pub struct Table([u32; 256]);

impl Table {
    /// The table of a polynomial, reflected.
    pub const fn new(polynomial: u32) -> Self {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut register = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                register = (register >> 1) ^ (polynomial * (register & 1));
                bit += 1;
            }
            table[byte] = register;
            byte += 1;
        }
        Self(table)
    }

    /// The register after one more byte.
    pub const fn step(&self, register: u32, byte: u8) -> u32 {
        self.0[(register as u8 ^ byte) as usize] ^ (register >> 8)
    }
}

const WIDTH: usize = 16;

/// `TABLES[n]` is what a byte followed by `n` zero bytes does. Made at the first use: 16 KiB that no compression
/// makes smaller would be more than the code.
static TABLES: LazyLock<[Table; WIDTH]> = LazyLock::new(|| {
    let mut tables = [const { Table([0; 256]) }; WIDTH];
    tables[0] = Table::new(POLYNOMIAL);
    for n in 1..WIDTH {
        for byte in 0..256 {
            tables[n].0[byte] = tables[0].step(tables[n - 1].0[byte], 0);
        }
    }
    tables
});

/// The CRC-32C of what `crc` is of, followed by `bytes`.
pub fn update(crc: u32, bytes: &[u8]) -> u32 {
    !register(!crc, bytes)
}

/// The register after `bytes`, without the inversions at begin and end.
pub(super) fn register(mut register: u32, bytes: &[u8]) -> u32 {
    let tables = &*TABLES;
    let (steps, rest) = bytes.as_chunks::<WIDTH>();
    for step in steps {
        let mixed = u128::from_le_bytes(*step) ^ u128::from(register);
        register = tables
            .iter()
            .rev()
            .zip(mixed.to_le_bytes())
            .fold(0, |sum, (table, byte)| sum ^ table.0[byte as usize]);
    }
    rest.iter()
        .fold(register, |register, &byte| tables[0].step(register, byte))
}
