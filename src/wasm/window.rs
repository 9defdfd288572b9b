//! The window of the module (see [`crate::kernel::window`]).
//!
//! A chunk that fits passes through it in one step: JavaScript copies the chunk into the window, calls a function that
//! takes and returns only numbers, and copies the result out (a call with numbers takes 20 ns, one with arrays 150 to
//! 300). Rust streams longer chunks through it, piece by piece.

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
/// Not a lock: a call aborted by a stack overflow in JavaScript would leave it locked.
pub fn with<T>(f: impl FnOnce(&mut Window) -> T) -> T {
    // SAFETY: calls are never nested: only exported functions call this, once at a time, and the JavaScript that they
    // call (methods of plain typed arrays) does not call back. JavaScript uses its views of the window only between
    // those calls.
    f(unsafe { &mut *WINDOW.0.get() })
}

/// Returns a view of the window's encoded half for JavaScript. It stays valid, because the memory does not grow.
pub fn encoded_view() -> Uint8Array {
    // SAFETY: the window is static and the memory fixed. JavaScript and Rust never use it at once, see `with`.
    with(|window| unsafe { Uint8Array::view(window.halves().0) })
}

/// Returns a view of the window's decoded half for JavaScript.
pub fn decoded_view() -> Uint8Array {
    // SAFETY: as above.
    with(|window| unsafe { Uint8Array::view(window.halves().1) })
}

/// Fills `target` with `source[start..]`.
pub fn load(source: &Uint8Array, start: u32, target: &mut [u8]) {
    let end = start + target.len() as u32;
    source.subarray(start, end).copy_to(target);
}

/// Copies `source` to `target[start..]`.
#[cfg(feature = "chain")]
pub fn store(source: &[u8], target: &Uint8Array, start: u32) {
    let end = start + source.len() as u32;
    target.subarray(start, end).copy_from(source);
}

/// Continues the CRC-32C `initial` over `bytes`; start with 0.
pub fn crc32c(bytes: &Uint8Array, initial: u32) -> u32 {
    let mut digest = Digest::new(initial);
    with(|window| {
        for piece in pieces(bytes.length(), SIZE) {
            let (history, encoded, _) = window.parts();
            let part = &mut encoded[..piece.length()];
            load(bytes, piece.start, part);
            digest.update_with(history, part, piece.is_last);
        }
    });
    digest.crc()
}
