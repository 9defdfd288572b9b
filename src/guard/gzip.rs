//! Files of gzip: members, each a header, deflated data, and a trailer with the CRC-32 and the number of its decoded
//! bytes (modulo 2^32). Nearly all have one member.
//!
//! Where a member ends is known only after it has been decoded. So the trailer at the end is taken for that of the only
//! member, unless it states less than the expected length and there are bytes like the header of another member. Then
//! it is that of the last, which covers the last bytes.
//!
//! Format: RFC 1952.

use super::{Expected, Problem, Reader, Stored, expect_length, zlib::SHORTEST};
use crate::kernel::{crc32, digest::Algorithm};
use alloc::format;

/// The fixed part of a header.
const HEADER: u64 = 10;
const TRAILER: u64 = 8;
/// The first bytes of a member: the magic number, and the method, of which there is one.
const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

mod flag {
    pub const CRC: u8 = 1 << 1;
    pub const EXTRA: u8 = 1 << 2;
    pub const NAME: u8 = 1 << 3;
    pub const COMMENT: u8 = 1 << 4;
    pub const RESERVED: u8 = 0xe0;
}

/// Checks a file.
pub fn check(encoded: &mut Reader, decoded_length: Option<u64>) -> Result<Expected, Problem> {
    let header = read_header(encoded)?;
    let length = encoded.length();
    let trailer = length.checked_sub(TRAILER);
    let (Some(trailer), true) = (trailer, length >= header + SHORTEST + TRAILER) else {
        return Err(Problem::truncated("the trailer"));
    };
    let number = |at| {
        let number = encoded.u32(at);
        number.ok_or_else(|| Problem::truncated("the trailer"))
    };
    let [crc, size] = [trailer, trailer + 4].map(number);
    let (crc, size) = (crc?, size?);
    let is_only = decoded_length == Some(size.into());
    let may_be_last = decoded_length.is_none_or(|expected| expected > size.into());
    let byte_length = if !is_only && may_be_last && has_another(encoded, header) {
        decoded_length
    } else {
        expect_length("trailer says", size.into(), decoded_length)?;
        Some(size.into())
    };
    Ok(Expected {
        byte_length,
        checksum: Some(Stored {
            algorithm: Algorithm::Crc32,
            value: crc,
            covered: Some(size),
        }),
    })
}

/// Checks the header, and returns its length.
fn read_header(encoded: &mut Reader) -> Result<u64, Problem> {
    let truncated = || Problem::truncated("the header");
    let fixed: [u8; HEADER as usize] = encoded.bytes(0).ok_or_else(truncated)?;
    if fixed[..3] != MAGIC {
        let [a, b, c, ..] = fixed;
        return Err(Problem::Invalid(format!(
            "expected the first bytes 1f 8b 08, got {a:02x} {b:02x} {c:02x}"
        )));
    }
    let flags = fixed[3];
    if flags & flag::RESERVED != 0 {
        return Err(Problem::Invalid(format!("invalid flags 0x{flags:02x}")));
    }
    let mut at = HEADER;
    if flags & flag::EXTRA != 0 {
        let length = encoded.bytes(at).map(u16::from_le_bytes);
        at += 2 + u64::from(length.ok_or_else(truncated)?);
    }
    for text in [flag::NAME, flag::COMMENT] {
        if flags & text != 0 {
            while encoded.byte(at).ok_or_else(truncated)? != 0 {
                at += 1;
            }
            at += 1;
        }
    }
    if flags & flag::CRC != 0 {
        let stored = encoded.bytes(at).map(u16::from_le_bytes);
        let stored = stored.ok_or_else(truncated)?;
        let computed = crc_of(encoded, at).ok_or_else(truncated)? as u16;
        if stored != computed {
            return Err(Problem::Invalid(format!(
                "header is corrupt: crc16 stored 0x{stored:04x}, computed 0x{computed:04x}"
            )));
        }
        at += 2;
    }
    Ok(at)
}

/// Returns the CRC-32 of the first bytes.
fn crc_of(encoded: &mut Reader, length: u64) -> Option<u32> {
    (0..length).try_fold(0, |crc, at| Some(crc32::update(crc, &[encoded.byte(at)?])))
}

/// Returns whether there are bytes like the header of a further member, after a header of the given length.
fn has_another(encoded: &mut Reader, header: u64) -> bool {
    let first = header + SHORTEST + TRAILER;
    let shortest = HEADER + SHORTEST + TRAILER;
    let end = (encoded.length() + 1).saturating_sub(shortest);
    (first..end).any(|at| {
        // One byte first, since most are different.
        encoded.byte(at) == Some(MAGIC[0])
            && encoded
                .bytes(at)
                .is_some_and(|[a, b, c, flags]| [a, b, c] == MAGIC && flags & flag::RESERVED == 0)
    })
}
