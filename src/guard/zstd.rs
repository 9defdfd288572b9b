//! Frames of zstd, and skippable frames between them. A frame is a header, blocks, and perhaps a checksum: the lower
//! half of the XXH64 of its decoded bytes. All numbers are little endian.
//!
//! Format: RFC 8878.

use super::{Expected, Problem, Reader, Stored, expect_length};
use crate::kernel::digest::Algorithm;

const MAGIC: u32 = 0xfd2f_b528;
/// The lowest 4 bits are free.
const SKIPPABLE: u32 = 0x184d_2a50;
/// The largest window that decoders accept unless told otherwise.
const LARGEST_WINDOW: u64 = 1 << 27;
/// The largest block, encoded or decoded.
const LARGEST_BLOCK: u64 = 128 * 1024;
/// The shortest compressed block: a byte for each of its two sections.
const SHORTEST_COMPRESSED: u64 = 2;

/// What is known of the decoded bytes of frames.
#[derive(Clone, Copy, Debug, Default)]
pub struct Content {
    /// The least of them.
    pub least: u64,
    /// The most of them.
    pub most: u64,
    /// Whether the headers state their number, which is `least` and `most`.
    pub is_stated: bool,
    /// The stored checksum of the last frame.
    pub checksum: Option<u32>,
}

/// A frame, and where it is in the encoded bytes.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The position of its first byte.
    pub start: u64,
    /// The position after its last byte.
    pub end: u64,
    /// What is known of its decoded bytes.
    pub content: Content,
}

/// Checks frames.
pub fn check(encoded: &mut Reader, decoded_length: Option<u64>) -> Result<Expected, Problem> {
    let mut frames = 0;
    let mut all = Content {
        is_stated: true,
        ..Content::default()
    };
    let mut at = 0;
    while let Some(Frame { content, end, .. }) = next_frame(encoded, at)? {
        at = end;
        frames += 1;
        all.least += content.least;
        all.most += content.most;
        all.is_stated &= content.is_stated;
        all.checksum = content.checksum;
    }
    let expected = decoded_length.unwrap_or(all.least);
    if all.is_stated {
        expect_length("header says", all.least, decoded_length)?;
    } else if all.least > expected {
        expect_length("blocks hold at least", all.least, decoded_length)?;
    } else if all.most < expected {
        expect_length("blocks hold at most", all.most, decoded_length)?;
    }
    Ok(Expected {
        byte_length: decoded_length.or(all.is_stated.then_some(all.least)),
        checksum: all.checksum.filter(|_| frames == 1).map(|value| Stored {
            algorithm: Algorithm::Xxh64,
            value,
            covered: None,
        }),
        ..Expected::default()
    })
}

/// Checks the frame at a position or after the skippable frames there; none if there is none.
pub fn next_frame(encoded: &mut Reader, mut at: u64) -> Result<Option<Frame>, Problem> {
    // At least one magic number, so that no bytes at all are truncated.
    while at == 0 || at != encoded.length() {
        let magic = encoded.number(at, 4)? as u32;
        if magic & !0xf == SKIPPABLE {
            at += 8 + encoded.number(at + 4, 4)?;
            continue;
        }
        if magic != MAGIC {
            return Err(encoded.invalid("no frame (28b52ffd)", at));
        }
        let start = at;
        let content = check_frame(encoded, &mut at)?;
        return Ok(Some(Frame {
            start,
            end: at,
            content,
        }));
    }
    Ok(None)
}

/// A frame header after its magic number.
struct Header {
    window: u64,
    content_size: Option<u64>,
    has_checksum: bool,
}

/// Checks a frame, and moves the position after it.
fn check_frame(encoded: &mut Reader, at: &mut u64) -> Result<Content, Problem> {
    *at += 4;
    let header = read_header(encoded, at)?;
    let largest = header.window.min(LARGEST_BLOCK);
    let mut content = Content::default();
    loop {
        let fields = take(encoded, at, 3)?;
        let (is_last, kind, size) = (fields & 1 == 1, fields >> 1 & 3, fields >> 3);
        let (encoded_size, least, most) = match kind {
            _ if size > largest => return Err(encoded.invalid("block that is too large", *at - 3)),
            0 => (size, size, size), // Stored.
            1 => (1, size, size),    // One byte, repeated.
            2 if size >= SHORTEST_COMPRESSED => (size, 0, largest),
            _ => return Err(encoded.invalid("invalid block", *at - 3)),
        };
        *at += encoded_size;
        content.least += least;
        content.most += most;
        if is_last {
            break;
        }
    }
    if header.has_checksum {
        content.checksum = Some(take(encoded, at, 4)? as u32);
    }
    encoded.bytes(*at, 0)?;
    if let Some(size) = header.content_size {
        if size < content.least || size > content.most {
            return Err(encoded.invalid("blocks of another length than stated", *at));
        }
        (content.least, content.most, content.is_stated) = (size, size, true);
    }
    Ok(content)
}

/// Checks the header of a frame, and moves the position after it.
fn read_header(encoded: &mut Reader, at: &mut u64) -> Result<Header, Problem> {
    let descriptor = take(encoded, at, 1)?;
    // Bit 4 is unused: decoders must ignore it.
    if descriptor & 1 << 3 != 0 {
        return Err(encoded.invalid("invalid frame header", *at - 1));
    }
    let is_single_segment = descriptor & 1 << 5 != 0;
    let window = take(encoded, at, usize::from(!is_single_segment))?;
    let dictionary = take(encoded, at, [0, 1, 2, 4][descriptor as usize & 3])?;
    if dictionary != 0 {
        return Err(encoded.invalid("frame that needs a dictionary", *at));
    }
    let size = match descriptor >> 6 {
        0 => usize::from(is_single_segment),
        exponent => 1 << exponent,
    };
    let stated = take(encoded, at, size)?.saturating_add(if size == 2 { 256 } else { 0 });
    let window = if is_single_segment {
        stated
    } else {
        let base = 1 << (10 + (window >> 3));
        base + base / 8 * (window & 7)
    };
    if !is_single_segment && window > LARGEST_WINDOW {
        return Err(encoded.invalid("window of more than 128 MiB", *at));
    }
    Ok(Header {
        window,
        content_size: (size > 0).then_some(stated),
        has_checksum: descriptor & 1 << 2 != 0,
    })
}

/// Reads a number, and moves the position after it.
fn take(encoded: &mut Reader, at: &mut u64, size: usize) -> Result<u64, Problem> {
    let number = encoded.number(*at, size)?;
    *at += size as u64;
    Ok(number)
}
