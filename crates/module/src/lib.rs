//! The published WebAssembly module: the crate `zarr-codecs` with an allocator and a panic handler.
//!
//! A crate of its own, because the tests of `zarr-codecs` link `std`, which has both.

#![cfg(target_arch = "wasm32")]
#![cfg_attr(not(feature = "chain"), no_std)]

use talc::wasm::{WasmArenaTalc, new_wasm_arena_allocator};

// Linked for its exports to JavaScript.
extern crate zarr_codecs;

/// The size in bytes of the heap: metadata while it is read, messages, the tables of CRC-32C. The largest metadata that
/// is accepted fits, as `tests/packaging/memory.test.mjs` checks.
const ARENA_SIZE: usize = 376 * 1024;

/// An allocator on a fixed arena, so that the memory never grows. Growing would detach every view that JavaScript has
/// of it (and in a module translated to JavaScript would leave stale views attached). TypeScript rejects metadata that
/// would not fit.
#[global_allocator]
static ALLOCATOR: WasmArenaTalc = {
    static mut ARENA: [u8; ARENA_SIZE] = [0; ARENA_SIZE];
    // SAFETY: ARENA is visible only in this block, so nothing but the allocator accesses it.
    unsafe { new_wasm_arena_allocator(&raw mut ARENA) }
};

/// Aborts the call with a trap; TypeScript then creates a new instance. With the feature `chain`, `std` provides the
/// panic handler, because `serde-wasm-bindgen` depends on it.
#[cfg(not(feature = "chain"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
