/** Codec chains: made once for an array, used for each of its chunks. */

import type { Resolved, ResolvedCodec } from "./backend/index.js";
import * as backend from "./backend/index.js";
import { InvalidArgumentError } from "./errors.js";
import { expectArrayType, expectIntegers, expectOut, expectReadable } from "./expect.js";
import { typedArrayName } from "./intrinsics.js";
import {
  type ArrayMetadata,
  type ChainMetadata,
  copyArrayMetadata,
  copyMetadata,
  type DataTypeName,
} from "./metadata.js";
import {
  type Allowed,
  CHAIN_OPTIONS,
  type ChainOptions,
  DECODE_OPTIONS,
  type DecodeOptions,
  ENCODE_OPTIONS,
  type EncodeOptions,
  readOptions,
} from "./options.js";
import {
  type Bytes,
  bytesOf,
  type DataType,
  HAS_FLOAT16_ARRAY,
  type TypedArray,
  type TypedArrayName,
  type TypedArrayOf,
  viewAs,
} from "./typed-array.js";

/** A decoded chunk. */
export interface Chunk<D extends DataType = DataType, A = TypedArrayOf<D>> {
  /** The components of all elements, in C order. */
  data: A;
  /** The length of each dimension, in elements. */
  shape: number[];
  /** How many elements there are between one and the next along each dimension, in C order. */
  stride: number[];
}

/** The arrays that `encode` takes: the one that `decode` gives or, where that is `Uint8Array`, the clamped one. */
export type EncodableArrayOf<D extends DataType> =
  | TypedArrayOf<D>
  | (TypedArrayOf<D> extends Uint8Array ? Uint8ClampedArray : never);

/** What `encode` takes: a chunk, or its components alone. */
export type ChunkLike<D extends DataType = DataType> =
  | EncodableArrayOf<D>
  | {
      readonly data: EncodableArrayOf<D>;
      readonly shape?: readonly number[] | undefined;
      readonly stride?: readonly number[] | undefined;
    };

/** Only this module makes chains: what a constructor is given has been resolved. */
const RESOLVED = Symbol("resolved");

/**
 * Makes the codec chain of an array, checking its metadata completely.
 *
 * @param metadata the data type, the shape of one chunk, and the codecs
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
): CodecChain<D & DataType> {
  return resolve(copyMetadata(metadata), false, readOptions(options, CHAIN_OPTIONS));
}

/**
 * Makes the codec chain of an array from its metadata, the parsed `zarr.json`.
 *
 * @throws InvalidMetadataError, InvalidArgumentError
 * @example
 * ```ts
 * import { codecChainForArray } from "zarr-codecs";
 *
 * const metadata = {
 *   data_type: "uint16",
 *   chunk_grid: { name: "regular", configuration: { chunk_shape: [3] } },
 *   codecs: [{ name: "bytes", configuration: { endian: "big" } }],
 * };
 * codecChainForArray(metadata).decode(Uint8Array.of(0, 1, 0, 2, 1, 0)).data; // => Uint16Array.of(1, 2, 256)
 * ```
 */
export function codecChainForArray(metadata: ArrayMetadata, options?: ChainOptions): CodecChain {
  return resolve(copyArrayMetadata(metadata), true, readOptions(options, CHAIN_OPTIONS));
}

function resolve<D extends DataType>(
  metadata: unknown,
  ofArray: boolean,
  options: ChainOptions,
): CodecChain<D> {
  const { missingEndian, invalidBool, float16, verify } = options;
  const assumed = missingEndian === "error" ? undefined : missingEndian;
  const resolved = backend.resolve(metadata, ofArray, assumed, invalidBool === "true");
  return new CodecChain<D>(RESOLVED, resolved, decodedArray(resolved, float16), verify ?? true);
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

/** Decodes one chunk into a new `ArrayBuffer`. */
export function decode<const D extends string>(
  encoded: Bytes,
  metadata: ChainMetadata<DataTypeName<D>>,
  options: ChainOptions & DecodeOptions<never> & { readonly copy: true },
): Chunk<D & DataType, TypedArrayOf<D & DataType, ArrayBuffer>>;
/**
 * Decodes one chunk: the same as making a codec chain and using it once.
 *
 * @throws InvalidMetadataError and all that {@link CodecChain.decode} throws
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
 * Encodes one chunk: the same as making a codec chain and using it once.
 *
 * @throws InvalidMetadataError and all that {@link CodecChain.encode} throws
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

/** Sorts the options of a call that makes a chain and uses it. */
function splitOptions<O extends object>(
  options: (ChainOptions & O) | undefined,
  ofChunk: Allowed<object>,
): [ChainOptions, O] {
  const all = readOptions(options, { ...CHAIN_OPTIONS, ...ofChunk } as Allowed<ChainOptions & O>);
  const part = (names: object) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(names, name)));
  return [part(CHAIN_OPTIONS), part(ofChunk) as O];
}

/**
 * The codecs of an array, resolved. Made by {@link createCodecChain} or {@link codecChainForArray}.
 *
 * @example
 * ```ts
 * import { createCodecChain } from "zarr-codecs";
 *
 * const chain = createCodecChain({ dataType: "uint8", shape: [3, 3], codecs: ["bytes", "crc32c"] });
 * const encoded = chain.encode(new TextEncoder().encode("123456789"));
 * encoded.subarray(9); // => Uint8Array.of(0x83, 0x92, 0x06, 0xe3)
 * chain.decode(encoded).stride; // => [3, 1]
 * ```
 */
export class CodecChain<D extends DataType = DataType> {
  readonly #resolved: Resolved;
  readonly #verify: boolean;
  /** The array that chunks are decoded into, and what takes the data there. */
  readonly #array: TypedArrayName;
  readonly #conversion: number;
  readonly #isIdentity: boolean;

  /** The identifier of the data type. */
  readonly dataType: D;
  /** The shape of a chunk, in elements. */
  readonly shape: readonly number[];
  /** The codecs that apply: aliases and short-hands resolved, assumed byte order stated, skipped codecs left out. */
  readonly codecs: readonly ResolvedCodec[];
  /** Bytes of a decoded chunk's `data`. */
  readonly decodedByteLength: number;
  /** Bytes of an encoded chunk, checksums included. */
  readonly encodedByteLength: number;

  /** Use {@link createCodecChain} or {@link codecChainForArray}. */
  constructor(resolvedHere: typeof RESOLVED, resolved: Resolved, array: TypedArrayName, verify: boolean) {
    if (resolvedHere !== RESOLVED) {
      throw new InvalidArgumentError("CodecChain", "createCodecChain or codecChainForArray", "new");
    }
    const widened = resolved.array === "Float16Array" && array === "Float32Array";
    this.#resolved = resolved;
    this.#verify = verify;
    this.#array = array;
    this.#conversion = widened ? (resolved.toFloat32 as number) : resolved.conversion;
    this.#isIdentity = resolved.isIdentity && !widened;
    this.dataType = resolved.dataType as D;
    this.shape = Object.freeze(resolved.shape);
    this.codecs = deepFreeze(resolved.codecs);
    this.decodedByteLength = resolved.dataByteLength * (widened ? 2 : 1);
    this.encodedByteLength = resolved.encodedByteLength;
  }

  /** Decodes a chunk into a new `ArrayBuffer`. */
  decode(
    encoded: Bytes,
    options: DecodeOptions<never> & { readonly copy: true },
  ): Chunk<D, TypedArrayOf<D, ArrayBuffer>>;
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
  ): Chunk<D, A>;
  decode<A extends TypedArrayOf<D>>(encoded: Bytes, options?: DecodeOptions<A>): Chunk<D, A> {
    const read = readOptions(options, DECODE_OPTIONS as Allowed<DecodeOptions<A>>);
    const data = this.#decode(bytesOf(encoded, "encoded"), read);
    const { shape, stride } = this.#resolved;
    // Spread, not slice(), which takes ten times as long for frozen arrays (Node 20).
    return { data: data as A, shape: [...shape], stride: [...stride] };
  }

  #decode(encoded: Uint8Array, options: DecodeOptions): TypedArray {
    const { encodedByteLength, encodedArithmetic } = this.#resolved;
    const { verify = this.#verify, out, copy = false, inPlace = false } = options;
    if (encoded.byteLength !== encodedByteLength) {
      throw backend.chunkLengthError(true, encodedByteLength, encoded.byteLength, encodedArithmetic);
    }
    if (inPlace && (copy || out !== undefined)) {
      throw new InvalidArgumentError("options.inPlace", "no out and no copy beside it", "both");
    }
    if (out !== undefined) {
      const named = "the encoded bytes (see the option inPlace)";
      const target = expectOut(out, this.#array, this.decodedByteLength, encoded, named);
      this.#check(encoded, verify);
      this.#write(this.#dataOf(encoded), target);
      return target;
    }
    const view = (this.#isIdentity || inPlace) && !copy ? this.#viewOf(encoded) : undefined;
    if (view !== undefined) {
      this.#check(encoded, verify);
      if (!this.#isIdentity) this.#write(this.#dataOf(encoded), view);
      return view;
    }
    // A new array is nobody's until it is returned, so one pass can check and decode.
    const checksumCount = verify ? this.#resolved.checksumCount : 0;
    const source = verify ? encoded : this.#dataOf(encoded);
    return backend.decode(source, this.#array, this.decodedByteLength, this.#conversion, checksumCount);
  }

  /** An encoded chunk without its checksums. */
  #dataOf(encoded: Uint8Array): Uint8Array {
    const { dataByteLength, checksumCount } = this.#resolved;
    return checksumCount > 0 ? encoded.subarray(0, dataByteLength) : encoded;
  }

  /** A view of an encoded chunk as the array to decode into, where size and alignment allow. */
  #viewOf(encoded: Uint8Array): TypedArray | undefined {
    const fits = this.#resolved.dataByteLength === this.decodedByteLength;
    return fits ? viewAs(this.#array, this.#dataOf(encoded)) : undefined;
  }

  /** Checks a chunk completely: what exists already is written only when nothing can fail any more. */
  #check(encoded: Uint8Array, verify: boolean): void {
    const checksumCount = verify ? this.#resolved.checksumCount : 0;
    if (checksumCount > 0 || this.#resolved.hasInvalidElements) {
      backend.check(verify ? encoded : this.#dataOf(encoded), this.#conversion, checksumCount);
    }
  }

  /** Decodes data that have been checked. */
  #write(data: Uint8Array, target: TypedArray): void {
    if (this.#isIdentity) bytesOf(target, "out").set(data);
    else backend.decodeInto(data, target, this.#array, this.decodedByteLength, this.#conversion);
  }

  /**
   * Encodes a chunk: its components in the order that the codecs ask for, then the checksums.
   *
   * @param chunk a chunk of this chain's shape in C order, or its array of components alone
   * @throws ChunkLengthError, InvalidElementError, InvalidArgumentError
   */
  encode<B extends Uint8Array = Uint8Array<ArrayBuffer>>(chunk: ChunkLike<D>, options?: EncodeOptions<B>): B {
    const { out } = readOptions(options, ENCODE_OPTIONS as Allowed<EncodeOptions<B>>);
    const { dataByteLength, encodedByteLength, checksumCount, hasInvalidElements, isIdentity } =
      this.#resolved;
    const array = this.#expectChunk(chunk);
    const decoded = bytesOf(array, "chunk");
    const widened = this.#resolved.array === "Float16Array" && typedArrayName(array) === "Float32Array";
    const conversion = widened ? (this.#resolved.toFloat32 as number) : this.#resolved.conversion;
    const expected = widened ? 2 * dataByteLength : dataByteLength;
    if (decoded.byteLength !== expected) {
      const { float32Arithmetic, decodedArithmetic } = this.#resolved;
      const arithmetic = widened ? float32Arithmetic : decodedArithmetic;
      throw backend.chunkLengthError(false, expected, decoded.byteLength, arithmetic);
    }
    const isSame = isIdentity && !widened;
    if (out === undefined) {
      return backend.encode(decoded, encodedByteLength, conversion, isSame, checksumCount) as B;
    }
    const encoded = expectOut(out, "Uint8Array", encodedByteLength, decoded, "the decoded ones");
    if (hasInvalidElements) backend.check(decoded, conversion, 0);
    backend.encodeInto(decoded, encoded, encodedByteLength, conversion, isSame, checksumCount);
    return out;
  }

  /** The array of components of what `encode` was given. */
  #expectChunk(chunk: unknown): TypedArray {
    const names = encodableArrays(this.#resolved);
    if (typeof chunk !== "object" || chunk === null || typedArrayName(chunk) !== undefined) {
      return expectArrayType(chunk, names, "chunk");
    }
    return expectReadable("chunk", () => {
      const given = chunk as Partial<Record<"data" | "shape" | "stride", unknown>>;
      const { data, shape, stride } = given;
      if (data === undefined) return expectArrayType(chunk, names, "chunk");
      const resolved = this.#resolved;
      if (shape !== undefined) expectIntegers(shape, resolved.shape, () => true, "chunk.shape");
      if (stride !== undefined) {
        // Along a dimension of length 1 there is no step, so its stride means nothing.
        expectIntegers(stride, resolved.stride, (axis) => resolved.shape[axis] !== 1, "chunk.stride");
      }
      return expectArrayType(data, names, "chunk.data");
    });
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
