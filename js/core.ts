/** Everything that calls Rust: one file of the built package, so that its entries share one instance. */

export {
  ArrayReader,
  type ChunkLocation,
  type EncodedChunk,
  type StoredGrid,
} from "./array/array-reader.js";
export type { CheckOptions } from "./array/checked.js";
export { codecName, endsWithChecksum, hasChecksum, storesElements } from "./array/codec-names.js";
export type { CheckOutcome, InnerOutcome, Proof } from "./array/outcome.js";
export type { ArrayStore } from "./array/store-reader.js";
export { AsyncCodecChain } from "./chain/async-codec-chain.js";
export type { RecordViews, TextViews } from "./chain/chunk.js";
export {
  type Chunk,
  type ChunkLike,
  type ChunkParts,
  CodecChain,
  type EncodableArrayOf,
} from "./chain/codec-chain.js";
export { createCodecChain, decode, encode } from "./chain/create.js";
export type {
  CodecRegistry,
  ExternalCodec,
  ExternalCodecClass,
} from "./chain/external.js";
export { type LoadOptions, loadCodecChain } from "./chain/load.js";
export type { ResolvedCodec } from "./chain/resolved.js";
export { coordinatesOf } from "./chain/shard/shard-index.js";
export { ChecksumCodec } from "./crc32c/codec.js";
export * from "./crc32c/crc32c.js";
export { type Crc32cOptions, decodeCrc32c, encodeCrc32c } from "./crc32c/encoded.js";
export type { Verify } from "./crc32c/mismatch.js";
export { Crc32cCodec } from "./crc32c/numcodecs.js";
export { repairFlippedBit } from "./crc32c/repair.js";
export * from "./crc32c/stream.js";
export { type Division, divide, inOrderOf } from "./shard/division.js";
export { isDamage, readAgain } from "./shard/read-again.js";
export { openShard, Shard, type ShardDecodeOptions, type ShardOptions } from "./shard/shard.js";
export { type OpenArrayOptions, openArray } from "./store/open-array.js";
export { showArray } from "./store/shown-array.js";
export { backend, init, initSync } from "./wasm/instance.js";
