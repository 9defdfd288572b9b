/** Creates codec chains: one for an array, used for each of its chunks. */

import { InvalidArgumentError } from "../errors.js";
import {
  type ArrayMetadata,
  type ChainMetadata,
  copyArrayMetadata,
  copyMetadata,
  type DataTypeName,
  isArrayMetadata,
} from "../metadata.js";
import {
  type Allowed,
  ARRAY_CHAIN_OPTIONS,
  type ArrayChainOptions,
  CHAIN_OPTIONS,
  type ChainOptions,
  DECODE_OPTIONS,
  type DecodeOptions,
  ENCODE_OPTIONS,
  type EncodeOptions,
  readOptions,
} from "../options.js";
import {
  type Bytes,
  type DataType,
  HAS_FLOAT16_ARRAY,
  type TypedArray,
  type TypedArrayOf,
} from "../typed-array.js";
import { instance } from "../wasm/instance.js";
import type { Chunk, ChunkLike } from "./chunk.js";
import { CodecChain } from "./codec-chain.js";
import { Codecs } from "./codecs.js";
import { defaultForm, isArrayStep } from "./decode.js";
import type { Request, Resolved } from "./resolved.js";
import { RESOLVED } from "./resolved-chain.js";

/**
 * Creates the codec chain of an array, validating its metadata completely.
 *
 * @param metadata the data type, the shape of one chunk in elements, and the codecs; or the parsed `zarr.json` of an array
 * @throws InvalidMetadataError, InvalidArgumentError
 * @example
 * ```ts
 * import { createCodecChain } from "zarr-codecs";
 *
 * const chain = createCodecChain({
 *   dataType: "float32",
 *   shape: [64, 64],
 *   codecs: [{ name: "bytes", configuration: { endian: "big" } }, { name: "crc32c" }],
 * });
 * chain.encodedByteLength; // => 64 * 64 * 4 + 4
 * ```
 */
export function createCodecChain<const D extends string>(
  metadata: ChainMetadata<DataTypeName<D>>,
  options?: ChainOptions,
): CodecChain<D & DataType>;
/**
 * Creates the codec chain of an array from its metadata, the parsed `zarr.json`.
 *
 * @throws InvalidMetadataError, InvalidArgumentError
 * @example
 * ```ts
 * import { createCodecChain } from "zarr-codecs";
 *
 * const metadata = {
 *   data_type: "uint16",
 *   chunk_grid: { name: "regular", configuration: { chunk_shape: [3] } },
 *   codecs: [{ name: "bytes", configuration: { endian: "big" } }],
 * };
 * createCodecChain(metadata).decode(Uint8Array.of(0, 1, 0, 2, 1, 0)).data; // => Uint16Array.of(1, 2, 256)
 * ```
 */
export function createCodecChain<const D extends string>(
  metadata: ArrayMetadata<DataTypeName<D>>,
  options?: ArrayChainOptions,
): CodecChain<D & DataType>;
export function createCodecChain(
  metadata: ArrayMetadata | ChainMetadata<string>,
  options?: ArrayChainOptions,
): CodecChain {
  const read = readOptions(options, ARRAY_CHAIN_OPTIONS);
  const request = requestFor(metadata, read);
  return new CodecChain(RESOLVED, new Codecs(resolve(request), request, read));
}

/** Returns the request to resolve metadata with options. @throws InvalidMetadataError, InvalidArgumentError */
export function requestFor(
  metadata: ArrayMetadata | ChainMetadata<string>,
  options: ArrayChainOptions,
): Request {
  const { missingEndian, invalidBool, float16 = "auto", smallFloats, chunkShape } = options;
  const isArray = isArrayMetadata(metadata);
  if (chunkShape !== undefined && !isArray) {
    const argument = "options.chunkShape";
    throw new InvalidArgumentError(`${argument} needs the metadata of an array`, { argument });
  }
  return {
    metadata: isArray ? copyArrayMetadata(metadata) : copyMetadata(metadata),
    isArray,
    missingEndian,
    acceptInvalidBool: invalidBool === "coerce",
    array: float16 === "auto" ? (HAS_FLOAT16_ARRAY ? "float16" : "float32") : float16,
    smallFloatBits: smallFloats === "bits",
    chunkShape: chunkShape === undefined ? undefined : copyMetadata(chunkShape),
    loads: false,
  };
}

/**
 * Resolves metadata.
 *
 * @throws InvalidMetadataError, InvalidArgumentError (the host lacks the array)
 */
export function resolve(request: Request): Resolved {
  const resolved: Resolved = instance.call("resolve", request);
  const array = resolved.steps.find(isArrayStep);
  if (array && defaultForm(array).array === "Float16Array" && !HAS_FLOAT16_ARRAY) {
    const argument = "options.float16";
    throw new InvalidArgumentError(`${argument}: this host has no Float16Array`, { argument });
  }
  return resolved;
}

/** Decodes one chunk into a new `ArrayBuffer`. */
export function decode<const D extends string>(
  encoded: Bytes,
  metadata: ChainMetadata<DataTypeName<D>>,
  options: ChainOptions & DecodeOptions<never> & { readonly copy: true },
): Chunk<D & DataType, TypedArrayOf<D & DataType, ArrayBuffer>>;
/**
 * Decodes one chunk: {@link createCodecChain} and {@link CodecChain.decode} in one call.
 *
 * @throws InvalidMetadataError and the errors of {@link CodecChain.decode}
 * @example
 * ```ts
 * import { decode } from "zarr-codecs";
 *
 * const metadata = { dataType: "int16", shape: [2], codecs: [{ name: "bytes", configuration: { endian: "big" } }] };
 * decode(Uint8Array.of(0, 1, 255, 255), metadata).data; // => Int16Array.of(1, -1)
 * ```
 */
export function decode<
  const D extends string,
  A extends TypedArrayOf<D & DataType> = TypedArrayOf<D & DataType>,
>(
  encoded: Bytes,
  metadata: ChainMetadata<DataTypeName<D>>,
  options?: ChainOptions & DecodeOptions<A>,
): Chunk<D & DataType, A>;
export function decode(
  encoded: Bytes,
  metadata: ChainMetadata<string>,
  options?: ChainOptions & DecodeOptions<TypedArray>,
): Chunk {
  const [ofChain, ofChunk] = splitOptions(options, DECODE_OPTIONS);
  return createCodecChain(metadata, ofChain).decode(encoded, ofChunk);
}

/**
 * Encodes one chunk: {@link createCodecChain} and {@link CodecChain.encode} in one call.
 *
 * @throws InvalidMetadataError and the errors of {@link CodecChain.encode}
 * @example
 * ```ts
 * import { encode } from "zarr-codecs";
 *
 * const metadata = { dataType: "int16", shape: [2], codecs: [{ name: "bytes", configuration: { endian: "big" } }] };
 * encode(Int16Array.of(1, -1), metadata); // => Uint8Array.of(0, 1, 255, 255)
 * ```
 */
export function encode<const D extends string, B extends Uint8Array = Uint8Array<ArrayBuffer>>(
  chunk: ChunkLike<D & DataType>,
  metadata: ChainMetadata<DataTypeName<D>>,
  options?: ChainOptions & EncodeOptions<B>,
): B {
  const [ofChain, ofChunk] = splitOptions(options, ENCODE_OPTIONS);
  return createCodecChain(metadata, ofChain).encode(chunk, ofChunk);
}

/** Separates the options of a chain from those of one chunk. */
function splitOptions<O extends object>(
  options: (ChainOptions & O) | undefined,
  ofChunk: Allowed<object>,
): [ChainOptions, O] {
  const all = readOptions(options, { ...CHAIN_OPTIONS, ...ofChunk } as Allowed<ChainOptions & O>);
  const part = (names: object) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(names, name)));
  return [part(CHAIN_OPTIONS), part(ofChunk) as O];
}
