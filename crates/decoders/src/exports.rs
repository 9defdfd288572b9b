//! What JavaScript calls: functions of numbers, with memory that JavaScript reads and writes.

use crate::{Decoded, Decoder};
use std::cell::UnsafeCell;
use zarr_codecs::guard::{Format, Problem};

/// The state between calls.
struct State {
    encoded: Vec<u8>,
    /// The number of encoded bytes that JavaScript writes.
    length: usize,
    decoder: Option<Decoder>,
    /// The message of an error.
    message: String,
    /// Where the decoded bytes or the message are.
    result: (*const u8, usize),
    /// The numbers of an error.
    numbers: [f64; 3],
}

/// The only state: a module has one thread, and nothing that it calls calls back.
struct Global(UnsafeCell<State>);

// SAFETY: there is one thread.
unsafe impl Sync for Global {}

static STATE: Global = Global(UnsafeCell::new(State {
    encoded: Vec::new(),
    length: 0,
    decoder: None,
    message: String::new(),
    result: (core::ptr::null(), 0),
    numbers: [0.0; 3],
}));

/// Runs a function with the state.
fn with<T>(run: impl FnOnce(&mut State) -> T) -> T {
    // SAFETY: exports are not called while another runs, and none calls `with` twice at a time.
    run(unsafe { &mut *STATE.0.get() })
}

/// Returns memory for the encoded bytes, all of which JavaScript writes.
#[unsafe(no_mangle)]
extern "C" fn reserve(length: usize) -> *mut u8 {
    with(|state| {
        state.encoded = Vec::with_capacity(length);
        state.length = length;
        state.encoded.as_mut_ptr()
    })
}

/// Decodes the encoded bytes. `decoded_length` is negative if it is not known. Returns what the result is: 0 for bytes that
/// checksums do not cover, 1 for bytes that they do, and for the message of an error what [`kind_of`] returns.
#[unsafe(no_mangle)]
extern "C" fn decode_chunk(format: usize, decoded_length: f64, verify: bool) -> u32 {
    with(|state| {
        // SAFETY: `reserve` has allocated as many bytes, and JavaScript has written them.
        unsafe { state.encoded.set_len(core::mem::take(&mut state.length)) };
        let length = (decoded_length >= 0.0).then_some(decoded_length as u64);
        let encoded = core::mem::take(&mut state.encoded);
        let decoder = state.decoder.get_or_insert_default();
        match decoder.decode(Format::ALL[format], &encoded, length, verify) {
            Ok(Decoded { bytes, is_covered }) => {
                state.result = (bytes.as_ptr(), bytes.len());
                is_covered.into()
            }
            Err(problem) => {
                state.message = problem.text();
                state.result = (state.message.as_ptr(), state.message.len());
                let (kind, numbers) = kind_of(&problem);
                state.numbers = numbers;
                kind
            }
        }
    })
}

/// Returns the kind of an error, and the numbers in it: none; the expected and the actual length; the stored and the computed
/// checksum, and the number of bytes.
fn kind_of(problem: &Problem) -> (u32, [f64; 3]) {
    match *problem {
        Problem::Invalid(..) => (2, [0.0; 3]),
        Problem::Length {
            expected, actual, ..
        } => (3, [expected as f64, actual as f64, 0.0]),
        Problem::Checksum {
            stored,
            computed,
            byte_length,
            ..
        } => (4, [stored.into(), computed.into(), byte_length as f64]),
    }
}

/// Returns the address of the result.
#[unsafe(no_mangle)]
extern "C" fn result() -> *const u8 {
    with(|state| state.result.0)
}

/// Returns the length of the result in bytes.
#[unsafe(no_mangle)]
extern "C" fn result_length() -> usize {
    with(|state| state.result.1)
}

/// Returns the address of the numbers of an error.
#[unsafe(no_mangle)]
extern "C" fn numbers() -> *const f64 {
    with(|state| state.numbers.as_ptr())
}
