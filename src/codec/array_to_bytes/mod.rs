//! Array-to-bytes codecs.

pub mod bytes;
