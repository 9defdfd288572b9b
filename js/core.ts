/** All that calls Rust: one file of the built package, so that its entries share one instance. */

export * from "./chain/create.js";
export * from "./crc32c/crc32c.js";
export * from "./crc32c/stream.js";
export { backend, init, initSync } from "./wasm/instance.js";
export type { ResolvedCodec } from "./wasm/rust.js";
