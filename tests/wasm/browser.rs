//! The wasm-bindgen layer in a browser (`wasm-pack test --headless --chrome`).

#![cfg(target_arch = "wasm32")]

mod guard;
mod kernels;
mod suite;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
