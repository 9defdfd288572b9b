//! Files of gzip: members, each a header, deflated data, and a trailer with the CRC-32 and the number of its decoded
//! bytes (modulo 2^32). Nearly all have one member.
//!
//! Where a member ends is known only after it has been decoded. So the trailer at the end is taken for that of the only
//! member, unless it states less than the expected length and there are bytes like the header of another member. Then
//! it is that of the last, which covers the last bytes. What it states is believed only if nothing contradicts it: at the
//! end of a file that was cut short, or that bytes were appended to, are other bytes.
//!
//! Format: RFC 1952.

use super::{Expected, Problem, Reader, Stored, zlib::SHORTEST};
use crate::kernel::{crc32, digest::Algorithm};

/// The fixed part of a header.
const HEADER: usize = 10;
/// The length of a trailer.
pub const TRAILER: usize = 8;
/// How many bytes a byte of deflated data decodes to at most.
const MOST_PER_BYTE: u64 = 1032;
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
    let data = read_header(encoded)?;
    encoded.bytes(data, SHORTEST + TRAILER)?;
    let trailer = encoded.number(encoded.length() - TRAILER as u64, TRAILER)?;
    let (crc, size) = (trailer as u32, (trailer >> 32) as u32);
    let may_be_last = decoded_length.is_none_or(|expected| expected > size.into());
    let is_last = may_be_last && has_another(encoded, data);
    let is_possible = u64::from(size) <= encoded.length() * MOST_PER_BYTE
        && decoded_length.is_none_or(|expected| expected as u32 == size);
    Ok(Expected {
        byte_length: decoded_length,
        checksum: Some(Stored {
            algorithm: Algorithm::Crc32,
            value: crc,
            covered: is_last.then_some(size),
        }),
        stated: (!is_last).then_some(size),
        is_contradictory: !is_last && !is_possible,
    })
}

/// Checks the header, and returns its length.
pub fn read_header(encoded: &mut Reader) -> Result<u64, Problem> {
    let header = encoded.bytes(0, HEADER)?;
    if !header.starts_with(&MAGIC) {
        return Err(encoded.invalid("no header (1f8b08)", 0));
    }
    let flags = header[3];
    if flags & flag::RESERVED != 0 {
        return Err(encoded.invalid("invalid flags", 3));
    }
    let mut at = HEADER as u64;
    if flags & flag::EXTRA != 0 {
        at += 2 + encoded.number(at, 2)?;
    }
    for text in [flag::NAME, flag::COMMENT] {
        if flags & text != 0 {
            while encoded.number(at, 1)? != 0 {
                at += 1;
            }
            at += 1;
        }
    }
    if flags & flag::CRC != 0 {
        let stored = encoded.number(at, 2)?;
        let mut crc = 0;
        for at in 0..at {
            crc = crc32::update(crc, encoded.bytes(at, 1)?);
        }
        if stored != u64::from(crc as u16) {
            return Err(encoded.invalid("header with a wrong checksum", at));
        }
        at += 2;
    }
    Ok(at)
}

/// Returns whether there are bytes like the header of a further member, after that whose data begins at `data`.
fn has_another(encoded: &mut Reader, data: u64) -> bool {
    let first = data + (SHORTEST + TRAILER) as u64;
    let shortest = (HEADER + SHORTEST + TRAILER) as u64;
    let end = (encoded.length() + 1).saturating_sub(shortest);
    (first..end).any(|at| is_member(encoded, at))
}

/// Returns whether there are bytes like the header of a member at a position.
pub fn is_member(encoded: &mut Reader, at: u64) -> bool {
    // One byte first, since most are different.
    encoded.number(at, 1) == Ok(MAGIC[0].into())
        && encoded
            .bytes(at, HEADER)
            .is_ok_and(|header| header.starts_with(&MAGIC) && header[3] & flag::RESERVED == 0)
}
