/**
 * Zarr v3 codec chains: [`bytes`](https://zarr-specs.readthedocs.io/en/latest/v3/codecs/bytes/) (legacy name `endian`),
 * [`crc32c`](https://zarr-specs.readthedocs.io/en/latest/v3/codecs/crc32c/),
 * [`transpose`](https://zarr-specs.readthedocs.io/en/latest/v3/codecs/transpose/),
 * [`sharding_indexed`](https://zarr-specs.readthedocs.io/en/latest/v3/codecs/sharding-indexed/), `reshape`, the shuffle and
 * the checksums of numcodecs, and around them the codecs of others.
 *
 * @module
 */

export {
  ArrayReader,
  type ArrayStore,
  AsyncCodecChain,
  backend,
  type CheckOptions,
  type CheckOutcome,
  type Chunk,
  type ChunkLike,
  type ChunkLocation,
  type ChunkParts,
  CodecChain,
  type CodecRegistry,
  Crc32c,
  Crc32cDecoderStream,
  Crc32cEncoderStream,
  type Crc32cOptions,
  crc32c,
  crc32cCombine,
  createCodecChain,
  decode,
  decodeCrc32c,
  type EncodableArrayOf,
  type EncodedChunk,
  type ExternalCodec,
  type ExternalCodecClass,
  encode,
  encodeCrc32c,
  type InnerOutcome,
  init,
  initSync,
  type LoadOptions,
  type OpenArrayOptions,
  openShard,
  type Proof,
  type RecordViews,
  type ResolvedCodec,
  repairFlippedBit,
  Shard,
  type ShardDecodeOptions,
  type ShardOptions,
  type StoredGrid,
  type TextViews,
  type Verify,
} from "./core.js";
export {
  type AnyZarrCodecError,
  type ByteRange,
  ChecksumMismatchError,
  ChunkLengthError,
  type Diagnosis,
  type ErrorCode,
  ExternalCodecError,
  InvalidArgumentError,
  InvalidElementError,
  InvalidMetadataError,
  isZarrCodecError,
  type RangeQuery,
  ZarrCodecError,
} from "./errors.js";
export {
  type DataTypes,
  loadCodecChain,
  openArray,
  type StoreWithCodecs,
  type WithCodecsOptions,
  withCodecs,
} from "./lazy.js";
export type {
  ArrayMetadata,
  ChainMetadata,
  CodecMetadata,
  DataTypeName,
  NamedConfiguration,
} from "./metadata.js";
export type { ArrayChainOptions, ChainOptions, DecodeOptions, EncodeOptions } from "./options.js";
export type { CoalesceOptions } from "./shard/range-reader.js";
export type { RangeSource, ReadOptions } from "./shard/ranges.js";
export type { Bytes, DataType, TypedArray, TypedArrayOf } from "./typed-array.js";
