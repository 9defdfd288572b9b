/**
 * This package's codecs for zarrita: for each of its copies that an application holds.
 *
 * zarrita itself is not imported here, nor is the compiled Rust: that is loaded when a chunk needs it, which
 * little-endian data without checksums does not.
 *
 * @module
 */

import { describe, InvalidArgumentError } from "./errors.js";
import { expectReadable } from "./expect.js";
import { type Allowed, type ChainOptions, readOptions } from "./options.js";
import { type Decoded, type PipelineMetadata, viewOf } from "./pipeline.js";
import { FLOAT16_AS_FLOAT32 } from "./zarrita/stores/codecs.js";

export {
  type ExtendedStore,
  type ReadableStore,
  withExtendedTypes,
} from "./zarrita/stores/extended-types.js";

/** Options of {@link register}. */
export interface RegisterOptions {
  /**
   * Whether to verify checksums when decoding. `"warn"` verifies them and only writes a wrong one to the console;
   * false skips computing them. Default: true.
   */
  readonly verify?: boolean | "warn" | undefined;
  /** What multi-byte data without a byte order are taken for. Default: `"error"`. */
  readonly missingEndian?: ChainOptions["missingEndian"];
  /** What `bool` elements other than 0 and 1 are taken for. Default: `"error"`. */
  readonly invalidBool?: ChainOptions["invalidBool"];
}

const REGISTER_OPTIONS: Allowed<RegisterOptions> = {
  verify: [true, false, "warn"],
  missingEndian: ["error", "little", "big"],
  invalidBool: ["error", "true"],
};

/** A registry of codecs: zarrita's, whatever its version, or any other map of functions that give codecs. */
export interface CodecRegistry {
  get(name: string): unknown;
  set(name: string, factory: () => Promise<never>): unknown;
  delete(name: string): unknown;
}

/** What a registry's functions give. */
interface CodecEntry {
  readonly kind?: "array_to_bytes" | "bytes_to_bytes";
  fromConfig(configuration: unknown, metadata: PipelineMetadata): unknown;
}

/** What the codec that was registered before is used for: the arrays that only its copy of zarrita can make. */
interface EarlierEntry {
  fromConfig(configuration: unknown, metadata: PipelineMetadata): EarlierCodec;
}
interface EarlierCodec {
  decode(encoded: Uint8Array): Decoded | Promise<Decoded>;
}

/**
 * Registers `bytes`, `endian` and `crc32c` in place of the codecs that a registry has under these names.
 *
 * Codecs decode to zarrita's own arrays (`bool` to its `BoolArray`), which they get from the codec `bytes` that was
 * registered before; where there was none, `bool` comes as `Uint8Array`. zarrita's types of Zarr v2 strings stay with
 * that codec.
 *
 * What is wrong with a chunk or with the metadata of its codecs is thrown when a chunk is read or written. zarrita 0.7
 * throws a `CodecPipelineError` then, whose `cause` is the error of this package; older versions throw that itself.
 *
 * @param registry zarrita's `registry`
 * @returns a function that restores what was there
 * @throws InvalidArgumentError
 * @example
 * ```ts
 * import { registry } from "zarrita";
 * import { register } from "zarr-codecs/register";
 *
 * const before = registry.get("crc32c");
 * const unregister = register(registry, { verify: "warn" });
 * registry.get("crc32c") === before; // => false
 * unregister();
 * registry.get("crc32c") === before; // => true
 * ```
 */
export function register(registry: CodecRegistry, options?: RegisterOptions): () => void {
  const read = readOptions(options, REGISTER_OPTIONS);
  expectRegistry(registry);
  const bytes = registry.get("bytes");
  const factories: Record<string, () => Promise<CodecEntry>> = {
    bytes: bytesFactory("bytes", bytes, read),
    endian: bytesFactory("endian", bytes, read),
    [FLOAT16_AS_FLOAT32]: bytesFactory(FLOAT16_AS_FLOAT32, bytes, read),
    crc32c: async () => {
      const { crc32cEntry } = await loadCodecs();
      return crc32cEntry(read.verify ?? true);
    },
  };
  const restore = Object.entries(factories).map(([name, factory]) => {
    const before = registry.get(name);
    registry.set(name, factory as () => Promise<never>);
    return () => {
      if (registry.get(name) !== factory) return; // Somebody else's by now.
      if (before === undefined) registry.delete(name);
      else registry.set(name, before as () => Promise<never>);
    };
  });
  return () => {
    for (const undo of restore) undo();
  };
}

function expectRegistry(registry: unknown): void {
  const isRegistry = expectReadable("registry", () => {
    const { get, set, delete: remove } = (registry ?? {}) as Record<string, unknown>;
    return [get, set, remove].every((method) => typeof method === "function");
  });
  if (!isRegistry) throw new InvalidArgumentError("registry", "zarrita's registry", describe(registry));
}

function bytesFactory(name: string, before: unknown, options: RegisterOptions): () => Promise<CodecEntry> {
  return async () => {
    const earlier = typeof before === "function" ? ((await before()) as EarlierEntry) : undefined;
    return {
      kind: "array_to_bytes",
      fromConfig(configuration, metadata) {
        const dataType = String(metadata.dataType ?? metadata.data_type);
        // zarrita's own names of Zarr v2 types, which nobody else has.
        if (dataType.startsWith("v2:") && earlier) return earlier.fromConfig(configuration, metadata);
        return new LazyBytesCodec(name, configuration, metadata, options, earlier);
      },
    };
  };
}

/** The codecs that need the compiled Rust, once it can be called, on whatever host. */
async function loadCodecs() {
  const codecs = await import("./pipeline-codecs.js");
  await codecs.init();
  return codecs;
}

/** A codec that loads the one that does the work, once there is work. */
class LazyBytesCodec {
  readonly kind = "array_to_bytes";
  readonly #load: () => Promise<BytesCodecLike>;
  readonly #view: ReturnType<typeof viewOf>;
  #codec: BytesCodecLike | undefined;
  #loading: Promise<BytesCodecLike> | undefined;

  constructor(
    name: string,
    configuration: unknown,
    metadata: PipelineMetadata,
    options: RegisterOptions,
    earlier: EarlierEntry | undefined,
  ) {
    this.#view = viewOf(name, configuration, metadata);
    this.#load = async () => {
      const { BytesCodec } = await loadCodecs();
      // BoolArray is zarrita's own; a Float16Array may have been added to the host after this package was loaded.
      const isTheirs = ["bool", "float16"].includes(String(metadata.dataType ?? metadata.data_type));
      const wrapper = isTheirs ? earlier?.fromConfig({ endian: "little" }, metadata) : undefined;
      const wrap = wrapper && ((bytes: Uint8Array) => wrapper.decode(bytes));
      return new BytesCodec(name, configuration, metadata, options, wrap);
    };
  }

  decode(encoded: Uint8Array): Decoded | Promise<Decoded> {
    return this.#view?.decode(encoded) ?? this.#use((codec) => codec.decode(encoded));
  }

  encode(chunk: Decoded): Uint8Array | Promise<Uint8Array> {
    return this.#view?.encode(chunk) ?? this.#use((codec) => codec.encode(chunk));
  }

  /** Bytes encoded, from bytes decoded: zarrita asks for the length of a shard's index. */
  computeEncodedSize(decodedByteLength: number): number {
    return decodedByteLength;
  }

  #use<T>(use: (codec: BytesCodecLike) => T | Promise<T>): T | Promise<T> {
    if (this.#codec !== undefined) return use(this.#codec);
    // Once for all chunks that are asked for meanwhile; after a failure, which may be the network's, anew.
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading.then((codec) => {
      this.#codec = codec; // No earlier: chunks that come now would overtake those that have waited.
      return use(codec);
    });
  }
}

/** The codec in `pipeline-codecs.ts`. */
interface BytesCodecLike {
  decode(encoded: Uint8Array): Decoded | Promise<Decoded>;
  encode(chunk: Decoded): Uint8Array;
}
