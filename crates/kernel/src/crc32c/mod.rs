//! CRC-32C (Castagnoli; RFC 3720, section 12.1). Its check value is `update(0, b"123456789") == 0xe306_9283`.
//!
//! Contract: `update(crc, bytes)` continues the CRC-32C `crc` over `bytes`; the CRC-32C of no bytes is 0. So
//! `update(update(0, a), b)` is the CRC-32C of `a` followed by `b`. Never fails or panics.
//!
//! Natively this is the `crc32c` crate, which uses the instructions of x86-64 and AArch64. WebAssembly has neither
//! those nor carry-less multiplication. There it is `simd128` or, without SIMD, [`portable`], both based on [`sparse`]
//! multiples of the polynomial, and [`table`] for short input. [`in_place`] shortens long input that may be overwritten
//! before them.

mod combine;
pub mod in_place;
pub mod lanes;
pub mod portable;
#[cfg(target_feature = "simd128")]
pub mod simd128;
pub mod sparse;
pub mod table;

use crate::byteswap;
pub use combine::{ONE, ORDER, combine, multiply, power_of_byte};
pub use table::Tables;

/// The Castagnoli polynomial, reflected: bit 31 is the coefficient of x^0.
pub const POLYNOMIAL: u32 = 0x82f6_3b78;

/// Continues the CRC-32C `crc` over `bytes`; start with 0.
pub fn update(crc: u32, bytes: &[u8]) -> u32 {
    #[cfg(not(target_arch = "wasm32"))]
    return crc32c::crc32c_append(crc, bytes);
    #[cfg(target_feature = "simd128")]
    return simd128::update(crc, bytes);
    #[cfg(all(target_arch = "wasm32", not(target_feature = "simd128")))]
    return portable::update(crc, bytes);
}

/// What a CRC is computed with.
#[derive(Debug)]
pub struct Kernels {
    /// Continues a CRC over bytes.
    pub update: fn(u32, &[u8]) -> u32,
    /// A multiple with four terms of its polynomial, for [`in_place`].
    pub multiple: sparse::SparseMultiple<3>,
}

/// The kernels of CRC-32C.
pub static KERNELS: Kernels = Kernels {
    update,
    multiple: sparse::FOUR_TERMS,
};

/// An incremental CRC.
///
/// Pieces that may be overwritten are passed in one buffer, after [`Digest::ROOM`] bytes that are reserved for the
/// digest until the last piece.
#[derive(Clone, Copy, Debug)]
pub struct Digest {
    kernels: &'static Kernels,
    crc: u32,
    in_place: bool,
}

impl Digest {
    /// The number of reserved bytes before a piece that may be overwritten.
    pub const ROOM: usize = in_place::HISTORY;

    /// Creates a digest that continues the CRC-32C `initial`; start with 0.
    pub fn new(initial: u32) -> Self {
        Self::with_kernels(&KERNELS, initial)
    }

    /// Creates a digest that continues the CRC `initial` of other kernels; start with 0.
    pub const fn with_kernels(kernels: &'static Kernels, initial: u32) -> Self {
        Self {
            kernels,
            crc: initial,
            in_place: false,
        }
    }

    /// Processes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.crc = (self.kernels.update)(self.crc, bytes);
    }

    /// Processes the next bytes, those after the first [`Digest::ROOM`] of `buffer`, and may overwrite all of it. Do
    /// not mix with [`Digest::update`]. If there are several pieces, each has at least [`Digest::ROOM`] bytes.
    pub fn update_in_place(&mut self, buffer: &mut [u8], is_last: bool) {
        if self.overwrites(buffer, is_last) {
            self.eliminate(buffer, is_last, ());
        } else {
            self.update(&buffer[Self::ROOM..]);
        }
    }

    /// Processes the next bytes as [`Digest::update_in_place`] does, and copies them to `target` with the bytes of each
    /// component of `size` bytes reversed.
    pub fn swap_in_place(
        &mut self,
        buffer: &mut [u8],
        target: &mut [u8],
        size: usize,
        is_last: bool,
    ) {
        if self.overwrites(buffer, is_last) {
            let copy = in_place::SwappedCopy::new(target, size);
            self.eliminate(buffer, is_last, copy);
        } else {
            let bytes = &buffer[Self::ROOM..];
            byteswap::copy_swapped_by(size, bytes, target);
            self.update(bytes);
        }
    }

    /// Returns whether the next bytes are overwritten.
    fn overwrites(&self, buffer: &[u8], is_last: bool) -> bool {
        let is_short = is_last && buffer.len() - Self::ROOM < in_place::SHORTEST;
        // Without SIMD, copying the history would take more time than four terms save.
        cfg!(target_feature = "simd128") && (self.in_place || !is_short)
    }

    fn eliminate(&mut self, buffer: &mut [u8], is_last: bool, copy: impl in_place::PieceCopy) {
        let offsets = &self.kernels.multiple.0;
        if !self.in_place {
            in_place::begin(!self.crc, buffer, offsets);
            self.in_place = true;
        }
        if is_last {
            // The register has been added already. Continue with a register of 0, the CRC !0.
            let left = in_place::eliminate_last(buffer, offsets, copy);
            self.crc = (self.kernels.update)(!0, left);
        } else {
            in_place::eliminate_piece(buffer, offsets, copy);
        }
    }

    /// Returns the CRC so far or, of pieces that may be overwritten, after the last one.
    pub const fn crc(&self) -> u32 {
        self.crc
    }
}
