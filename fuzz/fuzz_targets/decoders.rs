#![no_main]

#[path = "../targets/decoders.rs"]
mod decoders;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| decoders::decoders(bytes));
