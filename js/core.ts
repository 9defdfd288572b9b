/** Everything that calls Rust: one file of the built package, so that its entries share one instance. */

export { AsyncCodecChain } from "./chain/async-codec-chain.js";
export {
  type Chunk,
  type ChunkLike,
  type ChunkParts,
  CodecChain,
  type EncodableArrayOf,
} from "./chain/codec-chain.js";
export { codecChainForArray, createCodecChain, decode, encode, requestFor, resolve } from "./chain/create.js";
export type { RecordViews, TextViews } from "./chain/elements.js";
export {
  type CodecRegistry,
  type ExternalCodec,
  type ExternalCodecClass,
  GuardedCodec,
} from "./chain/external.js";
export { type LoadMetadata, type LoadOptions, loadCodecChain } from "./chain/load.js";
export type { External, ResolvedCodec } from "./chain/resolved.js";
export { ChecksumCodec } from "./crc32c/codec.js";
export * from "./crc32c/crc32c.js";
export { expectVerify, report, type Verify } from "./crc32c/mismatch.js";
export * from "./crc32c/stream.js";
export { fillComponents } from "./fill-value.js";
export { fromDate, NAT, type TimeConfiguration, toDate, toMilliseconds } from "./time.js";
export { backend, init, initSync } from "./wasm/instance.js";
