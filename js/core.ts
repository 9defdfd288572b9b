/** Everything that calls Rust: one file of the built package, so that its entries share one instance. */

export { AsyncCodecChain } from "./chain/async-codec-chain.js";
export { loadChunkCheck } from "./chain/check.js";
export type { RecordViews, TextViews } from "./chain/chunk.js";
export {
  type Chunk,
  type ChunkLike,
  type ChunkParts,
  CodecChain,
  type EncodableArrayOf,
} from "./chain/codec-chain.js";
export { codecChainForArray, createCodecChain, decode, encode, requestFor, resolve } from "./chain/create.js";
export type {
  CodecRegistry,
  ExternalCodec,
  ExternalCodecClass,
} from "./chain/external.js";
export { GuardedCodec } from "./chain/guarded-codec.js";
export { hasHostCodec } from "./chain/host-codecs.js";
export { type LoadOptions, loadCodecChain } from "./chain/load.js";
export type { ExternalStep, ResolvedCodec } from "./chain/resolved.js";
export { coordinatesOf } from "./chain/shard/shard-index.js";
export type { ShardLayout } from "./chain/shard/shard-layout.js";
export { ChecksumCodec } from "./crc32c/codec.js";
export * from "./crc32c/crc32c.js";
export { expectVerify, report, type Verify } from "./crc32c/mismatch.js";
export { repairFlippedBit } from "./crc32c/repair.js";
export * from "./crc32c/stream.js";
export { fillComponents } from "./fill-value.js";
export {
  chunkNamedBy,
  coordinatesInArray,
  type Division,
  divide,
  inOrderOf,
  type Level,
  withPath,
} from "./shards/divide.js";
export { indexRange, LocatedIndex } from "./shards/index-reader.js";
export { lengthError } from "./shards/joined-request.js";
export { locating, placed, placeOf } from "./shards/places.js";
export { expectPresent, RangeReader } from "./shards/range-reader.js";
export { Shard, type ShardDecodeOptions, type ShardOptions } from "./shards/shard.js";
export { SharedRequests } from "./shards/shared-requests.js";
export { fromDate, NAT, type TimeConfiguration, toDate, toMilliseconds } from "./time.js";
export { backend, init, initSync } from "./wasm/instance.js";
