/** The codecs that `register` registers, for all chunks that need the compiled Rust. */

import { ChecksumCodec as Codec, type CodecChain } from "../core.js";
import type { Verify } from "../crc32c/mismatch.js";
import type { DataType, TypedArray } from "../typed-array.js";
import { between, isBytes, isCrc32c, isVersion2Filter, placesOf, resolveOwn } from "./lists.js";
import {
  type Decoded,
  isVersion2Type,
  type Leniency,
  type PipelineCodec,
  type PipelineMetadata,
} from "./view.js";

/** `bytes` (or `endian`) in zarrita's pipeline. */
export class BytesCodec {
  readonly #chain: CodecChain;
  readonly #wrap: ((bytes: Uint8Array) => Decoded | Promise<Decoded>) | undefined;
  /** Whether decoding must not return a view (see {@link ChecksumCodec}). */
  readonly #copies: boolean;

  /**
   * @param wrap creates zarrita's own array over decoded bytes, where that is not a typed array of the host
   * @throws InvalidMetadataError
   */
  constructor(
    name: string,
    configuration: unknown,
    metadata: PipelineMetadata,
    options: Leniency,
    wrap?: (bytes: Uint8Array) => Decoded | Promise<Decoded>,
  ) {
    const { codecs = [{ name, configuration }] } = metadata;
    resolveOwn(codecs, metadata, options);
    // This codec alone: the pipeline runs the others.
    this.#chain = resolveOwn([{ name, configuration }], metadata, options, wrap ? "bits" : "auto");
    this.#wrap = wrap;
    const next = codecs[codecs.findIndex((codec) => codec.name === name) + 1];
    this.#copies = next !== undefined && isCrc32c(next) && !isVersion2Filter(next, metadata);
  }

  decode(encoded: Uint8Array): Decoded | Promise<Decoded> {
    const chunk: Decoded & { data: TypedArray } = this.#chain.decode(encoded);
    if (this.#copies && chunk.data.buffer === encoded.buffer) chunk.data = chunk.data.slice();
    const { buffer, byteOffset, byteLength } = chunk.data;
    return this.#wrap ? this.#wrap(new Uint8Array(buffer, byteOffset, byteLength)) : chunk;
  }

  /** Encodes the chunk's array in its own order, which preceding codecs chose, and ignores its stride. */
  encode({ data }: Decoded): Uint8Array {
    return this.#chain.encode(typedArray(data, this.#chain.dataType) as TypedArray);
  }
}

/** Returns a view of the bytes of zarrita's own array or of a polyfilled `Float16Array`; returns anything else unchanged. */
function typedArray(data: unknown, dataType: DataType): unknown {
  if (ArrayBuffer.isView(data) || typeof data !== "object" || data === null) return data;
  const { buffer, byteOffset = 0, byteLength = 0 } = data as Partial<Uint8Array>;
  if (buffer === undefined) return data;
  if (dataType === "float16") return new Uint16Array(buffer, byteOffset, byteLength / 2);
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * A checksum in zarrita's pipeline.
 *
 * A decoded chunk must not share memory with the encoded one, which may belong to a store: zarrita writes into decoded chunks,
 * and would invalidate the stored checksum. Where `crc32c` directly follows `bytes`, that codec copies, because it often
 * does anyway; elsewhere this one does.
 */
export class ChecksumCodec {
  readonly #codec: Codec;
  /**
   * The array's codecs up to this one, where the length is known because all codecs since `bytes` are ours. Several chains if
   * it may be one of several.
   */
  readonly #chains: readonly CodecChain[];
  readonly #copies: boolean;

  /** @throws InvalidMetadataError */
  constructor(
    codec: PipelineCodec,
    metadata: PipelineMetadata | undefined,
    options: Leniency,
    verify: Verify,
  ) {
    const { name, configuration } = codec;
    const ofVersion2 = isVersion2Filter(codec, metadata);
    const places = placesOf(codec, metadata);
    this.#codec = new Codec(name, ofVersion2 ? undefined : configuration, verify, places[0]);
    this.#chains = metadata === undefined || ofVersion2 ? [] : chainsUpTo(places, metadata, options);
    const followsBytes = (place: number) => between(metadata?.codecs ?? [], place)?.every(isCrc32c);
    this.#copies = this.#chains.length === 0 || !places.every(followsBytes);
  }

  decode(encoded: Uint8Array): Uint8Array {
    const hasKnownLength = this.#chains.some((chain) => chain.encodedByteLength === encoded.byteLength);
    // Throws a ChunkLengthError that explains the length. Of several checksums, the last one is decoded first.
    if (!hasKnownLength) this.#chains.at(-1)?.decode(encoded);
    return this.#codec.decode(encoded, this.#copies);
  }

  encode(decoded: Uint8Array): Uint8Array {
    return this.#codec.encode(decoded);
  }
}

/** Returns the chains that end at these indexes; none if the length of one is unknown. */
function chainsUpTo(places: readonly number[], metadata: PipelineMetadata, options: Leniency): CodecChain[] {
  const { codecs = [] } = metadata;
  if (!codecs.some(isBytes) || isVersion2Type(metadata)) return [];
  resolveOwn(codecs, metadata, options);
  const isKnown = places.every((place) => between(codecs, place) !== undefined);
  return isKnown ? places.map((place) => resolveOwn(codecs.slice(0, place + 1), metadata, options)) : [];
}
