/** A codec chain that may contain codecs of others. */

import { InvalidArgumentError } from "../errors.js";
import { copiedTo, expectReadable } from "../expect.js";
import {
  type Allowed,
  type ChainOptions,
  DECODE_OPTIONS,
  type DecodeOptions,
  ENCODE_OPTIONS,
  type EncodeOptions,
  readOptions,
} from "../options.js";
import { cOrderStride } from "../stride.js";
import { type Bytes, bytesOf, type DataType, type TypedArrayOf } from "../typed-array.js";
import { lengthError } from "./array-codec.js";
import {
  type Chunk,
  type ChunkLike,
  CodecChain,
  deepFreeze,
  encodedByteLength,
  RESOLVED,
} from "./codec-chain.js";
import { defaultForm, isArrayStep } from "./decode.js";
import type { Request, Resolved, ResolvedCodec } from "./resolved.js";
import { rememberShard } from "./shard/chain-shard.js";
import { areOwn, type LoadedCodec, type Stage, stagesOf } from "./stages.js";

/**
 * The resolved codecs of an array, some of which may be codecs of others. Created by {@link loadCodecChain}.
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
export class AsyncCodecChain<D extends DataType = DataType> {
  /** The same chain, if all codecs are of this package. */
  readonly #own: CodecChain<D> | undefined;
  /** In the order of decoding. */
  readonly #stages: readonly Stage[];
  readonly #verify: boolean;
  /** Kept for errors about lengths, which Rust explains from the metadata. */
  readonly #request: Request;

  /** The name of the data type. */
  readonly dataType: D;
  /** The shape of a chunk, in elements. */
  readonly shape: readonly number[];
  /** The codecs, those of this package normalised; ignored codecs are omitted. */
  readonly codecs: readonly ResolvedCodec[];
  /** The length of `data` of a decoded chunk, in bytes; undefined where a codec of others decodes to the array. */
  readonly decodedByteLength: number | undefined;
  /** The length of an encoded chunk, in bytes; undefined where it varies. */
  readonly encodedByteLength: number | undefined;

  /** Use {@link loadCodecChain}. */
  constructor(
    resolvedHere: typeof RESOLVED,
    resolved: Resolved,
    request: Request,
    options: ChainOptions,
    loaded: readonly LoadedCodec[],
  ) {
    if (resolvedHere !== RESOLVED) {
      const message = "AsyncCodecChain cannot be constructed: use loadCodecChain";
      throw new InvalidArgumentError(message, { argument: "AsyncCodecChain" });
    }
    const { steps } = resolved;
    const isOwn = areOwn(steps);
    this.#own = isOwn ? new CodecChain<D>(RESOLVED, resolved, request, options) : undefined;
    this.#stages = isOwn ? [] : stagesOf(resolved, request, options, loaded);
    this.#verify = options.verify ?? true;
    this.#request = request;
    const last = steps.at(-1);
    this.dataType = resolved.dataType as D;
    this.shape = Object.freeze([...resolved.shape]);
    this.codecs = deepFreeze(resolved.codecs);
    this.decodedByteLength = last && isArrayStep(last) ? defaultForm(last).byteLength : undefined;
    this.encodedByteLength = encodedByteLength(resolved);
    rememberShard(this, resolved, request, options, (inner, innerRequest) => {
      return new AsyncCodecChain<D>(RESOLVED, inner, innerRequest, options, loaded);
    });
  }

  /** Decodes a chunk into a new `ArrayBuffer`. */
  decode(
    encoded: Bytes,
    options: DecodeOptions<never> & { readonly copy: true },
  ): Promise<Chunk<D, TypedArrayOf<D, ArrayBuffer>>>;
  /**
   * Decodes one chunk as {@link CodecChain.decode} does, with the codecs of others in their places.
   *
   * @throws ChunkLengthError, ChecksumMismatchError, InvalidElementError, ExternalCodecError, InvalidArgumentError
   */
  decode<A extends TypedArrayOf<D> = TypedArrayOf<D>>(
    encoded: Bytes,
    options?: DecodeOptions<A>,
  ): Promise<Chunk<D, A>>;
  async decode<A extends TypedArrayOf<D>>(encoded: Bytes, options?: DecodeOptions<A>): Promise<Chunk<D, A>> {
    if (this.#own) return this.#own.decode(encoded, options);
    const read = readOptions(options, DECODE_OPTIONS as Allowed<DecodeOptions<A>>);
    const verify = read.verify ?? this.#verify;
    const bytes = bytesOf(encoded, "encoded");
    const { byteLength } = bytes;
    if (byteLength !== (this.encodedByteLength ?? byteLength)) throw lengthError(this.#request, byteLength);
    let value: unknown = bytes;
    for (const stage of this.#stages) {
      // Codecs of others that take an array get it in C order.
      value = await stage.decode(value, verify, stage === this.#stages.at(-1) ? read : { strided: false });
    }
    return value as Chunk<D, A>;
  }

  /**
   * Encodes one chunk as {@link CodecChain.encode} does, with the codecs of others in their places.
   *
   * @returns `out`, which has exactly the length of the encoded chunk, or a new array
   * @throws ChunkLengthError, InvalidElementError, ExternalCodecError, InvalidArgumentError
   */
  async encode<B extends Uint8Array = Uint8Array<ArrayBuffer>>(
    chunk: ChunkLike<D>,
    options?: EncodeOptions<B>,
  ): Promise<B> {
    if (this.#own) return this.#own.encode(chunk, options);
    const { out } = readOptions(options, ENCODE_OPTIONS as Allowed<EncodeOptions<B>>);
    let value: unknown = this.decodedByteLength === undefined ? completed(chunk, this.shape) : chunk;
    for (const stage of [...this.#stages].reverse()) value = await stage.encode(value);
    return copiedTo(out, value as Uint8Array);
  }
}

/** Returns a chunk for a codec of others: `data` may stand alone, and is in C order unless a stride says otherwise. */
function completed(chunk: unknown, ofChain: readonly number[]): unknown {
  return expectReadable("chunk", () => {
    const { data = chunk, shape = [...ofChain], stride = cOrderStride(ofChain) } = Object(chunk);
    return { data, shape, stride };
  });
}
