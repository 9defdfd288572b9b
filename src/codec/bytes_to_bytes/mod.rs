//! Bytes-to-bytes codecs.
//!
//! `crc32c` joins the step of the codec before it. The others are steps of their own, each an [`Operation`].

pub mod crc32c;
pub mod numcodecs_checksum;
mod operation;
pub mod shuffle;

pub use operation::Operation;
