//! The conformance suites of the kernels. Each runs for every implementation, natively and in WebAssembly.

pub mod boolean;
pub mod byteswap;
pub mod checksum;
pub mod crc32c;
pub mod float16;
pub mod small_numbers;
pub mod transpose;

/// Pseudo-random bytes, in which a wrong offset does not find the same bytes again.
pub fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        (state >> 24) as u8
    };
    (0..length).map(|_| next()).collect()
}
