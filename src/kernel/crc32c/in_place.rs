//! The kernel for long input that may be overwritten: sparse multiples (see [`super::sparse`]) with four terms, each
//! byte replaced by what it is when its turn comes. Four terms need 5424 bytes of the past, which are there, in place.
//!
//! All of it is one loop that adds earlier bytes to later ones, over spans shorter than the shortest offset, so that no
//! byte of a span depends on another. Compilers make vector code of it.

use super::sparse::FOUR_TERMS;

const OFFSETS: [usize; 3] = FOUR_TERMS.0;

/// Bytes that are added to at once: whole vectors, and no more than the shortest offset.
const SPAN: usize = OFFSETS[0] / 16 * 16;

/// Below this many bytes it is faster to go on with `rest` at once: at 24 KiB they are equal (Node 20).
const SHORTEST: usize = 24 * 1024;

/// The CRC-32C of what `crc` is of, followed by `bytes`, which are overwritten. What is left of them in the end is done
/// by `rest`, a kernel that takes any length.
pub fn update(crc: u32, bytes: &mut [u8], rest: impl Fn(u32, &[u8]) -> u32) -> u32 {
    if bytes.len() < SHORTEST {
        return rest(crc, bytes);
    }
    for (byte, add) in bytes.iter_mut().zip((!crc).to_le_bytes()) {
        *byte ^= add;
    }
    let end = bytes.len() - FOUR_TERMS.window();
    // At first there is not enough past for all terms.
    let [first, second, third] = OFFSETS;
    eliminate(bytes, first, second, &OFFSETS[..1]);
    eliminate(bytes, second, third, &OFFSETS[..2]);
    eliminate(bytes, third, end, &OFFSETS);
    // What is left is added to, but not eliminated, so it is not added to anything.
    let (past, left) = bytes.split_at_mut(end);
    for offset in OFFSETS {
        add(&mut left[..offset], &past[end - offset..]);
    }
    // `left` is the whole message now: its register begins with 0, which is the checksum !0.
    rest(!0, left)
}

/// Replaces `bytes[start..end]` by what they are when their turn comes.
#[inline(always)]
fn eliminate(bytes: &mut [u8], start: usize, end: usize, offsets: &[usize]) {
    for start in (start..end).step_by(SPAN) {
        let length = SPAN.min(end - start);
        let (past, now) = bytes.split_at_mut(start);
        let now = &mut now[..length];
        let term = |offset: usize| &past[start - offset..][..length];
        match *offsets {
            [a] => add(now, term(a)),
            [a, b] => add2(now, term(a), term(b)),
            [a, b, c] => add3(now, term(a), term(b), term(c)),
            _ => unreachable!("there are three offsets"),
        }
    }
}

fn add(to: &mut [u8], a: &[u8]) {
    for (to, a) in to.iter_mut().zip(a) {
        *to ^= a;
    }
}

fn add2(to: &mut [u8], a: &[u8], b: &[u8]) {
    for ((to, a), b) in to.iter_mut().zip(a).zip(b) {
        *to ^= a ^ b;
    }
}

fn add3(to: &mut [u8], a: &[u8], b: &[u8], c: &[u8]) {
    for (((to, a), b), c) in to.iter_mut().zip(a).zip(b).zip(c) {
        *to ^= a ^ b ^ c;
    }
}
