//! Frames of zstd, decoded one after another.

use crate::{Chunk, Decoded, Memory};
use zarr_codecs::{
    guard::{
        Problem,
        zstd::{self, Frame},
    },
    kernel::digest::Algorithm,
};
use zrip_core::DecompressError;
use zrip_decode::context::DecompressContext;

/// What the decoder writes beyond the end of a frame, at most.
const MARGIN: usize = 64;

/// Decodes all frames.
pub fn decode<'a>(
    mut chunk: Chunk,
    memory: &'a mut Memory,
    decoder: &mut Decoder,
) -> Result<Decoded<'a>, Problem> {
    let expected = zstd::check(&mut chunk.reader, chunk.decoded_length)?.byte_length;
    let bytes = memory.empty(match expected {
        Some(length) => chunk.size(length)? + MARGIN,
        None => 0,
    });
    let most = expected.unwrap_or(chunk.most());
    let mut is_covered = chunk.verify;
    let mut at = 0;
    while let Some(frame) = zstd::next_frame(&mut chunk.reader, at)? {
        at = frame.end;
        is_covered &= frame.content.checksum.is_some();
        let encoded = &chunk.encoded[frame.start as usize..frame.end as usize];
        // Before it is decoded.
        chunk.size(bytes.len() as u64 + frame.content.least)?;
        let most = most - bytes.len() as u64;
        match decoder.decode(encoded, &frame, most, chunk.verify, bytes)? {
            Outcome::Decoded => {}
            Outcome::TooLong => return Err(chunk.too_long()),
        }
    }
    match expected {
        Some(expected) if bytes.len() as u64 != expected => Err(Problem::Length {
            origin: "frames hold",
            expected,
            actual: bytes.len() as u64,
        }),
        _ => Ok(Decoded { bytes, is_covered }),
    }
}

/// A decoder of frames, which keeps its tables. They are made for the first frame.
#[derive(Default)]
pub struct Decoder(Option<DecompressContext>);

/// How decoding a valid frame ended.
pub enum Outcome {
    /// It is decoded.
    Decoded,
    /// It has more bytes than it may.
    TooLong,
}

impl Decoder {
    /// Decodes a frame, and appends at most `most` bytes.
    pub fn decode(
        &mut self,
        encoded: &[u8],
        frame: &Frame,
        most: u64,
        verify: bool,
        bytes: &mut Vec<u8>,
    ) -> Result<Outcome, Problem> {
        let start = bytes.len();
        let result = self.0.get_or_insert_default().decompress_into_with_limit(
            encoded,
            bytes,
            most as usize,
        );
        let byte_length = (bytes.len() - start) as u64;
        match result {
            // The decoder looks at the largest block of any frame, not at that of the window.
            Ok(_) if byte_length > frame.content.most => {
                Err(Problem::Invalid(BLOCK_TOO_LARGE, frame.start))
            }
            Ok(_) => Ok(Outcome::Decoded),
            // Compared after everything else, so that all bytes are decoded.
            Err(DecompressError::ChecksumMismatch { .. })
                if frame.content.is_stated && byte_length != frame.content.least =>
            {
                Err(Problem::Invalid(OTHER_LENGTH, frame.start))
            }
            Err(DecompressError::ChecksumMismatch { .. }) if !verify => Ok(Outcome::Decoded),
            Err(DecompressError::ChecksumMismatch { expected, got }) => Err(Problem::Checksum {
                algorithm: Algorithm::Xxh64,
                stored: expected,
                computed: got,
                byte_length,
            }),
            Err(DecompressError::OutputTooSmall) => Ok(Outcome::TooLong),
            Err(error) => Err(Problem::Invalid(problem_of(&error), frame.start)),
        }
    }
}

const OTHER_LENGTH: &str = "frame of another length than stated";
const BLOCK_TOO_LARGE: &str = "frame with a block that is too large";

/// Returns what is wrong with a frame, whose structure has been checked.
fn problem_of(error: &DecompressError) -> &'static str {
    match error {
        DecompressError::CorruptLiterals => "frame with invalid literals",
        DecompressError::CorruptSequences => "frame with invalid sequences",
        DecompressError::BlockTooLarge => BLOCK_TOO_LARGE,
        DecompressError::InvalidOffset => "frame with a match before its start",
        DecompressError::FrameSizeMismatch => OTHER_LENGTH,
        DecompressError::BadFseTable => "frame with an invalid FSE table",
        DecompressError::BadHuffmanWeights => "frame with invalid Huffman weights",
        DecompressError::BadHuffmanStream => "frame with an invalid Huffman stream",
        DecompressError::InputExhausted => "frame with a block that ends too early",
        _ => "invalid frame",
    }
}
