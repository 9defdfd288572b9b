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
  /** The shape, in elements. */
  shape: number[];
  /** The stride of each dimension, in elements, in C order. */
  stride: number[];
}

/** The arrays that `encode` accepts: the one that `decode` returns and, for `Uint8Array`, `Uint8ClampedArray`. */
export type EncodableArrayOf<D extends DataType> =
  | TypedArrayOf<D>
  | (TypedArrayOf<D> extends Uint8Array ? Uint8ClampedArray : never);

/** The argument of `encode`: a chunk, or the array of its components. */
export type ChunkLike<D extends DataType = DataType> =
  | EncodableArrayOf<D>
  | {
      readonly data: EncodableArrayOf<D>;
      readonly shape?: readonly number[] | undefined;
      readonly stride?: readonly number[] | undefined;
    };

/** Restricts the constructor to this module, which passes only what Rust has resolved. */
const RESOLVED = Symbol("resolved");

/**
 * Creates the codec chain of an array, validating its metadata completely.
 *
 * @param metadata the data type, the shape of one chunk in elements, and the codecs
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
 * Creates the codec chain of an array from its metadata, the parsed `zarr.json`.
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
    const argument = "options.float16";
    throw new InvalidArgumentError(`${argument}: this host has no Float16Array`, { argument });
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

/**
 * The resolved codecs of an array. Created by {@link createCodecChain} or {@link codecChainForArray}.
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
  /** Kept for errors about lengths, which Rust explains from the metadata. */
  readonly #request: Request;
  readonly #verify: boolean;

  /** The name of the data type. */
  readonly dataType: D;
  /** The shape of a chunk, in elements. */
  readonly shape: readonly number[];
  /** The codecs, normalised: aliases and short-hands resolved, an assumed byte order stated, ignored codecs omitted. */
  readonly codecs: readonly ResolvedCodec[];
  /** The length of `data` of a decoded chunk, in bytes. */
  readonly decodedByteLength: number;
  /** The length of an encoded chunk, in bytes, including checksums. */
  readonly encodedByteLength: number;

  /** Use {@link createCodecChain} or {@link codecChainForArray}. */
  constructor(resolvedHere: typeof RESOLVED, resolved: Resolved, request: Request, verify: boolean) {
    if (resolvedHere !== RESOLVED) {
      const message = "CodecChain cannot be constructed: use createCodecChain or codecChainForArray";
      throw new InvalidArgumentError(message, { argument: "CodecChain" });
    }
    const step = resolved.steps[0] as ArrayStep; // The only step, as there are no codecs of others.
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
   * Decodes one chunk: verifies its checksums and returns its components in the host's byte order.
   *
   * `data` is a view of `encoded` where byte order and alignment allow, unless the options `copy` or `out` are set.
   * `encoded` is never written, unless the option `inPlace` is set.
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
   * Encodes one chunk: its components in the byte order of the codecs, followed by the checksums.
   *
   * @param chunk a chunk of this chain's shape in C order, or the array of its components
   * @returns `out`, or a new array of `encodedByteLength` bytes
   * @throws ChunkLengthError, InvalidElementError, InvalidArgumentError
   */
  encode<B extends Uint8Array = Uint8Array<ArrayBuffer>>(chunk: ChunkLike<D>, options?: EncodeOptions<B>): B {
    const read = readOptions(options, ENCODE_OPTIONS as Allowed<EncodeOptions<B>>);
    const { forms } = this.#step;
    const array = expectChunk(chunk, this.#resolved, forms);
    const decoded = bytesOf(array, "chunk");
    const form = formOf(array, forms) as Form; // Checked by `expectChunk`.
    if (decoded.byteLength !== form.byteLength) throw this.#lengthError(decoded.byteLength, form);
    return encodeChunk(this.#step, form, decoded, read) as B;
  }

  /** Returns the error about the length of an encoded chunk or, given its form, of a decoded one. */
  #lengthError(actual: number, form?: Form): Error {
    const index = form && this.#step.forms.indexOf(form);
    return errorFromRust(instance.call("lengthError", this.#request, index, actual)) as Error;
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
