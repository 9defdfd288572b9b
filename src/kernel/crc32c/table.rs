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

/// The last is what a byte does, each before it what a byte followed by one more zero byte does. Made at the first use:
/// 16 KiB that no compression makes smaller would be more than the code.
static TABLES: LazyLock<[Table; WIDTH]> = LazyLock::new(|| {
    let mut tables = [const { Table([0; 256]) }; WIDTH];
    tables[WIDTH - 1] = Table::new(POLYNOMIAL);
    for n in (1..WIDTH).rev() {
        for byte in 0..256 {
            tables[n - 1].0[byte] = tables[WIDTH - 1].step(tables[n].0[byte], 0);
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
    let reversed = &*TABLES;
    let (steps, rest) = bytes.as_chunks::<WIDTH>();
    for step in steps {
        // The register is added to the first four bytes. Loading the others one by one is less work than taking words
        // apart.
        let (first, others) = step.split_first_chunk::<4>().expect("a step is longer");
        let first = (u32::from_le_bytes(*first) ^ register).to_le_bytes();
        let (first_tables, other_tables) = reversed.split_at(first.len());
        register = lookup(first_tables, &first) ^ lookup(other_tables, others);
    }
    rest.iter().fold(register, |register, &byte| {
        reversed[WIDTH - 1].step(register, byte)
    })
}

/// The sum of what the tables say of a byte each.
#[inline(always)]
fn lookup(tables: &[Table], bytes: &[u8]) -> u32 {
    tables
        .iter()
        .zip(bytes)
        .fold(0, |sum, (table, &byte)| sum ^ table.0[usize::from(byte)])
}
