//! The software kernel: eight tables, eight bytes at a step ("slicing by 8", Kounavis and Berry, 2005).

use super::POLYNOMIAL;

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

const WIDTH: usize = 8;

/// `TABLES[n]` is what a byte followed by `n` zero bytes does.
static TABLES: [Table; WIDTH] = {
    const ZERO: Table = Table([0; 256]);
    let mut tables = [ZERO; WIDTH];
    tables[0] = Table::new(POLYNOMIAL);
    let mut n = 1;
    while n < WIDTH {
        let mut byte = 0;
        while byte < 256 {
            tables[n].0[byte] = tables[0].step(tables[n - 1].0[byte], 0);
            byte += 1;
        }
        n += 1;
    }
    tables
};

/// The CRC-32C of what `crc` is of, followed by `bytes`.
pub fn update(crc: u32, bytes: &[u8]) -> u32 {
    let (steps, rest) = bytes.as_chunks::<WIDTH>();
    let mut register = !crc;
    for step in steps {
        let mut mixed = u64::from_le_bytes(*step) ^ u64::from(register);
        register = 0;
        for table in TABLES.iter().rev() {
            register ^= table.0[mixed as u8 as usize];
            mixed >>= 8;
        }
    }
    !rest
        .iter()
        .fold(register, |register, &byte| TABLES[0].step(register, byte))
}
