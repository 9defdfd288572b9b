//! CRC-32C (Castagnoli; RFC 3720, section 12.1). Its check value is `update(0, b"123456789") == 0xe306_9283`.
//!
//! Contract: `update(crc, bytes)` continues the CRC-32C `crc` over `bytes`; the CRC-32C of no bytes is 0. So
//! `update(update(0, a), b)` is the CRC-32C of `a` followed by `b`. Never fails or panics.
//!
//! Natively this is the `crc32c` crate, which uses the instructions of x86-64 and AArch64. WebAssembly has neither
//! those nor carry-less multiplication. There it is `simd128` or, without SIMD, [`portable`], both based on [`sparse`]
//! multiples of the polynomial, and [`table`] for short input. [`long`] shortens long input before them.

mod combine;
pub mod lanes;
pub mod long;
pub mod portable;
#[cfg(target_feature = "simd128")]
pub mod simd128;
pub mod sparse;
pub mod table;

use crate::byteswap;
pub use combine::{ONE, ORDER, combine, multiply, power_of_byte};
pub use long::History;
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
    /// A multiple with four terms of its polynomial, for [`long`].
    pub multiple: sparse::SparseMultiple<3>,
    /// The bytes below which `update` alone is faster than [`long`]. At least as many as the longest offset.
    pub shortest: usize,
}

/// The kernels of CRC-32C.
pub static KERNELS: Kernels = Kernels {
    update,
    multiple: sparse::FOUR_TERMS,
    // At this length they are equal (Node 20).
    shortest: 28 * 1024,
};

/// An incremental CRC.
#[derive(Clone, Copy, Debug)]
pub struct Digest {
    kernels: &'static Kernels,
    crc: u32,
    /// Whether the bytes so far are in the history.
    in_history: bool,
}

impl Digest {
    /// The shortest piece in bytes, if there are several, for [`Digest::update_with`].
    pub const SHORTEST_PIECE: usize = sparse::FOUR_TERMS.window();

    /// Creates a digest that continues the CRC-32C `initial`; start with 0.
    pub fn new(initial: u32) -> Self {
        Self::with_kernels(&KERNELS, initial)
    }

    /// Creates a digest that continues the CRC `initial` of other kernels; start with 0.
    pub const fn with_kernels(kernels: &'static Kernels, initial: u32) -> Self {
        Self {
            kernels,
            crc: initial,
            in_history: false,
        }
    }

    /// Processes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.crc = (self.kernels.update)(self.crc, bytes);
    }

    /// Processes the next bytes, faster than [`Digest::update`] if there are many, with a history that no other digest uses
    /// before the last piece. Do not mix with [`Digest::update`]. If there are several pieces, each has at least
    /// [`Digest::SHORTEST_PIECE`] bytes, and all but the last consist of whole steps ([`long::STEP`]).
    pub fn update_with(&mut self, history: &mut History, bytes: &[u8], is_last: bool) {
        if !self.is_long(bytes, is_last) {
            return self.update(bytes);
        }
        let (eliminated, left) = self.split(history, bytes, is_last);
        history.eliminate(eliminated, &self.kernels.multiple.0);
        self.finish(history, left, is_last);
    }

    /// Processes the next bytes as [`Digest::update_with`] does, and copies them to `target` with the bytes of each
    /// component of `size` bytes reversed.
    pub fn swap_with(
        &mut self,
        history: &mut History,
        bytes: &[u8],
        target: &mut [u8],
        size: usize,
        is_last: bool,
    ) {
        #[cfg(target_feature = "simd128")]
        if self.is_long(bytes, is_last) {
            let (eliminated, left) = self.split(history, bytes, is_last);
            let (target, target_left) = target.split_at_mut(eliminated.len());
            history.eliminate_swapped(eliminated, &self.kernels.multiple.0, target, size);
            byteswap::copy_swapped_by(size, left, target_left);
            return self.finish(history, left, is_last);
        }
        byteswap::copy_swapped_by(size, bytes, target);
        self.update_with(history, bytes, is_last);
    }

    /// Returns whether the next bytes are eliminated with four terms. Without SIMD, that would take more time than it saves.
    fn is_long(&self, bytes: &[u8], is_last: bool) -> bool {
        let is_short = is_last && bytes.len() < self.kernels.shortest;
        cfg!(target_feature = "simd128") && (self.in_history || !is_short)
    }

    /// Splits the next bytes into those that are eliminated and those that are left. Begins the history if necessary.
    fn split<'a>(
        &mut self,
        history: &mut History,
        bytes: &'a [u8],
        is_last: bool,
    ) -> (&'a [u8], &'a [u8]) {
        let offsets = &self.kernels.multiple.0;
        if !self.in_history {
            history.begin(!self.crc, offsets);
            self.in_history = true;
        }
        bytes.split_at(History::eliminated(bytes.len(), is_last, offsets))
    }

    fn finish(&mut self, history: &mut History, left: &[u8], is_last: bool) {
        if is_last {
            // The register has been added already. Continue with a register of 0, the CRC !0.
            let left = history.finish(left, &self.kernels.multiple.0);
            self.crc = (self.kernels.update)(!0, left);
        }
    }

    /// Returns the CRC so far or, with a history, after the last piece.
    pub const fn crc(&self) -> u32 {
        self.crc
    }
}
