//! The window of the module (see [`crate::kernel::window`]).
//!
//! A chunk that fits passes through it in one step: JavaScript copies the chunk into the window, calls a function that
//! takes and returns only numbers, and copies the result out (a call with numbers takes 20 ns, one with arrays 150 to
//! 300). Rust streams longer chunks through it, piece by piece.

use crate::{kernel::window::Window, stream::Memory};
use core::{cell::UnsafeCell, ops::Range};
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

impl Memory for &Uint8Array {
    fn length(&self) -> u32 {
        Uint8Array::length(self)
    }

    fn load(&self, start: u32, target: &mut [u8]) {
        let end = start + target.len() as u32;
        self.subarray(start, end).copy_to(target);
    }

    fn store(&mut self, source: &[u8], start: u32) {
        let end = start + source.len() as u32;
        self.subarray(start, end).copy_from(source);
    }

    fn copy(&mut self, source: &Self, range: Range<u32>) {
        self.set(&source.subarray(range.start, range.end), range.start);
    }
}
