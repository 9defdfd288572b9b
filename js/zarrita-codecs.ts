/** The codecs that `register` loads when a chunk needs Rust: one file of the built package. */

export { init } from "./core.js";
export { BytesCodec, Crc32cCodec } from "./zarrita/codecs.js";
