//! `numcodecs.shuffle` for chunks of any length.

use super::{
    stream,
    window::{self, load, store},
};
use crate::{
    chain::blocks::{self, Runs},
    kernel::{Permutation, shuffle, window::SIZE},
};
use js_sys::Uint8Array;

/// Groups the bytes of elements of `size` bytes or, if not `encodes`, reverses that. Both arrays have the same length.
///
/// Blocks are gathered and scattered from here: elements are short, so that a block has few runs.
pub fn run(size: usize, encodes: bool, source: &Uint8Array, target: &Uint8Array) {
    let permutation = shuffle::permutation(size, source.length() as usize);
    let permutation = if encodes {
        permutation
    } else {
        permutation.inverse()
    };
    let end = permutation.byte_length() as u32;
    permute(&permutation, source, target);
    stream::copy(source, end, target, end, source.length() - end);
}

/// Permutes bytes, block by block.
fn permute(permutation: &Permutation, source: &Uint8Array, target: &Uint8Array) {
    if permutation.byte_length() == 0 {
        return;
    }
    let lengths = blocks::lengths_of_blocks(permutation, SIZE as u32);
    for index in 0..blocks::count(permutation, &lengths) {
        let block = blocks::block(permutation, &lengths, index);
        let length = block.permutation.byte_length();
        window::with(|window| {
            let (from, to) = window.halves();
            for_each_run(&block.source, &mut from[..length], |run, start| {
                load(source, start, run)
            });
            crate::kernel::transpose::permute(
                &block.permutation,
                1,
                &from[..length],
                &mut to[..length],
            );
            for_each_run(&block.target, &mut to[..length], |run, start| {
                store(run, target, start)
            });
        });
    }
}

/// Calls `f` with each run of a block and where it is in the whole array.
fn for_each_run(runs: &Runs, block: &mut [u8], f: impl Fn(&mut [u8], u32)) {
    let mut parts = block.chunks_exact_mut(runs.length);
    runs.for_each(|start| {
        if let Some(run) = parts.next() {
            f(run, start as u32);
        }
    });
}
