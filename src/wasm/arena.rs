//! The fixed memory that everything allocated in Rust comes from: metadata while it is read, strings of messages.
//!
//! A memory that grows detaches every view that JavaScript has of it (and in a module translated to JavaScript it
//! does not even detach them), so this one never grows. The TypeScript side refuses metadata that would not fit.

use talc::wasm::{WasmArenaTalc, new_wasm_arena_allocator};

/// The largest metadata accepted takes up to 70 % of this; `tests/packaging/memory.test.mjs` holds the two together.
const SIZE: usize = 256 * 1024;

#[global_allocator]
static ALLOCATOR: WasmArenaTalc = {
    static mut ARENA: [u8; SIZE] = [0; SIZE];
    // SAFETY: ARENA is named nowhere else, so the allocator alone reads and writes it.
    unsafe { new_wasm_arena_allocator(&raw mut ARENA) }
};
