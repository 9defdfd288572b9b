//! Mistakes of writers, and bytes that are missing or too many.

use super::{Diagnosis, Read, Workspace};
use crate::kernel::{
    byteswap,
    checksum::{CHECKSUM_SIZE, Mismatch},
    crc32,
    crc32c::{
        self, ORDER, POLYNOMIAL, combine,
        lanes::{BLOCK, Lanes, RING},
        multiply, power_of_byte,
    },
    pieces,
    window::SIZE,
};
use crate::text::counted;

/// How many bytes at most are missing or too many.
const MOST_BYTES: usize = 64;
/// These bytes, and a checksum.
const MOST_AT_END: usize = MOST_BYTES + CHECKSUM_SIZE;

/// The longest payload whose checksum in the other byte order is computed: that takes longer than all else.
const LONGEST_SWAPPED: usize = 1 << 24;

/// The shortest message of which a checksum is recognized: that of a few bytes may be those bytes.
const SHORTEST: u64 = 8;

/// Recognizes a cause by the checksums alone.
pub fn of_checksums(mismatch: Mismatch) -> Option<Diagnosis> {
    let Mismatch {
        stored, computed, ..
    } = mismatch;
    // What the inversion before the first byte contributes.
    let initial = combine(!0, 0, mismatch.byte_length);
    if stored == 0 && computed == !initial {
        return Diagnosis::new("zeros", "all bytes of the chunk are zero");
    }
    if stored == computed.swap_bytes() {
        return Diagnosis::new("big_endian", "the checksum is stored big endian");
    }
    if [!0, initial, !initial].contains(&(stored ^ computed)) {
        let message = "the stored value is the CRC-32C without its initial or final inversion";
        return Diagnosis::new("not_inverted", message);
    }
    if stored == computed.rotate_right(15).wrapping_add(0xa282_ead8) {
        let message = "the stored value is the CRC-32C masked as in LevelDB";
        return Diagnosis::new("masked", message);
    }
    None
}

/// Recognizes a cause by the first and the last bytes of the chunk.
pub fn of_ends(mismatch: Mismatch, read: Read) -> Option<Diagnosis> {
    let Mismatch {
        stored,
        computed,
        byte_length,
    } = mismatch;
    let mut first = [0; CHECKSUM_SIZE];
    read(0, &mut first);
    let whole = crc32c::update(computed, &stored.to_le_bytes());
    // The CRC-32C of all bytes after the first, from those of the first and of all.
    if u32::from_le_bytes(first) == combine(crc32c::update(0, &first), whole, byte_length) {
        return Diagnosis::new("at_start", "the checksum is at the start of the chunk");
    }

    let count = byte_length.saturating_sub(SHORTEST).min(MOST_BYTES as u64) as usize;
    let mut last = [0; MOST_AT_END];
    let last = &mut last[..count + CHECKSUM_SIZE];
    read(byte_length - count as u64, last);
    let (mut shorter, mut longer) = (!computed, !computed);
    for extra in 1..=count {
        let at = count - extra;
        const BACK: u32 = power_of_byte(ORDER - 1, POLYNOMIAL);
        shorter = multiply(BACK, shorter, POLYNOMIAL) ^ u32::from(last[at]);
        if !shorter == stored {
            return counting(
                "extended",
                "the stored value is the checksum of the payload without its last ",
                extra,
                "byte",
            );
        }
        if last[at..].first_chunk() == Some(&(!shorter).to_le_bytes()) {
            return counting("extended", "the checksum is followed by ", extra, "byte");
        }
        longer = multiply(power_of_byte(1, POLYNOMIAL), longer, POLYNOMIAL);
        if !longer == stored {
            return counting(
                "truncated",
                "the stored value is the checksum of the payload followed by ",
                extra,
                "zero byte",
            );
        }
    }
    None
}

/// Recognizes a cause by all bytes of the payload.
pub fn of_payload(mismatch: Mismatch, workspace: Workspace, read: Read) -> Option<Diagnosis> {
    let (history, buffer, work) = workspace;
    let (ring, work) = work.split_at_mut(RING * BLOCK);
    let mut lanes = Lanes::new(ring.as_chunks_mut().0.first_chunk_mut()?);
    let mut zip = crc32c::Digest::with_kernels(&crc32::KERNELS, 0);

    let length = mismatch.byte_length as usize;
    let end = Lanes::block_count(length) * BLOCK;
    let is_short = length <= LONGEST_SWAPPED;
    for piece in pieces(length as u32, SIZE) {
        let bytes = &mut buffer[..piece.length()];
        let start = piece.start as usize;
        read(start as u64, bytes);
        if is_short && start < end {
            let blocks = &bytes[..bytes.len().min(end - start)];
            lanes.eliminate(blocks.as_chunks().0);
        }
        zip.update_with(history, bytes, piece.is_last);
    }
    if mismatch.stored == zip.crc() {
        let message =
            "the stored value is the CRC-32 of these bytes; some writers confuse it with CRC-32C";
        return Diagnosis::new("crc32", message);
    }
    if !is_short {
        return None;
    }

    let left = &mut buffer[..length - end];
    read(end as u64, left);
    lanes.finish(left);
    let work = &mut work[..left.len()];
    // The CRC !0 is a register of 0.
    let remainder = crc32c::update(!0, left);
    for size in [2, 4, 8] {
        if length.is_multiple_of(size) {
            byteswap::copy_swapped_by(size, left, work);
            if remainder ^ crc32c::update(!0, work) == mismatch.stored ^ mismatch.computed {
                const BEFORE: &str = "the stored value is the checksum of the payload in the other byte order, in units of ";
                return counting("byte_swapped", BEFORE, size, "byte");
            }
        }
    }
    None
}

/// Recognizes a checksum whose last bytes are missing, so that its first ones are not where they belong.
pub fn of_missing_bytes(mismatch: Mismatch) -> Option<Diagnosis> {
    let stored = mismatch.stored.to_le_bytes();
    // Of a third byte, one in 256 chunks would have the same.
    for missing in [1, 2] {
        let (payload, start) = stored.split_at(missing);
        let checksum = crc32c::update(mismatch.computed, payload).to_le_bytes();
        if checksum.starts_with(start) {
            return counting(
                "truncated",
                "the chunk probably lacks its last ",
                missing,
                "byte",
            );
        }
    }
    None
}

/// Returns a diagnosis whose message ends with a number of things.
#[inline(never)]
fn counting(code: &'static str, before: &str, count: usize, noun: &str) -> Option<Diagnosis> {
    Diagnosis::new(code, text![before, counted(count as u64, noun)])
}
