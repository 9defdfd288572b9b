/** A resolved codec chain, and what it decodes and encodes. */

import { InvalidArgumentError } from "../errors.js";
import { copiedTo } from "../expect.js";
import {
  type Allowed,
  type ChainOptions,
  DECODE_OPTIONS,
  type DecodeOptions,
  ENCODE_OPTIONS,
  type EncodeOptions,
  readOptions,
} from "../options.js";
import { type Bytes, bytesOf, type DataType, type TypedArrayOf } from "../typed-array.js";
import { defaultForm } from "./decode.js";
import type { RecordViews, TextViews } from "./elements.js";
import { OwnCodecs } from "./own-codecs.js";
import type { BytesStep, NativeStep, Request, Resolved, ResolvedCodec } from "./resolved.js";
import { rememberShard } from "./shard/chain-shard.js";

/** The members that every decoded chunk has. */
export interface ChunkParts<A> {
  /** The components of all elements, in the order that `stride` describes. */
  data: A;
  /** The shape, in elements. */
  shape: number[];
  /** The stride of each dimension, in elements: of C order, unless the option `strided` is set. */
  stride: number[];
}

/** A decoded chunk. Those of records and strings have views of their elements. */
export type Chunk<D extends DataType = DataType, A = TypedArrayOf<D>> = ChunkParts<A> & ViewsOf<D>;

type ViewsOf<D extends DataType> = [D] extends ["struct" | "structured"]
  ? RecordViews
  : [D] extends ["fixed_length_utf32"]
    ? TextViews
    : unknown;

/**
 * The arrays that `encode` accepts: the one that `decode` returns, for `Uint8Array` also `Uint8ClampedArray`, and for strings
 * an array of them.
 */
export type EncodableArrayOf<D extends DataType> =
  | TypedArrayOf<D>
  | (D extends "fixed_length_utf32" ? readonly string[] : never)
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
  readonly #own: OwnCodecs;
  readonly #verify: boolean;

  /** The name of the data type. */
  readonly dataType: D;
  /** The shape of a chunk, in elements. */
  readonly shape: readonly number[];
  /** The codecs, normalised: aliases and short-hands resolved, an assumed byte order stated, ignored codecs omitted. */
  readonly codecs: readonly ResolvedCodec[];
  /** The length of `data` of a decoded chunk, in bytes. */
  readonly decodedByteLength: number;
  /** The length of an encoded chunk, in bytes, including checksums; undefined where it varies: of shards. */
  readonly encodedByteLength: number | undefined;

  /** Use {@link createCodecChain} or {@link codecChainForArray}. */
  constructor(resolvedHere: typeof RESOLVED, resolved: Resolved, request: Request, options: ChainOptions) {
    if (resolvedHere !== RESOLVED) {
      const message = "CodecChain cannot be constructed: use createCodecChain or codecChainForArray";
      throw new InvalidArgumentError(message, { argument: "CodecChain" });
    }
    this.#own = new OwnCodecs(resolved, request, options);
    this.#verify = options.verify ?? true;
    this.dataType = resolved.dataType as D;
    this.shape = Object.freeze([...resolved.shape]);
    this.codecs = deepFreeze(resolved.codecs);
    this.decodedByteLength = defaultForm(this.#own.array.step).byteLength;
    this.encodedByteLength = encodedByteLength(resolved);
    rememberShard(this, resolved, request, options, (inner, innerRequest) => {
      return new CodecChain<D>(RESOLVED, inner, innerRequest, options);
    });
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
    const verify = read.verify ?? this.#verify;
    const { array, overBytes } = this.#own;
    if (overBytes.length === 0) return array.decode(encoded, verify, read) as Chunk<D, A>;
    const bytes = bytesOf(encoded, "encoded");
    const expected = this.encodedByteLength ?? bytes.byteLength;
    if (bytes.byteLength !== expected) throw array.lengthError(bytes.byteLength);
    return this.#own.decode(bytes, verify, read) as Chunk<D, A>;
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
    const { array, overBytes } = this.#own;
    if (overBytes.length === 0) return array.encode(chunk, read) as B;
    return copiedTo(read.out, this.#own.encodeBytes(array.encode(chunk)));
  }
}

/** Returns the length of an encoded chunk; undefined where it varies. */
export function encodedByteLength({ steps: [first] }: Resolved): number | undefined {
  return (first as NativeStep | BytesStep).encodedByteLength; // Absent in steps of other kinds.
}

export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
