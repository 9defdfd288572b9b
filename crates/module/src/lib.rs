//! The published WebAssembly module: the crate `zarr-codecs`, and what takes the place of `std` for it.
//!
//! It is a crate of its own because tests of the other one bring `std` themselves.

#![cfg(target_arch = "wasm32")]
#![cfg_attr(not(feature = "chain"), no_std)]

use talc::wasm::{WasmArenaTalc, new_wasm_arena_allocator};

// What it exports to JavaScript.
extern crate zarr_codecs;

/// Bytes that everything allocated in Rust comes from: metadata while it is read, strings of messages, the tables of
/// CRC-32C. The largest metadata accepted takes up to 70 % of this; `tests/packaging/memory.test.mjs` holds the two
/// together.
const ARENA_SIZE: usize = 256 * 1024;

/// The memory is fixed. One that grows detaches every view that JavaScript has of it (and in a module translated to
/// JavaScript it does not even detach them), so this one never grows. The TypeScript side refuses metadata that would not
/// fit.
#[global_allocator]
static ALLOCATOR: WasmArenaTalc = {
    static mut ARENA: [u8; ARENA_SIZE] = [0; ARENA_SIZE];
    // SAFETY: ARENA is named nowhere else, so the allocator alone reads and writes it.
    unsafe { new_wasm_arena_allocator(&raw mut ARENA) }
};

/// Ends the call with a trap; TypeScript starts again with a fresh instance. In the large module, `std` does that, because
/// `serde-wasm-bindgen` needs it.
#[cfg(not(feature = "chain"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
