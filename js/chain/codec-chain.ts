/** A codec chain whose codecs are all built in. */

import type { DecodeOptions, EncodeOptions } from "../options.js";
import type { Bytes, DataType, TypedArrayOf } from "../typed-array.js";
import type { Chunk, ChunkLike } from "./chunk.js";
import type { Codecs } from "./codecs.js";
import { type RESOLVED, ResolvedChain } from "./resolved-chain.js";

export type { Chunk, ChunkLike, ChunkParts, EncodableArrayOf } from "./chunk.js";

/**
 * The resolved codecs of an array. Created by {@link createCodecChain}.
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
export class CodecChain<D extends DataType = DataType> extends ResolvedChain<D> {
  readonly #codecs: Codecs;

  /** The length of `data` of a decoded chunk, in bytes. */
  readonly decodedByteLength: number;

  /** Use {@link createCodecChain}. */
  constructor(resolvedHere: typeof RESOLVED, codecs: Codecs) {
    super(resolvedHere, codecs, "CodecChain", "createCodecChain");
    this.#codecs = codecs;
    this.decodedByteLength = codecs.decodedByteLength as number; // Known, because no codec is external.
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
    return this.#codecs.decode(encoded, options) as Chunk<D, A>;
  }

  /**
   * Encodes one chunk: its components in the byte order of the codecs, followed by the checksums.
   *
   * @param chunk a chunk of this chain's shape in the order of its `stride`, or the array of its components in C order
   * @returns `out`, or a new array of `encodedByteLength` bytes
   * @throws ChunkLengthError, InvalidElementError, InvalidArgumentError
   */
  encode<B extends Uint8Array = Uint8Array<ArrayBuffer>>(chunk: ChunkLike<D>, options?: EncodeOptions<B>): B {
    return this.#codecs.encode(chunk, options) as B;
  }
}
