//! What every implementation of a kernel must do, run for each of them, natively and in WebAssembly.

pub mod boolean;
pub mod byteswap;
pub mod crc32c;
pub mod float16;
