/** The codecs that `register` registers, as far as they need the compiled Rust. */

import { type CodecChain, createCodecChain } from "./core.js";
import { Crc32cCodec, type Verify } from "./numcodecs.js";
import type { ChainOptions } from "./options.js";
import { CODEC_NAMES, type Decoded, type PipelineMetadata } from "./pipeline.js";
import type { DataType, TypedArray } from "./typed-array.js";
import { FLOAT16_AS_FLOAT32 } from "./zarrita/stores/codecs.js";

export { init } from "./core.js";

/** Stands for a codec of others, so that ours keep their places in the list and errors name them. */
const OTHER = { name: "other", must_understand: false };

/** The codecs of a list as Rust judges them: ours, in their places. `at` is the one that is being made. */
function judged(name: string, configuration: unknown, metadata: PipelineMetadata): unknown[] {
  const { codecs } = metadata;
  const own = { name: name === FLOAT16_AS_FLOAT32 ? "bytes" : name, configuration };
  if (codecs === undefined) return [own];
  return codecs.map((codec) => {
    if (codec.name === name) return { ...codec, name: own.name };
    return CODEC_NAMES.includes(codec.name) && !isFilter(codec.configuration, metadata) ? codec : OTHER;
  });
}

/**
 * Whether a configuration is that of a filter of Zarr v2, which zarrita before 0.7 calls `crc32c` like the codec of
 * Zarr v3: then it says where the checksum stands, and it may come before `bytes`.
 */
function isFilter(configuration: unknown, metadata: PipelineMetadata | undefined): boolean {
  const { location } = (configuration ?? {}) as { location?: unknown };
  return metadata !== undefined && metadata.dataType === undefined && location === "end";
}

/** `bytes` (or `endian`) in zarrita's pipeline. */
export class BytesCodec {
  readonly #chain: CodecChain;
  readonly #wrap: ((bytes: Uint8Array) => Decoded | Promise<Decoded>) | undefined;

  /**
   * @param wrap makes zarrita's array over decoded bytes, where that is not a typed array
   * @throws InvalidMetadataError
   */
  constructor(
    name: string,
    configuration: unknown,
    metadata: PipelineMetadata,
    { missingEndian, invalidBool }: Pick<ChainOptions, "missingEndian" | "invalidBool">,
    wrap?: (bytes: Uint8Array) => Decoded | Promise<Decoded>,
  ) {
    const isFloat16 = name === FLOAT16_AS_FLOAT32;
    const dataType = (isFloat16 ? "float16" : (metadata.dataType ?? metadata.data_type)) as DataType;
    const { shape } = metadata;
    const options: ChainOptions = {
      missingEndian,
      invalidBool,
      float16: isFloat16 ? "float32" : wrap ? "bits" : "auto",
    };
    const codecs = judged(name, configuration, metadata) as { name: string }[];
    const all = createCodecChain({ dataType, shape, codecs }, options);
    // The others are codecs of their own in zarrita's pipeline.
    this.#chain = createCodecChain({ dataType, shape, codecs: all.codecs.slice(0, 1) }, options);
    this.#wrap = wrap;
  }

  decode(encoded: Uint8Array): Decoded | Promise<Decoded> {
    const chunk = this.#chain.decode(encoded);
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

/** `crc32c` in zarrita's pipeline. */
export function crc32cEntry(verify: Verify) {
  return {
    kind: "bytes_to_bytes",
    fromConfig(configuration: unknown, metadata?: PipelineMetadata): Crc32cCodec {
      if (!isFilter(configuration, metadata)) expectConfiguration(configuration, metadata);
      return new Crc32cCodec(verify);
    },
  } as const;
}

/** Has Rust check the configuration of a `crc32c`, in its place where that is known. */
function expectConfiguration(configuration: unknown, metadata: PipelineMetadata | undefined): void {
  const place = metadata?.codecs?.findIndex(
    (codec) => codec.name === "crc32c" && codec.configuration === configuration,
  );
  const own = { name: "crc32c", configuration };
  const others = Array.from({ length: Math.max((place ?? 1) - 1, 0) }, () => OTHER);
  const codecs = ["bytes", ...others, own] as { name: string }[];
  createCodecChain({ dataType: "uint8", shape: [], codecs });
}
