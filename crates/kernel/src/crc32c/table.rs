//! The kernel for short input: 16 tables, 16 bytes per step ("slicing", Kounavis and Berry, 2005). Serves any reflected
//! CRC of 32 bits.

use super::{POLYNOMIAL, combine::append_zero_byte};
use alloc::boxed::Box;
use once_cell::race::OnceBox;

/// A lookup table of a reflected CRC: the register after each byte, starting from 0.
struct Table([u32; 256]);

impl Table {
    /// Computes the table of a polynomial (reflected).
    fn new(polynomial: u32) -> Self {
        let mut table = Self(core::array::from_fn(|byte| byte as u32));
        table.append_zero_byte(polynomial);
        table
    }

    /// Turns the table of a byte followed by `n` zero bytes into that of a byte followed by `n + 1`.
    fn append_zero_byte(&mut self, polynomial: u32) {
        for register in &mut self.0 {
            *register = append_zero_byte(*register, polynomial);
        }
    }

    /// Returns the register after one more byte.
    const fn step(&self, register: u32, byte: u8) -> u32 {
        self.0[(register as u8 ^ byte) as usize] ^ (register >> 8)
    }
}

const WIDTH: usize = 16;

/// The tables of a polynomial. The last is that of a byte alone, each before it that of a byte followed by one more zero
/// byte. Computed at first use: as constants they would be 16 KiB that do not compress, more than the code.
pub struct Tables {
    polynomial: u32,
    tables: OnceBox<[Table; WIDTH]>,
}

impl Tables {
    /// Creates the tables of a polynomial (reflected).
    pub const fn new(polynomial: u32) -> Self {
        Self {
            polynomial,
            tables: OnceBox::new(),
        }
    }

    /// Continues the CRC `crc` over `bytes`; start with 0.
    pub fn update(&self, crc: u32, bytes: &[u8]) -> u32 {
        !self.register(!crc, bytes)
    }

    /// Returns the register after `bytes`, without the initial and final inversions.
    pub(super) fn register(&self, register: u32, bytes: &[u8]) -> u32 {
        let tables = self.tables.get_or_init(|| make_tables(self.polynomial));
        lookup_all(tables, register, bytes)
    }
}

/// The tables of CRC-32C.
static CRC32C: Tables = Tables::new(POLYNOMIAL);

#[cold]
#[inline(never)]
fn make_tables(polynomial: u32) -> Box<[Table; WIDTH]> {
    let mut table = Table::new(polynomial);
    let mut tables = Box::new([const { Table([0; 256]) }; WIDTH]);
    for slot in tables.iter_mut().rev() {
        slot.0 = table.0;
        table.append_zero_byte(polynomial);
    }
    tables
}

/// Continues the CRC-32C `crc` over `bytes`; start with 0.
pub fn update(crc: u32, bytes: &[u8]) -> u32 {
    CRC32C.update(crc, bytes)
}

/// Returns the register of CRC-32C after `bytes`, without the initial and final inversions.
pub(super) fn register(register: u32, bytes: &[u8]) -> u32 {
    CRC32C.register(register, bytes)
}

/// Returns the register after `bytes`.
#[inline(always)]
fn lookup_all(tables: &[Table; WIDTH], mut register: u32, bytes: &[u8]) -> u32 {
    let (steps, rest) = bytes.as_chunks::<WIDTH>();
    for step in steps {
        // The register is added to the first four bytes. Loading the others singly is less work than splitting words.
        let (first, others) = step.split_first_chunk::<4>().expect("a step is longer");
        let first = (u32::from_le_bytes(*first) ^ register).to_le_bytes();
        let (first_tables, other_tables) = tables.split_at(first.len());
        register = lookup(first_tables, &first) ^ lookup(other_tables, others);
    }
    rest.iter().fold(register, |register, &byte| {
        tables[WIDTH - 1].step(register, byte)
    })
}

/// Returns the sum of the entries of each byte in its own table.
#[inline(always)]
fn lookup(tables: &[Table], bytes: &[u8]) -> u32 {
    tables
        .iter()
        .zip(bytes)
        .fold(0, |sum, (table, &byte)| sum ^ table.0[usize::from(byte)])
}
