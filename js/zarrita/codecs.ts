/** The codecs that `register` registers, for all chunks that need the compiled Rust. */

import { Crc32cCodec as Codec, type CodecChain, createCodecChain } from "../core.js";
import type { Verify } from "../crc32c/mismatch.js";
import { CODEC_NAMES } from "../generated/facts.js";
import type { ChainOptions } from "../options.js";
import type { DataType, TypedArray } from "../typed-array.js";
import { FLOAT16_AS_FLOAT32 } from "./stores/codecs.js";
import {
  type Decoded,
  dataTypeOf,
  isVersion2Type,
  type Leniency,
  type PipelineCodec,
  type PipelineMetadata,
} from "./view.js";

/** Replaces a codec of others, which zarrita runs, so that ours keep their indexes for the order and the paths in errors. */
const OTHER = { name: "other", must_understand: false };

/** Resolves our codecs in an array's list of codecs. */
function resolve(
  codecs: readonly PipelineCodec[],
  metadata: PipelineMetadata,
  { missingEndian, invalidBool }: Leniency,
  float16: ChainOptions["float16"] = "auto",
): CodecChain {
  const isFloat16 = codecs.some(({ name }) => name === FLOAT16_AS_FLOAT32);
  const replaced = codecs.map((codec) => {
    if (!isOwn(codec, metadata)) return OTHER;
    return codec.name === FLOAT16_AS_FLOAT32 ? { ...codec, name: "bytes" } : codec;
  });
  return createCodecChain(
    {
      dataType: (isFloat16 ? "float16" : dataTypeOf(metadata)) as DataType,
      shape: metadata.shape,
      codecs: replaced as { name: string }[],
    },
    { missingEndian, invalidBool, float16: isFloat16 ? "float32" : float16 },
  );
}

/** Returns whether a codec is one of this package. */
function isOwn({ name, configuration }: PipelineCodec, metadata: PipelineMetadata): boolean {
  return (CODEC_NAMES.includes(name) || name === FLOAT16_AS_FLOAT32) && !isFilter(configuration, metadata);
}

function isChecksum(codec: PipelineCodec, metadata: PipelineMetadata): boolean {
  return codec.name === "crc32c" && isOwn(codec, metadata);
}

/**
 * Returns whether a configuration is that of the Zarr v2 filter `crc32c`, which zarrita before 0.7 looks up by the name of the
 * Zarr v3 codec. It states the location of the checksum, and the filter may precede `bytes`.
 */
function isFilter(configuration: unknown, metadata: PipelineMetadata | undefined): boolean {
  const { location } = { __proto__: null, ...(configuration as object) } as { location?: unknown };
  return metadata !== undefined && metadata.dataType === undefined && location === "end";
}

/** `bytes` (or `endian`) in zarrita's pipeline. */
export class BytesCodec {
  readonly #chain: CodecChain;
  readonly #wrap: ((bytes: Uint8Array) => Decoded | Promise<Decoded>) | undefined;
  /** Whether decoding must not return a view (see {@link Crc32cCodec}). */
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
    resolve(codecs, metadata, options);
    // This codec alone: the pipeline runs the others.
    this.#chain = resolve([{ name, configuration }], metadata, options, wrap ? "bits" : "auto");
    this.#wrap = wrap;
    const next = codecs[codecs.findIndex((codec) => codec.name === name) + 1];
    this.#copies = next !== undefined && isChecksum(next, metadata);
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
 * `crc32c` in zarrita's pipeline.
 *
 * A decoded chunk must not share memory with the encoded one, which may belong to a store: zarrita writes into decoded chunks,
 * and would invalidate the stored checksum. Where the checksum directly follows `bytes`, that codec copies, because it often
 * does anyway; elsewhere this one does.
 */
export class Crc32cCodec {
  readonly #codec: Codec;
  /**
   * The array's codecs up to this one, where the length is known because all codecs since `bytes` are ours. Several chains if
   * it may be one of several.
   */
  readonly #chains: readonly CodecChain[];

  /** @throws InvalidMetadataError */
  constructor(
    configuration: unknown,
    metadata: PipelineMetadata | undefined,
    options: Leniency,
    verify: Verify,
  ) {
    const ofVersion2 = isFilter(configuration, metadata);
    const places = placesOf(configuration, metadata);
    this.#codec = new Codec(ofVersion2 ? undefined : configuration, verify, places[0]);
    this.#chains = metadata === undefined || ofVersion2 ? [] : chainsUpTo(places, metadata, options);
  }

  decode(encoded: Uint8Array): Uint8Array {
    const hasKnownLength = this.#chains.some((chain) => chain.encodedByteLength === encoded.byteLength);
    // Throws a ChunkLengthError that explains the length. Of several checksums, the last one is decoded first.
    if (!hasKnownLength) this.#chains.at(-1)?.decode(encoded);
    return this.#codec.decode(encoded, this.#chains.length === 0);
  }

  encode(decoded: Uint8Array): Uint8Array {
    return this.#codec.encode(decoded);
  }
}

/** Returns the indexes of the `crc32c` codecs with this configuration: zarrita does not tell which of them is meant. */
function placesOf(configuration: unknown, metadata: PipelineMetadata | undefined): number[] {
  return (metadata?.codecs ?? []).flatMap((codec, i) =>
    codec.name === "crc32c" && codec.configuration === configuration ? [i] : [],
  );
}

/** Returns the chains that end at these indexes; none if the length of one is unknown. */
function chainsUpTo(places: readonly number[], metadata: PipelineMetadata, options: Leniency): CodecChain[] {
  const { codecs = [] } = metadata;
  const bytes = codecs.findIndex((codec) => codec.name !== "crc32c" && isOwn(codec, metadata));
  if (bytes < 0 || isVersion2Type(metadata)) return [];
  resolve(codecs, metadata, options);
  const isKnown = places.every((place) =>
    codecs.slice(bytes + 1, place).every((codec) => isChecksum(codec, metadata)),
  );
  return isKnown ? places.map((place) => resolve(codecs.slice(0, place + 1), metadata, options)) : [];
}
