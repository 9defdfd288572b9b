//! Explains wrong checksums.
//!
//! A CRC is linear: what a known change of a message does to it depends on the place of the change alone. So most causes
//! follow from the stored and the computed checksum, and need none or few bytes of the chunk.

mod flipped_bit;
mod mistakes;

use crate::{
    error::Error,
    kernel::{
        checksum::{CHECKSUM_SIZE, Mismatch},
        crc32c::History,
        digest::Algorithm,
        window::SIZE,
    },
};
use alloc::{string::String, vec};
use serde::Serialize;

/// The probable cause of a wrong checksum.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnosis {
    /// A stable name of the cause, for example `big_endian`.
    pub code: &'static str,
    /// The cause in words.
    pub message: String,
    /// The index of the flipped byte in the encoded chunk, if the code is `flipped_bit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte_offset: Option<u64>,
    /// The flipped bit of that byte; 0 is the lowest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bit: Option<u8>,
}

impl Diagnosis {
    fn new(code: &'static str, message: impl Into<String>) -> Option<Self> {
        Some(Self {
            code,
            message: message.into(),
            byte_offset: None,
            bit: None,
        })
    }
}

/// Fills the second argument with the bytes of the encoded chunk from a position on.
pub type Read<'a> = &'a dyn Fn(u64, &mut [u8]);

/// The memory of a checksum, and two buffers of [`SIZE`] bytes.
pub type Workspace<'a> = (&'a mut History, &'a mut [u8], &'a mut [u8]);

/// Compares the stored checksum of `byte_length` bytes with the computed one.
///
/// # Errors
/// Returns [`Error::ChecksumMismatch`], without a diagnosis.
pub fn compare(
    algorithm: Algorithm,
    stored: u32,
    computed: u32,
    byte_length: u64,
) -> Result<(), Error> {
    if stored == computed {
        return Ok(());
    }
    Err(Error::ChecksumMismatch {
        checksum: algorithm.name(),
        stored,
        computed,
        byte_length,
        diagnosis: None,
    })
}

/// Returns the error for a mismatch in a chunk of `length` bytes.
pub fn diagnose(mismatch: Mismatch, length: u64, workspace: Workspace, read: Read) -> Error {
    // A later checksum that matches proves that the chunk is as it was written.
    let is_last = mismatch.byte_length + CHECKSUM_SIZE as u64 == length;
    // The least ambiguous first: one flipped bit may explain what is something else, and likelier in longer chunks.
    let diagnosis = mistakes::of_checksums(mismatch)
        .or_else(|| mistakes::of_ends(mismatch, read))
        .or_else(|| mistakes::of_payload(mismatch, (workspace.0, workspace.1, workspace.2), read))
        .or_else(|| is_last.then(|| flipped_bit::diagnose(mismatch))?)
        .or_else(|| is_last.then(|| mistakes::of_missing_bytes(mismatch))?);
    Error::checksum(mismatch, diagnosis)
}

/// Returns the error for a mismatch at the end of a stream, whose bytes are gone.
pub fn diagnose_stream(mismatch: Mismatch) -> Error {
    let diagnosis = mistakes::of_checksums(mismatch).or_else(|| flipped_bit::diagnose(mismatch));
    Error::checksum(mismatch, diagnosis)
}

/// Returns the error for a mismatch in a chunk that is in memory.
pub fn diagnose_bytes(mismatch: Mismatch, encoded: &[u8]) -> Error {
    let read = |at: u64, target: &mut [u8]| {
        target.copy_from_slice(&encoded[at as usize..][..target.len()]);
    };
    let (mut a, mut b) = (vec![0; SIZE], vec![0; SIZE]);
    diagnose(
        mismatch,
        encoded.len() as u64,
        (&mut History::new(), &mut a, &mut b),
        &read,
    )
}
