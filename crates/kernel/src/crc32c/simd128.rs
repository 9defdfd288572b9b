//! The kernel for WebAssembly with SIMD: sparse multiples (see [`super::sparse`]) on vectors of 16 bytes.
//!
//! The history that six terms need, 224 bytes, fits into 14 vectors, which stay in registers or on the stack. So an
//! offset that is not a multiple of 16 is a shuffle of two vectors, not a load that straddles two recent stores, which
//! processors cannot forward. A message is processed in blocks of 14 vectors:
//!
//! ```text
//! |<- zeros, head ->|  block  |  block  | ... |  last block  |
//!      eliminated     eliminated ...              |  not eliminated, only added to
//!                                       14 vectors: the first 7 eliminated by eight terms, the last 7 left
//!                                                                   112 bytes: with tables
//! ```
//!
//! Zeros before a message do not change its remainder, so the head is padded to whole blocks.

use super::{
    sparse::{EIGHT_TERMS, SIX_TERMS, SparseMultiple},
    table,
};
use crate::vector::{load, store};
use core::arch::wasm32::*;

/// Bytes per vector.
const LANES: usize = 16;
/// Vectors per block: as many as six terms reach back, so that each vector replaces the one that is no longer needed.
const VECTORS: usize = SIX_TERMS.window().div_ceil(LANES);
const BLOCK: usize = VECTORS * LANES;
/// Vectors that are left at the end.
const REST: usize = EIGHT_TERMS.window().div_ceil(LANES);
const _: () = assert!(
    VECTORS == 14 && REST == 7,
    "the loops below are written out"
);

/// Below this many bytes the tables alone are faster: for 256 bytes they take 121 ns, this kernel 133 (Node 20).
const SHORTEST: usize = 288;

/// Continues the CRC-32C `crc` over `bytes`; start with 0.
pub fn update(crc: u32, bytes: &[u8]) -> u32 {
    if bytes.len() < SHORTEST {
        return table::update(crc, bytes);
    }
    let (head, blocks, last) = split(bytes);
    let mut history = [ZERO; VECTORS];
    eliminate_head(&mut history, crc, head);
    eliminate_blocks(&mut history, blocks);
    !finish(&mut history, last)
}

/// Splits a message into its head, of at least the length of the register and less than that more than a block; whole
/// blocks; and the last block.
fn split(bytes: &[u8]) -> (&[u8], &[[u8; BLOCK]], &[u8; BLOCK]) {
    let (head, blocks) = bytes.split_at(REGISTER + (bytes.len() - REGISTER) % BLOCK);
    let (last, blocks) = blocks
        .as_chunks()
        .0
        .split_last()
        .expect("SHORTEST is more than a block and a register");
    (head, blocks, last)
}

const REGISTER: usize = size_of::<u32>();
const _: () = assert!(SHORTEST >= REGISTER + BLOCK);

const ZERO: v128 = u32x4(0, 0, 0, 0);

/// Eliminates the head, after the zeros that make it whole blocks.
fn eliminate_head(history: &mut [v128; VECTORS], crc: u32, head: &[u8]) {
    let mut padded = [0; 2 * BLOCK];
    let start = padded.len() - head.len();
    padded[start..].copy_from_slice(head);
    // The register is added to the first four bytes, which are all in the head.
    for (byte, add) in padded[start..].iter_mut().zip((!crc).to_le_bytes()) {
        *byte ^= add;
    }
    let (padded, _) = padded.as_chunks();
    eliminate_blocks(history, &padded[start / BLOCK..]);
}

/// Repeats a block of code with each literal as a constant: arrays with constant indices only can stay in registers.
macro_rules! each {
    ([$($literal:literal)*] |$index:ident| $code:block) => {
        $({ const $index: usize = $literal; $code })*
    };
}

/// Eliminates blocks with six terms. Replaces `history`, the block before them, by the vectors of the last one at the
/// time of their elimination.
#[inline(never)]
fn eliminate_blocks(history: &mut [v128; VECTORS], blocks: &[[u8; BLOCK]]) {
    let mut past = *history; // A local array stays in registers.
    for block in blocks {
        let (block, _) = block.as_chunks();
        each!([0 1 2 3 4 5 6 7 8 9 10 11 12 13] |I| {
            past[I] = add(load(&block[I]), &SIX_TERMS, &past, I);
        });
    }
    *history = past;
}

/// Returns the register after the last block, which has not been eliminated yet.
#[inline(never)]
fn finish(history: &mut [v128; VECTORS], block: &[u8; BLOCK]) -> u32 {
    let (block, _) = block.as_chunks();
    let mut left = [ZERO; VECTORS];
    each!([0 1 2 3 4 5 6 7 8 9 10 11 12 13] |I| {
        left[I] = add(load(&block[I]), &SIX_TERMS, history, I);
        history[I] = ZERO; // This vector is not eliminated, so it is not added to later ones.
    });
    let mut history = [ZERO; REST];
    each!([0 1 2 3 4 5 6] |I| {
        history[I] = add(left[I], &EIGHT_TERMS, &history, I);
    });
    let mut rest = [[0; LANES]; REST];
    each!([0 1 2 3 4 5 6] |I| {
        store(&mut rest[I], add(left[REST + I], &EIGHT_TERMS, &history, I));
        history[I] = ZERO;
    });
    table::register(0, rest.as_flattened())
}

/// Adds the terms of `multiple` to `vector`, which will replace the vector at `index` of the ring buffer `history`.
#[inline(always)]
fn add<const N: usize, const OFFSETS: usize>(
    mut vector: v128,
    multiple: &SparseMultiple<OFFSETS>,
    history: &[v128; N],
    index: usize,
) -> v128 {
    // The nearest term, which has just been computed, comes last, so that only one addition waits for it.
    let mut i = OFFSETS;
    while i > 0 {
        i -= 1;
        let (back, bytes) = (multiple.0[i] / LANES, multiple.0[i] % LANES);
        let later = history[(index + 2 * N - back) % N];
        let earlier = history[(index + 2 * N - back - 1) % N];
        vector = v128_xor(vector, straddle(earlier, later, bytes));
    }
    vector
}

/// Returns the last `bytes` bytes of `earlier`, followed by the first bytes of `later`.
#[inline(always)]
fn straddle(earlier: v128, later: v128, bytes: usize) -> v128 {
    macro_rules! from {
        ($start:literal) => {
            i8x16_shuffle::<
                { $start },
                { $start + 1 },
                { $start + 2 },
                { $start + 3 },
                { $start + 4 },
                { $start + 5 },
                { $start + 6 },
                { $start + 7 },
                { $start + 8 },
                { $start + 9 },
                { $start + 10 },
                { $start + 11 },
                { $start + 12 },
                { $start + 13 },
                { $start + 14 },
                { $start + 15 },
            >(earlier, later)
        };
    }
    match LANES - bytes {
        1 => from!(1),
        2 => from!(2),
        3 => from!(3),
        4 => from!(4),
        5 => from!(5),
        6 => from!(6),
        7 => from!(7),
        8 => from!(8),
        9 => from!(9),
        10 => from!(10),
        11 => from!(11),
        12 => from!(12),
        13 => from!(13),
        14 => from!(14),
        15 => from!(15),
        _ => later,
    }
}
