/** A codec chain that may contain external codecs. */

import type { DecodeOptions, EncodeOptions } from "../options.js";
import type { Bytes, DataType, TypedArrayOf } from "../typed-array.js";
import type { Chunk, ChunkLike } from "./chunk.js";
import type { Codecs } from "./codecs.js";
import { type RESOLVED, ResolvedChain } from "./resolved-chain.js";

/**
 * The resolved codecs of an array, some of which may be external codecs. Created by {@link loadCodecChain}.
 *
 * @example
 * ```ts
 * import { loadCodecChain } from "zarr-codecs";
 *
 * const chain = await loadCodecChain({ dataType: "uint8", shape: [2], codecs: ["bytes", "zlib", "crc32c"] });
 * chain.encodedByteLength; // => undefined
 * (await chain.decode(await chain.encode(Uint8Array.of(1, 2)))).data; // => Uint8Array.of(1, 2)
 * ```
 */
export class AsyncCodecChain<D extends DataType = DataType> extends ResolvedChain<D> {
  readonly #codecs: Codecs;

  /** The length of `data` of a decoded chunk, in bytes; undefined if an external codec decodes to the array. */
  readonly decodedByteLength: number | undefined;

  /** Use {@link loadCodecChain}. */
  constructor(resolvedHere: typeof RESOLVED, codecs: Codecs) {
    super(resolvedHere, codecs, "AsyncCodecChain", "loadCodecChain");
    this.#codecs = codecs;
    this.decodedByteLength = codecs.decodedByteLength;
  }

  /** Decodes a chunk into a new `ArrayBuffer`. */
  decode(
    encoded: Bytes,
    options: DecodeOptions<never> & { readonly copy: true },
  ): Promise<Chunk<D, TypedArrayOf<D, ArrayBuffer>>>;
  /**
   * Decodes one chunk as {@link CodecChain.decode} does, with the external codecs in their places.
   *
   * @throws ChunkLengthError, ChecksumMismatchError, InvalidElementError, ExternalCodecError, InvalidArgumentError
   */
  decode<A extends TypedArrayOf<D> = TypedArrayOf<D>>(
    encoded: Bytes,
    options?: DecodeOptions<A>,
  ): Promise<Chunk<D, A>>;
  async decode<A extends TypedArrayOf<D>>(encoded: Bytes, options?: DecodeOptions<A>): Promise<Chunk<D, A>> {
    return this.#codecs.decode(encoded, options) as Promise<Chunk<D, A>>;
  }

  /**
   * Encodes one chunk as {@link CodecChain.encode} does, with the external codecs in their places.
   *
   * @returns `out`, which has exactly the length of the encoded chunk, or a new array
   * @throws ChunkLengthError, InvalidElementError, ExternalCodecError, InvalidArgumentError
   */
  async encode<B extends Uint8Array = Uint8Array<ArrayBuffer>>(
    chunk: ChunkLike<D>,
    options?: EncodeOptions<B>,
  ): Promise<B> {
    return this.#codecs.encode(chunk, options) as Promise<B>;
  }
}
