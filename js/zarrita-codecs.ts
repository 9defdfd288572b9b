/** The codecs that `register` loads when a chunk needs Rust: one file of the built package. */

export { init } from "./core.js";
export { BytesCodec, ChecksumCodec } from "./zarrita/codecs.js";
