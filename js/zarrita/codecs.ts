/** The codecs that `register` registers, as far as they need the compiled Rust. */

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
  type PipelineCodec,
  type PipelineMetadata,
} from "./view.js";

/** The options of `register` that concern metadata and elements. */
type Leniency = Pick<ChainOptions, "missingEndian" | "invalidBool">;

/** Stands for a codec of others, so that ours keep their places in the list and errors name them. */
const OTHER = { name: "other", must_understand: false };

/** Resolves codecs of an array by Rust: ours, in their places. */
function resolve(
  codecs: readonly PipelineCodec[],
  metadata: PipelineMetadata,
  { missingEndian, invalidBool }: Leniency,
  float16: ChainOptions["float16"] = "auto",
): CodecChain {
  const isFloat16 = codecs.some(({ name }) => name === FLOAT16_AS_FLOAT32);
  const judged = codecs.map((codec) => {
    if (!isOwn(codec, metadata)) return OTHER;
    return codec.name === FLOAT16_AS_FLOAT32 ? { ...codec, name: "bytes" } : codec;
  });
  return createCodecChain(
    {
      dataType: (isFloat16 ? "float16" : dataTypeOf(metadata)) as DataType,
      shape: metadata.shape,
      codecs: judged as { name: string }[],
    },
    { missingEndian, invalidBool, float16: isFloat16 ? "float32" : float16 },
  );
}

/** Whether a codec is of this package. */
function isOwn({ name, configuration }: PipelineCodec, metadata: PipelineMetadata): boolean {
  return (CODEC_NAMES.includes(name) || name === FLOAT16_AS_FLOAT32) && !isFilter(configuration, metadata);
}

function isChecksum(codec: PipelineCodec, metadata: PipelineMetadata): boolean {
  return codec.name === "crc32c" && isOwn(codec, metadata);
}

/**
 * Whether a configuration is that of a filter of Zarr v2, which zarrita before 0.7 calls `crc32c` like the codec of
 * Zarr v3: then it says where the checksum stands, and it may come before `bytes`.
 */
function isFilter(configuration: unknown, metadata: PipelineMetadata | undefined): boolean {
  const { location } = { __proto__: null, ...(configuration as object) } as { location?: unknown };
  return metadata !== undefined && metadata.dataType === undefined && location === "end";
}

/** `bytes` (or `endian`) in zarrita's pipeline. */
export class BytesCodec {
  readonly #chain: CodecChain;
  readonly #wrap: ((bytes: Uint8Array) => Decoded | Promise<Decoded>) | undefined;
  /** Whether decoding must not return a view: see {@link Crc32cCodec}. */
  readonly #copies: boolean;

  /**
   * @param wrap makes zarrita's array over decoded bytes, where that is not a typed array
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
    // The others are codecs of their own in zarrita's pipeline.
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

  /** The chunk's array tells all: it is in the order that codecs before this one gave it, whatever its stride. */
  encode({ data }: Decoded): Uint8Array {
    return this.#chain.encode(typedArray(data, this.#chain.dataType) as TypedArray);
  }
}

/** A view under an array of zarrita's own, or under a `Float16Array` that is not the host's; anything else as it is. */
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
 * What is decoded must not share memory with the encoded chunk, which may be a store's: zarrita writes into decoded
 * chunks, and the stored checksum would then be wrong. `bytes` sees to that where the checksum comes right after it,
 * because it often needs memory of its own anyway; elsewhere this codec does.
 */
export class Crc32cCodec {
  readonly #codec: Codec;
  /**
   * The array's codecs as far as this one, where all that encode bytes are ours, so that the length is known. There may
   * be several such places in the list: nothing tells one `crc32c` from another.
   */
  readonly #chains: readonly CodecChain[];

  /** @throws InvalidMetadataError */
  constructor(
    configuration: unknown,
    metadata: PipelineMetadata | undefined,
    options: Leniency,
    verify: Verify,
  ) {
    this.#codec = new Codec(
      isFilter(configuration, metadata) ? undefined : configuration,
      verify,
      placeOf(configuration, metadata),
    );
    this.#chains = metadata ? chainsUpTo(configuration, metadata, options) : [];
  }

  decode(encoded: Uint8Array): Uint8Array {
    const hasKnownLength = this.#chains.some((chain) => chain.encodedByteLength === encoded.byteLength);
    // Throws a ChunkLengthError that says where the length comes from. Of several checksums the last is decoded first.
    if (!hasKnownLength) this.#chains.at(-1)?.decode(encoded);
    return this.#codec.decode(encoded, { copy: this.#chains.length === 0 });
  }

  encode(decoded: Uint8Array): Uint8Array {
    return this.#codec.encode(decoded);
  }
}

/** The chains that end with a `crc32c` of this configuration; none where the length of one is unknown. */
function chainsUpTo(
  configuration: unknown,
  metadata: PipelineMetadata,
  options: Leniency,
): readonly CodecChain[] {
  if (isFilter(configuration, metadata)) return [];
  const { codecs = [] } = metadata;
  const isBytes = (codec: PipelineCodec) => codec.name !== "crc32c" && isOwn(codec, metadata);
  const start = isVersion2Type(metadata) ? -1 : codecs.findIndex(isBytes);
  const ends = codecs.flatMap((codec, i) =>
    codec.name === "crc32c" && codec.configuration === configuration ? [i + 1] : [],
  );
  if (start < 0) return [];
  resolve(codecs, metadata, options);
  const isKnown = ends.every((end) =>
    codecs.slice(start + 1, end).every((codec) => isChecksum(codec, metadata)),
  );
  return isKnown ? ends.map((end) => resolve(codecs.slice(0, end), metadata, options)) : [];
}

/** How many codecs come before the first `crc32c` of this configuration. */
function placeOf(configuration: unknown, metadata: PipelineMetadata | undefined): number | undefined {
  const place = metadata?.codecs?.findIndex(
    (codec) => codec.name === "crc32c" && codec.configuration === configuration,
  );
  return place === -1 ? undefined : place;
}
