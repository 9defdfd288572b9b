//! Array-to-bytes codecs.

pub mod bytes;
pub mod sharding_indexed;
