//! Bytes-to-bytes codecs.

pub mod crc32c;
pub mod shuffle;
