/** All that calls Rust: one file of the built package, so that its entries share one instance. */

export { backend, init, initSync, type ResolvedCodec } from "./backend/index.js";
export * from "./chain.js";
export * from "./crc32c.js";
export * from "./fill-value.js";
export * from "./stream.js";
