/**
 * CRC-32C (Castagnoli; RFC 3720) and the codec `crc32c` over bytes, without the other codecs, in a module of its own.
 *
 * @module
 */

export {
  backend,
  Crc32c,
  Crc32cCodec,
  Crc32cDecoderStream,
  Crc32cEncoderStream,
  type Crc32cOptions,
  crc32c,
  crc32cCombine,
  decodeCrc32c,
  encodeCrc32c,
  init,
  type Verify,
} from "./core.js";
export {
  type AnyZarrCodecError,
  ChecksumMismatchError,
  ChunkLengthError,
  type Diagnosis,
  type ErrorCode,
  InvalidArgumentError,
  InvalidMetadataError,
  isZarrCodecError,
  ZarrCodecError,
} from "./errors.js";
export type { Bytes } from "./typed-array.js";
