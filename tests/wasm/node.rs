//! The wasm-bindgen layer in Node (`wasm-pack test --node`).

#![cfg(target_arch = "wasm32")]

mod guard;
mod kernels;
mod suite;
