/** A resolved codec chain, and what it decodes and encodes. */

import { errorFromRust, InvalidArgumentError } from "../errors.js";
import { typedArrayByteLength } from "../intrinsics.js";
import {
  type Allowed,
  type ChainOptions,
  DECODE_OPTIONS,
  type DecodeOptions,
  ENCODE_OPTIONS,
  type EncodeOptions,
  readOptions,
} from "../options.js";
import { type Bytes, byteArrayOf, bytesOf, type DataType, type TypedArrayOf } from "../typed-array.js";
import { instance } from "../wasm/instance.js";
import { decodeChunk, defaultForm } from "./decode.js";
import { encodeChunk, expectChunk, formOf, wrongStride } from "./encode.js";
import type { ArrayStep, Form, Layout, Request, Resolved, ResolvedCodec } from "./resolved.js";

/** A decoded chunk. */
export interface Chunk<D extends DataType = DataType, A = TypedArrayOf<D>> {
  /** The components of all elements, in the order that `stride` describes. */
  data: A;
  /** The shape, in elements. */
  shape: number[];
  /** The stride of each dimension, in elements: of C order, unless the option `strided` is set. */
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

/** Restricts the constructor to this package, which passes only what Rust has resolved. */
export const RESOLVED = Symbol("resolved");

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
  readonly #strided: boolean;
  /** The layout of the last chunk that was encoded with other strides than those of C order. */
  #layout: Layout | undefined;

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
  constructor(resolvedHere: typeof RESOLVED, resolved: Resolved, request: Request, options: ChainOptions) {
    if (resolvedHere !== RESOLVED) {
      const message = "CodecChain cannot be constructed: use createCodecChain or codecChainForArray";
      throw new InvalidArgumentError(message, { argument: "CodecChain" });
    }
    const step = resolved.steps[0] as ArrayStep; // The only step, as there are no codecs of others.
    this.#resolved = resolved;
    this.#step = step;
    this.#request = request;
    this.#verify = options.verify ?? true;
    this.#strided = options.strided ?? false;
    this.#layout = step.stored;
    this.dataType = resolved.dataType as D;
    this.shape = Object.freeze([...resolved.shape]);
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
    const bytes = byteArrayOf(encoded, "encoded");
    const byteLength = typedArrayByteLength(bytes) as number;
    if (byteLength !== this.#step.encodedByteLength) throw this.#lengthError(byteLength);
    const stored = (read.strided ?? this.#strided) ? this.#step.stored : undefined;
    const form = defaultForm(stored ?? this.#step);
    const data = decodeChunk(this.#step, form, bytes, read.verify ?? this.#verify, read);
    const { shape } = this.#resolved;
    const { stride } = stored ?? this.#resolved;
    // The fastest copy, if they are not frozen (Node 20).
    return { data: data as A, shape: shape.concat(), stride: stride.concat() };
  }

  /**
   * Encodes one chunk: its components in the byte order of the codecs, followed by the checksums.
   *
   * @param chunk a chunk of this chain's shape in the order of its `stride`, or the array of its components in C order
   * @returns `out`, or a new array of `encodedByteLength` bytes
   * @throws ChunkLengthError, InvalidElementError, InvalidArgumentError
   */
  encode<B extends Uint8Array = Uint8Array<ArrayBuffer>>(chunk: ChunkLike<D>, options?: EncodeOptions<B>): B {
    const read = readOptions(options, ENCODE_OPTIONS as Allowed<EncodeOptions<B>>);
    const { data, stride } = expectChunk(chunk, this.#resolved, this.#step.forms);
    const byteLength = typedArrayByteLength(data) || bytesOf(data, "chunk").byteLength; // Throws where it is detached.
    const { forms } = stride === undefined ? this.#step : this.#layoutOf(stride);
    const form = formOf(data, forms) as Form; // Checked by `expectChunk`.
    if (byteLength !== form.byteLength) throw this.#lengthError(byteLength, forms.indexOf(form));
    return encodeChunk(this.#step, form, data, read) as B;
  }

  /** Returns the forms for arrays with strides other than those of C order. */
  #layoutOf(stride: readonly number[]): Layout {
    if (this.#layout?.stride.every((step, axis) => step === stride[axis])) return this.#layout;
    const layout: Layout | undefined = instance.call("layout", this.#request, Float64Array.from(stride));
    if (layout === undefined) throw wrongStride(stride, this.#resolved);
    this.#layout = layout;
    return layout;
  }

  /** Returns the error about the length of an encoded chunk or, given the index of its form, of a decoded one. */
  #lengthError(actual: number, index?: number): Error {
    return errorFromRust(instance.call("lengthError", this.#request, index, actual)) as Error;
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
