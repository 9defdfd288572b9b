//! The one window (see [`crate::kernel::window`]).
//!
//! What fits goes through it in one step: JavaScript copies it into the window, calls a function that takes and returns
//! only numbers, and copies the outcome out (a call with numbers takes 20 ns, one with arrays 150 to 300). What is longer
//! is streamed through it from Rust, piece by piece.

use crate::kernel::{
    crc32c::Digest,
    pieces,
    window::{SIZE, Window},
};
use core::cell::UnsafeCell;
use js_sys::Uint8Array;

struct Shared(UnsafeCell<Window>);

// SAFETY: the module has one thread and one memory; see `with` for who has access when.
unsafe impl Sync for Shared {}

static WINDOW: Shared = Shared(UnsafeCell::new(Window::new()));

/// Runs `f` with the window.
///
/// Not a lock: a call that a stack overflow in JavaScript has aborted would leave it locked.
pub fn with<T>(f: impl FnOnce(&mut Window) -> T) -> T {
    // SAFETY: only exported functions call this, never one call inside another, and what they call in JavaScript (the
    // methods of plain typed arrays) does not call back. JavaScript writes to the window between those calls only.
    f(unsafe { &mut *WINDOW.0.get() })
}

/// JavaScript's view of the window's encoded half. It stays valid: this memory does not grow.
pub fn encoded_view() -> Uint8Array {
    // SAFETY: the window is static and its memory fixed. JavaScript's accesses are not Rust's: `with` separates them.
    with(|window| unsafe { Uint8Array::view(window.halves().0) })
}

/// JavaScript's view of the window's decoded half.
pub fn decoded_view() -> Uint8Array {
    // SAFETY: as above.
    with(|window| unsafe { Uint8Array::view(window.halves().1) })
}

/// Fills `target` with `source[start..]`.
pub fn load(source: &Uint8Array, start: u32, target: &mut [u8]) {
    let end = start + target.len() as u32;
    source.subarray(start, end).copy_to(target);
}

/// Continues the CRC-32C `initial` over `bytes`; start with 0.
pub fn crc32c(bytes: &Uint8Array, initial: u32) -> u32 {
    let mut digest = Digest::new(initial);
    with(|window| {
        for piece in pieces(bytes.length(), SIZE) {
            let (encoded, _) = window.halves();
            load(bytes, piece.start, &mut encoded[..piece.length()]);
            digest.update_in_place(window.buffer(piece.length()), piece.is_last);
        }
    });
    digest.crc()
}
