/** Codec chains: created once for an array, used for each of its chunks. */

import { errorFromRust, InvalidArgumentError } from "../errors.js";
import {
  type ArrayMetadata,
  type ChainMetadata,
  copyArrayMetadata,
  copyMetadata,
  type DataTypeName,
} from "../metadata.js";
import {
  type Allowed,
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
  bytesOf,
  type DataType,
  HAS_FLOAT16_ARRAY,
  type TypedArray,
  type TypedArrayOf,
} from "../typed-array.js";
import { instance } from "../wasm/instance.js";
import { decodeChunk, defaultForm } from "./decode.js";
import { encodeChunk, expectChunk, formOf } from "./encode.js";
import type { ArrayStep, Form, Request, Resolved, ResolvedCodec } from "./resolved.js";

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
  return create(copyMetadata(metadata), false, readOptions(options, CHAIN_OPTIONS));
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
  return create(copyArrayMetadata(metadata), true, readOptions(options, CHAIN_OPTIONS));
}

function create<D extends DataType>(
  metadata: unknown,
  isArray: boolean,
  { missingEndian = "error", invalidBool, float16 = "auto", verify = true }: ChainOptions,
): CodecChain<D> {
  const request = {
    metadata,
    isArray,
    missingEndian: missingEndian === "error" ? undefined : missingEndian,
    acceptInvalidBool: invalidBool === "true",
    array: float16 === "auto" ? (HAS_FLOAT16_ARRAY ? "float16" : "float32") : float16,
    external: false,
  };
  const resolved: Resolved = instance.call("resolve", request);
  const { array } = defaultForm(resolved.steps[0] as ArrayStep);
  if (array === "Float16Array" && !HAS_FLOAT16_ARRAY) {
    throw new InvalidArgumentError("options.float16", "a host that has Float16Array", "one that has not");
  }
  return new CodecChain<D>(RESOLVED, resolved, request, verify);
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
  readonly #step: ArrayStep;
  /** To explain a wrong length, Rust reads the metadata again. */
  readonly #request: Request;
  readonly #verify: boolean;

  /** The name of the data type. */
  readonly dataType: D;
  /** The shape of a chunk, in elements. */
  readonly shape: readonly number[];
  /** The codecs that apply: aliases and short-hands resolved, assumed byte order stated, ignored codecs left out. */
  readonly codecs: readonly ResolvedCodec[];
  /** The length of a decoded chunk's `data` in bytes. */
  readonly decodedByteLength: number;
  /** The length of an encoded chunk in bytes, checksums included. */
  readonly encodedByteLength: number;

  /** Use {@link createCodecChain} or {@link codecChainForArray}. */
  constructor(resolvedHere: typeof RESOLVED, resolved: Resolved, request: Request, verify: boolean) {
    if (resolvedHere !== RESOLVED) {
      throw new InvalidArgumentError("CodecChain", "createCodecChain or codecChainForArray", "new");
    }
    const step = resolved.steps[0] as ArrayStep; // Without codecs of others there is one step.
    this.#resolved = resolved;
    this.#step = step;
    this.#request = request;
    this.#verify = verify;
    this.dataType = resolved.dataType as D;
    this.shape = Object.freeze(resolved.shape);
    this.codecs = deepFreeze(resolved.codecs);
    this.decodedByteLength = defaultForm(step).byteLength;
    this.encodedByteLength = step.encodedByteLength;
  }

  /** Decodes a chunk into a new `ArrayBuffer`. */
  decode(
    encoded: Bytes,
    options: DecodeOptions<never> & { readonly copy: true },
  ): Chunk<D, TypedArrayOf<D, ArrayBuffer>>;
  /**
   * Decodes a chunk: verifies its checksums and returns its components in the host's byte order.
   *
   * `data` is a view of `encoded` where byte order and alignment allow (options `copy`, `out`); `encoded` itself is
   * never written, unless the option `inPlace` allows it.
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
    const bytes = bytesOf(encoded, "encoded");
    if (bytes.byteLength !== this.#step.encodedByteLength) throw this.#lengthError(bytes.byteLength);
    const data = decodeChunk(this.#step, bytes, read.verify ?? this.#verify, read);
    const { shape, stride } = this.#resolved;
    // Spread, not slice(), which takes ten times as long for frozen arrays (Node 20).
    return { data: data as A, shape: [...shape], stride: [...stride] };
  }

  /**
   * Encodes a chunk: its components in the byte order that the codecs ask for, then the checksums.
   *
   * @param chunk a chunk of this chain's shape in C order, or its array of components alone
   * @throws ChunkLengthError, InvalidElementError, InvalidArgumentError
   */
  encode<B extends Uint8Array = Uint8Array<ArrayBuffer>>(chunk: ChunkLike<D>, options?: EncodeOptions<B>): B {
    const read = readOptions(options, ENCODE_OPTIONS as Allowed<EncodeOptions<B>>);
    const { forms } = this.#step;
    const array = expectChunk(chunk, this.#resolved, forms);
    const decoded = bytesOf(array, "chunk");
    const form = formOf(array, forms) as Form; // `expectChunk` has found it.
    if (decoded.byteLength !== form.byteLength) throw this.#lengthError(decoded.byteLength, form);
    return encodeChunk(this.#step, form, decoded, read) as B;
  }

  /** Returns the error about a chunk of another length: an encoded one or, with its form, a decoded one. */
  #lengthError(actual: number, form?: Form): Error {
    const index = form && this.#step.forms.indexOf(form);
    return errorFromRust(instance.call("lengthError", this.#request, index, actual)) as Error;
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
