/** Codec chains: made once for an array, used for each of its chunks. */

import type { Conversion, Resolved } from "./backend/index.js";
import * as backend from "./backend/index.js";
import { InvalidArgumentError } from "./errors.js";
import { expectApart, expectArray, expectArrayType, expectIntegers } from "./expect.js";
import {
  type ArrayMetadata,
  type ChainMetadata,
  type CodecMetadata,
  copyArrayMetadata,
  copyMetadata,
} from "./metadata.js";
import {
  CHAIN_OPTIONS,
  type ChainOptions,
  checkOptions,
  DECODE_OPTIONS,
  type DecodeOptions,
  ENCODE_OPTIONS,
  type EncodeOptions,
} from "./options.js";
import {
  allocate,
  bytesOf,
  type DataType,
  HAS_FLOAT16_ARRAY,
  type TypedArray,
  type TypedArrayName,
  type TypedArrayOf,
  typedArrayName,
  viewAs,
} from "./typed-array.js";

/** A decoded chunk. */
export interface Chunk<D extends DataType = DataType> {
  /** The components of all elements, in C order. */
  data: TypedArrayOf<D>;
  /** The length of each dimension, in elements. */
  shape: number[];
  /** How many elements there are between one and the next along each dimension, in C order. */
  stride: number[];
}

/** What `encode` takes: a chunk, or its components alone. */
export type ChunkLike<D extends DataType = DataType> =
  | TypedArrayOf<D>
  | {
      readonly data: TypedArrayOf<D>;
      readonly shape?: readonly number[];
      readonly stride?: readonly number[];
    };

/** Any bytes: a view at any offset, or a whole buffer. */
export type Bytes = ArrayBufferView | ArrayBufferLike;

/**
 * Makes the codec chain of an array, checking its metadata completely.
 *
 * @param metadata the data type, the shape of one chunk, and the codecs
 * @throws InvalidMetadataError, InvalidArgumentError
 * @example
 * ```ts
 * const chain = createCodecChain({
 *   dataType: "float32",
 *   shape: [64, 64],
 *   codecs: [{ name: "bytes", configuration: { endian: "big" } }, { name: "crc32c" }],
 * });
 * const { data } = chain.decode(bytes); // a Float32Array of 4096 elements
 * ```
 */
export function createCodecChain<const D extends DataType>(
  metadata: ChainMetadata<D>,
  options?: ChainOptions,
): CodecChain<D> {
  checkOptions(options, CHAIN_OPTIONS);
  return new CodecChain<D>(copyMetadata(metadata), false, options);
}

/**
 * Makes the codec chain of an array from its metadata, the parsed `zarr.json`.
 *
 * @throws InvalidMetadataError, InvalidArgumentError
 * @example
 * ```ts
 * const chain = codecChainForArray(await (await fetch(`${url}/zarr.json`)).json());
 * ```
 */
export function codecChainForArray(metadata: ArrayMetadata, options?: ChainOptions): CodecChain {
  checkOptions(options, CHAIN_OPTIONS);
  return new CodecChain(copyArrayMetadata(metadata), true, options);
}

/**
 * Decodes one chunk: the same as making a codec chain and using it once.
 *
 * @throws InvalidMetadataError and all that {@link CodecChain.decode} throws
 */
export function decode<const D extends DataType, A extends TypedArrayOf<D> = TypedArrayOf<D>>(
  encoded: Bytes,
  metadata: ChainMetadata<D>,
  options?: ChainOptions & DecodeOptions<A>,
): Chunk<D> {
  const [ofChain, ofChunk] = splitOptions(options, DECODE_OPTIONS);
  return createCodecChain(metadata, ofChain).decode(encoded, ofChunk);
}

/**
 * Encodes one chunk: the same as making a codec chain and using it once.
 *
 * @throws InvalidMetadataError and all that {@link CodecChain.encode} throws
 */
export function encode<const D extends DataType, B extends Uint8Array = Uint8Array<ArrayBuffer>>(
  chunk: ChunkLike<D>,
  metadata: ChainMetadata<D>,
  options?: ChainOptions & EncodeOptions<B>,
): B {
  const [ofChain, ofChunk] = splitOptions(options, ENCODE_OPTIONS);
  return createCodecChain(metadata, ofChain).encode(chunk, ofChunk);
}

/** Sorts the options of a call that makes a chain and uses it. */
function splitOptions<O extends object>(
  options: (ChainOptions & O) | undefined,
  ofChunk: Parameters<typeof checkOptions>[1],
): [ChainOptions | undefined, O | undefined] {
  checkOptions(options, { ...CHAIN_OPTIONS, ...ofChunk });
  if (options === undefined) return [undefined, undefined];
  const part = (names: object) =>
    Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(names, name)));
  return [part(CHAIN_OPTIONS), part(ofChunk) as O];
}

/** The codecs of an array, resolved. Made by {@link createCodecChain} or {@link codecChainForArray}. */
export class CodecChain<D extends DataType = DataType> {
  readonly #resolved: Resolved;
  readonly #verify: boolean;
  /** The array that chunks are decoded into, and what takes the data there. */
  readonly #array: TypedArrayName;
  readonly #conversion: Conversion;
  readonly #isIdentity: boolean;

  /** The identifier of the data type. */
  readonly dataType: D;
  /** The shape of a chunk, in elements. */
  readonly shape: readonly number[];
  /** The codecs that apply: aliases and short-hands resolved, assumed byte order stated, skipped codecs left out. */
  readonly codecs: readonly CodecMetadata[];
  /** Bytes of a decoded chunk's `data`. */
  readonly decodedByteLength: number;
  /** Bytes of an encoded chunk, checksums included. */
  readonly encodedByteLength: number;

  /** @internal */
  constructor(metadata: unknown, ofArray: boolean, options: ChainOptions = {}) {
    const { missingEndian, invalidBool, float16, verify } = options;
    const assumed = missingEndian === "error" ? undefined : missingEndian;
    const resolved = backend.resolve(metadata, ofArray, assumed, invalidBool === "true");
    const array = decodedArray(resolved, float16);
    const widened = resolved.toFloat32 !== undefined && array === "Float32Array";
    this.#resolved = resolved;
    this.#verify = verify ?? true;
    this.#array = array;
    this.#conversion = widened ? (resolved.toFloat32 as Conversion) : resolved.conversion;
    this.#isIdentity = resolved.isIdentity && !widened;
    this.dataType = resolved.dataType as D;
    this.shape = Object.freeze(resolved.shape);
    this.codecs = deepFreeze(resolved.codecs);
    this.decodedByteLength = resolved.dataByteLength * (widened ? 2 : 1);
    this.encodedByteLength = resolved.encodedByteLength;
  }

  /**
   * Decodes a chunk: verifies its checksums and gives its components in the host's byte order.
   *
   * `data` is a view of `encoded` where byte order and alignment allow (options `copy`, `out`); `encoded` itself is
   * never written, unless the option `inPlace` says so.
   *
   * @param encoded exactly `encodedByteLength` bytes
   * @throws ChunkLengthError, ChecksumMismatchError, InvalidElementError, InvalidArgumentError
   */
  decode<A extends TypedArrayOf<D> = TypedArrayOf<D>>(
    encoded: Bytes,
    options?: DecodeOptions<A>,
  ): Chunk<D> & { data: A } {
    checkOptions(options, DECODE_OPTIONS);
    const data = this.#decode(bytesOf(encoded, "encoded"), options ?? {});
    const { shape, stride } = this.#resolved;
    return { data: data as A, shape: [...shape], stride: [...stride] };
  }

  #decode(encoded: Uint8Array, options: DecodeOptions<unknown>): TypedArray {
    const { encodedByteLength, encodedArithmetic, dataByteLength, checksumCount, hasInvalidElements } =
      this.#resolved;
    if (encoded.byteLength !== encodedByteLength) {
      throw backend.chunkLengthError(true, encodedByteLength, encoded.byteLength, encodedArithmetic);
    }
    const verify = checksumCount > 0 && (options.verify ?? this.#verify);
    const data = checksumCount > 0 ? encoded.subarray(0, dataByteLength) : encoded;
    const target = this.#target(data, options);

    if (target === undefined) {
      // A new array is nobody's until it is returned, so one pass can check and decode.
      const decoded = allocate(this.#array, this.decodedByteLength);
      const decodedBytes = bytesOf(decoded, "data");
      backend.decode(verify ? encoded : data, decodedBytes, this.#conversion, verify ? checksumCount : 0);
      return decoded;
    }
    // What exists already is written only when nothing can fail any more.
    if (verify || hasInvalidElements) {
      backend.check(verify ? encoded : data, this.#conversion, verify ? checksumCount : 0);
    }
    const targetBytes = bytesOf(target, "out");
    const isView = target.buffer === data.buffer && target.byteOffset === data.byteOffset;
    if (this.#isIdentity) {
      if (!isView) targetBytes.set(data);
    } else {
      backend.decode(data, targetBytes, this.#conversion, 0);
    }
    return target;
  }

  /** The existing memory to decode into: the caller's array, or the encoded data where they can serve; or none. */
  #target(data: Uint8Array, options: DecodeOptions<unknown>): TypedArray | undefined {
    const { out, copy, inPlace } = options;
    if (inPlace && (copy || out !== undefined)) {
      throw new InvalidArgumentError("options.inPlace", "no out and no copy beside it", "both");
    }
    if (out !== undefined) {
      const target = expectArray(out, this.#array, this.decodedByteLength, "out");
      expectApart(bytesOf(target, "out"), data, "out", "the encoded bytes (see the option inPlace)");
      return target;
    }
    const serves = !copy && data.byteLength === this.decodedByteLength && (this.#isIdentity || inPlace);
    return serves ? viewAs(this.#array, data) : undefined;
  }

  /**
   * Encodes a chunk: its components in the order that the codecs ask for, then the checksums.
   *
   * @param chunk a chunk of this chain's shape in C order, or its array of components alone
   * @throws ChunkLengthError, InvalidElementError, InvalidArgumentError
   */
  encode<B extends Uint8Array = Uint8Array<ArrayBuffer>>(chunk: ChunkLike<D>, options?: EncodeOptions<B>): B {
    checkOptions(options, ENCODE_OPTIONS);
    const { dataByteLength, encodedByteLength, checksumCount, hasInvalidElements } = this.#resolved;
    const array = this.#expectChunk(chunk);
    const decoded = bytesOf(array, "chunk");
    const widened = this.#resolved.toFloat32 !== undefined && typedArrayName(array) === "Float32Array";
    const conversion = widened ? (this.#resolved.toFloat32 as Conversion) : this.#resolved.conversion;
    const expected = dataByteLength * (widened ? 2 : 1);
    if (decoded.byteLength !== expected) {
      throw backend.chunkLengthError(false, expected, decoded.byteLength, this.#resolved.decodedArithmetic);
    }
    const out = options?.out;
    if (out === undefined) {
      const encoded = allocate("Uint8Array", encodedByteLength) as Uint8Array;
      backend.encode(decoded, encoded, conversion, checksumCount);
      return encoded as B;
    }
    const encoded = bytesOf(expectArray(out, "Uint8Array", encodedByteLength, "out"), "out");
    expectApart(encoded, decoded, "out", "the decoded ones");
    if (hasInvalidElements) backend.check(decoded, conversion, 0);
    backend.encode(decoded, encoded, conversion, checksumCount);
    return out;
  }

  /** The array of components of what `encode` was given. */
  #expectChunk(chunk: unknown): TypedArray {
    const names = encodableArrays(this.#resolved);
    if (typeof chunk !== "object" || chunk === null || ArrayBuffer.isView(chunk) || !("data" in chunk)) {
      return expectArrayType(chunk, names, "chunk");
    }
    const { shape, stride } = this.#resolved;
    if ("shape" in chunk && chunk.shape !== undefined) {
      expectIntegers(chunk.shape, shape, () => true, "chunk.shape");
    }
    if ("stride" in chunk && chunk.stride !== undefined) {
      // Along a dimension of length 1 there is no step, so its stride means nothing.
      expectIntegers(chunk.stride, stride, (axis) => shape[axis] !== 1, "chunk.stride");
    }
    return expectArrayType(chunk.data, names, "chunk.data");
  }
}

/** The array that chunks are decoded into. */
function decodedArray({ array }: Resolved, float16: ChainOptions["float16"] = "auto"): TypedArrayName {
  if (array !== "Float16Array") return array;
  switch (float16) {
    case "auto":
      return HAS_FLOAT16_ARRAY ? "Float16Array" : "Float32Array";
    case "float16":
      if (HAS_FLOAT16_ARRAY) return "Float16Array";
      throw new InvalidArgumentError("options.float16", "a host that has Float16Array", "one that has not");
    case "float32":
      return "Float32Array";
    case "bits":
      return "Uint16Array";
  }
}

/** The arrays that `encode` takes: for float16 those of every setting of the option `float16`. */
function encodableArrays({ array }: Resolved): readonly string[] {
  if (array === "Float16Array") return ["Float16Array", "Float32Array", "Uint16Array"];
  return array === "Uint8Array" ? ["Uint8Array", "Uint8ClampedArray"] : [array];
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
