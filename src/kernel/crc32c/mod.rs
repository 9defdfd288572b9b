//! CRC-32C (Castagnoli; RFC 3720, section 12.1). Its check value is `update(0, b"123456789") == 0xe306_9283`.
//!
//! Contract: `update(crc, bytes)` is the CRC-32C of what `crc` is of, followed by `bytes`; that of nothing is 0. So
//! `update(update(0, a), b)` is the CRC-32C of `a` and `b` joined. Total, without allocation.
//!
//! Natively the `crc32c` crate does it, with the instructions that x86-64 and AArch64 have for it. WebAssembly has
//! neither those nor carry-less multiplication. There it is [`simd128`] or, without SIMD, [`portable`], both by
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

/// The same, where `bytes` may be overwritten.
pub fn update_in_place(crc: u32, bytes: &mut [u8]) -> u32 {
    #[cfg(target_feature = "simd128")]
    return in_place::update(crc, bytes, update);
    #[cfg(not(target_feature = "simd128"))]
    update(crc, bytes)
}
