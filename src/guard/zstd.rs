//! Frames of zstd, and skippable frames between them. A frame is a header, blocks, and perhaps a checksum: the lower
//! half of the XXH64 of its decoded bytes. All numbers are little endian.
//!
//! Format: RFC 8878.

use super::{Expected, Problem, Reader, Stored, expect_length};
use crate::kernel::digest::Algorithm;
use alloc::format;

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
#[derive(Clone, Copy, Default)]
struct Content {
    /// The least and the most of them.
    least: u64,
    most: u64,
    /// Whether the headers state their number, which is `least` and `most`.
    is_stated: bool,
    checksum: Option<u32>,
}

/// Checks frames.
pub fn check(encoded: &mut Reader, decoded_length: Option<u64>) -> Result<Expected, Problem> {
    let mut frames = 0;
    let mut all = Content {
        is_stated: true,
        ..Content::default()
    };
    let mut at = 0;
    while at < encoded.length() {
        let magic = encoded
            .u32(at)
            .ok_or_else(|| Problem::truncated("a frame header"))?;
        if magic & !0xf == SKIPPABLE {
            let size = encoded.u32(at + 4);
            at += 8 + u64::from(size.ok_or_else(|| Problem::truncated("a skippable frame"))?);
            continue;
        }
        if magic != MAGIC {
            let [a, b, c, d] = magic.to_le_bytes();
            return Err(Problem::Invalid(format!(
                "expected the first bytes of a frame, 28 b5 2f fd, got {a:02x} {b:02x} {c:02x} {d:02x} at byte {at}"
            )));
        }
        let content = check_frame(encoded, &mut at)?;
        frames += 1;
        all.least = all.least.saturating_add(content.least);
        all.most = all.most.saturating_add(content.most);
        all.is_stated &= content.is_stated;
        all.checksum = content.checksum;
    }
    if at > encoded.length() {
        return Err(Problem::truncated("a skippable frame"));
    }
    if frames == 0 {
        return Err(Problem::Invalid("no frame".into()));
    }
    if all.is_stated {
        expect_length("header says", all.least, decoded_length)?;
    } else if let Some(expected) = decoded_length {
        expect_length(
            "blocks hold at least",
            all.least.max(expected),
            decoded_length,
        )?;
        expect_length(
            "blocks hold at most",
            all.most.min(expected),
            decoded_length,
        )?;
    }
    let checksum = all.checksum.filter(|_| frames == 1);
    Ok(Expected {
        byte_length: if all.is_stated {
            Some(all.least)
        } else {
            decoded_length
        },
        checksum: checksum.map(|value| Stored {
            algorithm: Algorithm::Xxh64,
            value,
            covered: None,
        }),
    })
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
        let [a, b, c] = encoded
            .bytes(*at)
            .ok_or_else(|| Problem::truncated("a block header"))?;
        let fields = u32::from_le_bytes([a, b, c, 0]);
        let (is_last, kind, size) = (fields & 1 == 1, fields >> 1 & 3, u64::from(fields >> 3));
        if kind == 3 || size > largest || (kind == 2 && size < SHORTEST_COMPRESSED) {
            return Err(Problem::Invalid(format!(
                "invalid block of type {kind} and {size} bytes at byte {at}"
            )));
        }
        *at += 3;
        let (encoded_size, least, most) = match kind {
            0 => (size, size, size), // Stored.
            1 => (1, size, size),    // One byte, repeated.
            _ => (size, 0, largest),
        };
        *at += encoded_size;
        content.least += least;
        content.most += most;
        if *at > encoded.length() {
            return Err(Problem::truncated("a block"));
        }
        if is_last {
            break;
        }
    }
    if header.has_checksum {
        let stored = encoded.u32(*at);
        content.checksum = Some(stored.ok_or_else(|| Problem::truncated("the checksum"))?);
        *at += 4;
    }
    if let Some(size) = header.content_size {
        if !(content.least..=content.most).contains(&size) {
            return Err(Problem::Invalid(format!(
                "header says {size} decoded bytes, the blocks {} to {}",
                content.least, content.most
            )));
        }
        (content.least, content.most, content.is_stated) = (size, size, true);
    }
    Ok(content)
}

/// Checks the header of a frame, and moves the position after it.
fn read_header(encoded: &mut Reader, at: &mut u64) -> Result<Header, Problem> {
    let truncated = || Problem::truncated("a frame header");
    let descriptor = encoded.byte(*at).ok_or_else(truncated)?;
    *at += 1;
    // Bit 4 is unused: decoders must ignore it.
    let is_reserved = descriptor & 1 << 3 != 0;
    let is_single_segment = descriptor & 1 << 5 != 0;
    if is_reserved {
        return Err(Problem::Invalid(format!(
            "invalid frame header descriptor 0x{descriptor:02x}"
        )));
    }
    let mut number = |size: u64| {
        let bytes = (0..size).try_fold(0, |number, index| {
            let byte = encoded.byte(*at + index).ok_or_else(truncated)?;
            Ok(number | u64::from(byte) << (8 * index))
        });
        *at += size;
        bytes
    };
    let window = match is_single_segment {
        true => None,
        false => Some(number(1)?),
    };
    let dictionary = number([0, 1, 2, 4][usize::from(descriptor & 3)])?;
    if dictionary != 0 {
        return Err(Problem::Invalid(format!(
            "needs the dictionary {dictionary}"
        )));
    }
    let content_size = match (descriptor >> 6, is_single_segment) {
        (0, false) => None,
        (0, true) => Some(number(1)?),
        (1, _) => Some(number(2)? + 256),
        (2, _) => Some(number(4)?),
        _ => Some(number(8)?),
    };
    let window = match window {
        Some(byte) => {
            let base = 1 << (10 + (byte >> 3));
            let size = base + base / 8 * (byte & 7);
            if size > LARGEST_WINDOW {
                return Err(Problem::Invalid(format!(
                    "window of {size} bytes, expected at most {LARGEST_WINDOW}"
                )));
            }
            size
        }
        None => content_size.unwrap_or_default(),
    };
    Ok(Header {
        window,
        content_size,
        has_checksum: descriptor & 1 << 2 != 0,
    })
}
