//! CRC-32C (Castagnoli; RFC 3720, section 12.1). Its check value is `update(0, b"123456789") == 0xe306_9283`.
//!
//! Contract: `update(crc, bytes)` is the CRC-32C of what `crc` is of, followed by `bytes`; that of nothing is 0. So
//! `update(update(0, a), b)` is the CRC-32C of `a` and `b` joined. Total, without allocation.
//!
//! Natively the `crc32c` crate does it, with the instructions that x86-64 and AArch64 have for it. WebAssembly has
//! neither those nor carry-less multiplication. There it is `simd128` or, without SIMD, [`portable`], both by
//! [`sparse`] multiples of the polynomial, and [`table`] for short input; [`in_place`] goes before them where the input
//! is long and may be overwritten.

mod combine;
pub mod in_place;
pub mod portable;
#[cfg(target_feature = "simd128")]
pub mod simd128;
pub mod sparse;
pub mod table;

pub use combine::combine;
pub use table::Table;

/// The Castagnoli polynomial, reflected: bit 31 is the coefficient of x^0.
pub const POLYNOMIAL: u32 = 0x82f6_3b78;

/// The CRC-32C of what `crc` is of, followed by `bytes`.
pub fn update(crc: u32, bytes: &[u8]) -> u32 {
    #[cfg(not(target_arch = "wasm32"))]
    return crc32c::crc32c_append(crc, bytes);
    #[cfg(target_feature = "simd128")]
    return simd128::update(crc, bytes);
    #[cfg(all(target_arch = "wasm32", not(target_feature = "simd128")))]
    return portable::update(crc, bytes);
}

/// The CRC-32C of a message that comes in pieces.
///
/// Pieces that may be overwritten come in a buffer, behind [`Digest::ROOM`] bytes that belong to the digest from one
/// piece to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    crc: u32,
    in_place: bool,
}

impl Digest {
    /// Bytes before a piece that may be overwritten.
    pub const ROOM: usize = in_place::PAST;

    /// Begins with the CRC-32C of what comes before the message.
    pub const fn new(initial: u32) -> Self {
        Self {
            crc: initial,
            in_place: false,
        }
    }

    /// Takes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.crc = update(self.crc, bytes);
    }

    /// Takes the next bytes, those behind the room in `buffer`, and may overwrite all of it. None or all pieces come
    /// this way; all but the only one have at least [`Digest::ROOM`] bytes.
    pub fn update_in_place(&mut self, buffer: &mut [u8], is_last: bool) {
        let is_short = is_last && buffer.len() - Self::ROOM < in_place::SHORTEST;
        // Without vectors the bytes that four terms need of the past would cost more time than they save.
        if !cfg!(target_feature = "simd128") || (is_short && !self.in_place) {
            return self.update(&buffer[Self::ROOM..]);
        }
        if !self.in_place {
            in_place::begin(!self.crc, buffer);
            self.in_place = true;
        }
        if is_last {
            // What is left has the register in it already: it begins with 0, as the CRC-32C !0 does.
            self.crc = update(!0, in_place::eliminate_last(buffer));
        } else {
            in_place::eliminate_piece(buffer);
        }
    }

    /// The CRC-32C of the message so far or, of pieces that were overwritten, after the last.
    pub const fn crc(&self) -> u32 {
        self.crc
    }
}
