//! The conformance suites of the kernels. Each runs for every implementation, natively and in WebAssembly.

pub mod boolean;
pub mod byteswap;
pub mod crc32c;
pub mod float16;
pub mod transpose;
