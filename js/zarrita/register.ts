/** Registers this package's codecs in a registry of zarrita. */

import { VERIFY, type Verify } from "../crc32c/mismatch.js";
import { describe, invalidArgument } from "../errors.js";
import { expectReadable } from "../expect.js";
import { BYTES_NAMES, CHECKSUM_LENGTH, CHECKSUM_NAMES } from "../generated/facts.js";
import { type Allowed, type ChainOptions, readOptions } from "../options.js";
import { type Lazy, lazily } from "./lazily.js";
import { type CodecEntry, type CodecRegistry, install } from "./registry.js";
import {
  type Decoded,
  dataTypeOf,
  isVersion2Type,
  type Leniency,
  type PipelineMetadata,
  viewOf,
} from "./view.js";

export type { CodecRegistry, Verify };

/** Options of {@link register}. */
export interface RegisterOptions {
  /**
   * Whether to verify checksums when decoding. `"warn"` logs a mismatch, and a function is called with the
   * `ChecksumMismatchError`: both then return the data anyway, unless the function throws, which rejects the chunk. `false`
   * skips computing checksums. Default: true.
   */
  readonly verify?: Verify | undefined;
  /** The byte order to assume where the metadata of multi-byte data lacks it, or `"error"`, the default. */
  readonly missingEndian?: ChainOptions["missingEndian"];
  /** Whether `bool` elements other than 0 and 1 are rejected or read as true. Default: `"error"`. */
  readonly invalidBool?: ChainOptions["invalidBool"];
}

const REGISTER_OPTIONS: Allowed<RegisterOptions> = {
  verify: VERIFY,
  missingEndian: ["error", "little", "big"],
  invalidBool: ["error", "coerce"],
};

/** The codec that was registered before, as used here: it creates arrays of its copy of zarrita. */
interface EarlierEntry {
  fromConfig(configuration: unknown, metadata: PipelineMetadata): Pick<Codec<Decoded>, "decode">;
}

type Codecs = typeof import("../zarrita-codecs.js");

/**
 * Registers `bytes`, `endian`, `crc32c` and the checksum codecs of numcodecs (`numcodecs.crc32c`, `numcodecs.crc32`,
 * `numcodecs.adler32`, `numcodecs.fletcher32`), replacing the codecs of these names in a registry.
 *
 * They decode to the same arrays as zarrita's codecs (`bool` to its `BoolArray`), which the previously registered `bytes`
 * creates; without one, `bool` decodes to `Uint8Array`. That codec also keeps decoding the string types of Zarr v2.
 *
 * Reading or writing a chunk throws the errors about it and about the metadata of its codecs. zarrita 0.7 throws a
 * `CodecPipelineError` whose `cause` is the error of this package; older versions throw the error itself.
 *
 * A chunk with a checksum is decoded into memory of its own, so that writing into it cannot change the store. A little-endian
 * chunk without a checksum is decoded to a view of what the store returned, as by zarrita's own codec.
 *
 * @param registry zarrita's `registry`
 * @returns a function that unregisters the codecs. Registrations may end in any order: the newest remaining one is in effect,
 * and after the last one the registry is as it was before the first
 * @throws InvalidArgumentError
 * @example
 * ```ts
 * import { registry } from "zarrita";
 * import { register } from "zarr-codecs/zarrita";
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
  const { verify = true } = read;
  expectRegistry(registry);
  const bytes = registry.get("bytes");
  const restore = [
    ...BYTES_NAMES.map((name) => install(registry, name, bytesFactory(name, bytes, read))),
    ...CHECKSUM_NAMES.map((name) => install(registry, name, async () => checksumEntry(name, read, verify))),
  ];
  return () => {
    for (const undo of restore) undo();
  };
}

function expectRegistry(registry: unknown): void {
  const isRegistry = expectReadable("registry", () => {
    const members = (registry ?? {}) as Record<string, unknown>;
    return ["get", "set", "delete"].every((method) => typeof members[method] === "function");
  });
  if (!isRegistry) throw invalidArgument("registry", "zarrita's registry", describe(registry));
}

function bytesFactory(name: string, before: unknown, options: Leniency): () => Promise<CodecEntry> {
  return async () => {
    const earlier = typeof before === "function" ? ((await before()) as EarlierEntry) : undefined;
    return {
      kind: "array_to_bytes",
      fromConfig(configuration, metadata) {
        if (isVersion2Type(metadata) && earlier) return earlier.fromConfig(configuration, metadata);
        return new LazyBytesCodec(name, configuration, metadata, options, earlier);
      },
    };
  };
}

function checksumEntry(name: string, options: Leniency, verify: Verify): CodecEntry {
  return {
    kind: "bytes_to_bytes",
    fromConfig(configuration, metadata) {
      const make = (codecs: Codecs) =>
        new codecs.ChecksumCodec({ name, configuration }, metadata, options, verify);
      return new LazyCodec("bytes_to_bytes", CHECKSUM_LENGTH, make);
    },
  };
}

/** Loads the codecs that need the compiled Rust, and Rust, on any host. */
async function loadCodecs(): Promise<Codecs> {
  const codecs = await import("../zarrita-codecs.js");
  await codecs.init();
  return codecs;
}

/** A codec in zarrita's pipeline, with the decoded representation `D`. */
interface Codec<D> {
  decode(encoded: Uint8Array): D | Promise<D>;
  encode(decoded: D): Uint8Array | Promise<Uint8Array>;
}

/**
 * A codec that loads and creates the actual one on first use. Errors about metadata are thrown then, too, because zarrita 0.7
 * wraps errors of decoding and encoding, but not those of creating a codec.
 */
class LazyCodec<D> implements Codec<D> {
  readonly kind: CodecEntry["kind"];
  readonly #overhead: number;
  readonly #use: Lazy<Codec<D>>;

  /** @param overhead the encoded length minus the decoded length, in bytes */
  constructor(kind: CodecEntry["kind"], overhead: number, make: (codecs: Codecs) => Codec<D>) {
    this.kind = kind;
    this.#overhead = overhead;
    this.#use = lazily(async () => make(await loadCodecs()));
  }

  decode(encoded: Uint8Array): D | Promise<D> {
    return this.#use((codec) => codec.decode(encoded));
  }

  encode(decoded: D): Uint8Array | Promise<Uint8Array> {
    return this.#use((codec) => codec.encode(decoded));
  }

  /** Returns the encoded length, which zarrita needs for the index of a shard. */
  computeEncodedSize(decodedByteLength: number): number {
    return decodedByteLength + this.#overhead;
  }
}

/** `bytes` or `endian`, with a fast path for trivially valid chunks that loads nothing. */
class LazyBytesCodec extends LazyCodec<Decoded> {
  readonly #view: ReturnType<typeof viewOf>;

  constructor(
    name: string,
    configuration: unknown,
    metadata: PipelineMetadata,
    options: Leniency,
    earlier: EarlierEntry | undefined,
  ) {
    super("array_to_bytes", 0, ({ BytesCodec }) => {
      // BoolArray is zarrita's own; a Float16Array may be a polyfill that was loaded after this package.
      const isForeign = ["bool", "float16"].includes(String(dataTypeOf(metadata)));
      const wrapper = isForeign ? earlier?.fromConfig({ endian: "little" }, metadata) : undefined;
      const wrap = wrapper && ((bytes: Uint8Array) => wrapper.decode(bytes));
      return new BytesCodec(name, configuration, metadata, options, wrap);
    });
    this.#view = viewOf(configuration, metadata);
  }

  override decode(encoded: Uint8Array): Decoded | Promise<Decoded> {
    return this.#view?.decode(encoded) ?? super.decode(encoded);
  }

  override encode(chunk: Decoded): Uint8Array | Promise<Uint8Array> {
    return this.#view?.encode(chunk) ?? super.encode(chunk);
  }
}
