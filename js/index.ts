/**
 * Zarr v3 chunk codecs: `bytes` (legacy name `endian`) and `crc32c`.
 *
 * @module
 */

export { backend, init, initSync, type ResolvedCodec } from "./backend/index.js";
export {
  type Chunk,
  type ChunkLike,
  CodecChain,
  codecChainForArray,
  createCodecChain,
  decode,
  type EncodableArrayOf,
  encode,
} from "./chain.js";
export { Crc32c, crc32c, crc32cCombine } from "./crc32c.js";
export {
  ChecksumMismatchError,
  ChunkLengthError,
  type ErrorCode,
  InvalidArgumentError,
  InvalidElementError,
  InvalidMetadataError,
  isZarrCodecError,
  ZarrCodecError,
} from "./errors.js";
export type { ArrayMetadata, ChainMetadata, CodecMetadata, NamedConfiguration } from "./metadata.js";
export type { ChainOptions, DecodeOptions, EncodeOptions } from "./options.js";
export { Crc32cDecoderStream, Crc32cEncoderStream } from "./stream.js";
export type { Bytes, DataType, TypedArray, TypedArrayOf } from "./typed-array.js";
