/** `register`: puts this package's codecs into a registry. */

import { expectVerify, type Verify } from "../crc32c/mismatch.js";
import { describe, InvalidArgumentError } from "../errors.js";
import { expectReadable } from "../expect.js";
import { CHECKSUM_LENGTH } from "../generated/facts.js";
import { type Allowed, type ChainOptions, readOptions } from "../options.js";
import { type CodecEntry, type CodecRegistry, install } from "./registry.js";
import { FLOAT16_AS_FLOAT32 } from "./stores/codecs.js";
import { type Decoded, dataTypeOf, isVersion2Type, type PipelineMetadata, viewOf } from "./view.js";

export type { CodecRegistry, Verify };

/** Options of {@link register}. */
export interface RegisterOptions {
  /**
   * Whether to verify checksums when decoding. `"warn"` only logs a mismatch, and a function is called with the
   * `ChecksumMismatchError`: both then return the data anyway. What the function throws rejects the chunk; what it
   * returns is ignored. `false` skips computing checksums. Default: true.
   */
  readonly verify?: Verify | undefined;
  /** What multi-byte data without a byte order are taken for. Default: `"error"`. */
  readonly missingEndian?: ChainOptions["missingEndian"];
  /** What `bool` elements other than 0 and 1 are taken for. Default: `"error"`. */
  readonly invalidBool?: ChainOptions["invalidBool"];
}

const REGISTER_OPTIONS: Allowed<RegisterOptions> = {
  verify: undefined, // Functions are not in a list: see expectVerify.
  missingEndian: ["error", "little", "big"],
  invalidBool: ["error", "true"],
};

/** What the codec that was registered before is used for: the arrays that only its copy of zarrita can make. */
interface EarlierEntry {
  fromConfig(configuration: unknown, metadata: PipelineMetadata): EarlierCodec;
}
interface EarlierCodec {
  decode(encoded: Uint8Array): Decoded | Promise<Decoded>;
}

/** The options that files of the wild need. */
type Leniency = Pick<RegisterOptions, "missingEndian" | "invalidBool">;

type Codecs = typeof import("../zarrita-codecs.js");

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
 * A chunk with a checksum is decoded into memory of its own, so that writing into it cannot change what a store holds.
 * Without a checksum it is a view of what the store returned where the data are little endian, as in zarrita.
 *
 * @param registry zarrita's `registry`
 * @returns a function that takes the codecs out again. Of several registrations the newest that has not been taken out
 * is in force, in whatever order they end; after the last one the registry is what it was before the first.
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
  const verify = expectVerify(read.verify, "options.verify");
  expectRegistry(registry);
  const bytes = registry.get("bytes");
  const restore = ["bytes", "endian", FLOAT16_AS_FLOAT32].map((name) =>
    install(registry, name, bytesFactory(name, bytes, read)),
  );
  restore.push(install(registry, "crc32c", async () => crc32cEntry(read, verify)));
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

function crc32cEntry(options: Leniency, verify: Verify): CodecEntry {
  return {
    kind: "bytes_to_bytes",
    fromConfig(configuration, metadata) {
      const make = (codecs: Codecs) => new codecs.Crc32cCodec(configuration, metadata, options, verify);
      return new LazyCodec("bytes_to_bytes", CHECKSUM_LENGTH, make);
    },
  };
}

/** The codecs that need the compiled Rust, once it can be called, on whatever host. */
async function loadCodecs(): Promise<Codecs> {
  const codecs = await import("../zarrita-codecs.js");
  await codecs.init();
  return codecs;
}

/** A codec in zarrita's pipeline: what is decoded is `D`. */
interface Codec<D> {
  decode(encoded: Uint8Array): D | Promise<D>;
  encode(decoded: D): Uint8Array | Promise<Uint8Array>;
}

/**
 * A codec that loads and makes the one that does the work, once there is work. What is wrong with its metadata is thrown
 * then too: zarrita 0.7 wraps what decoding and encoding throw, and not what making a codec does.
 */
class LazyCodec<D> implements Codec<D> {
  readonly kind: CodecEntry["kind"];
  readonly #overhead: number;
  readonly #make: (codecs: Codecs) => Codec<D>;
  #codec: Codec<D> | undefined;
  #loading: Promise<Codec<D>> | undefined;

  /** @param overhead by how many bytes the encoded representation is longer than the decoded one */
  constructor(kind: CodecEntry["kind"], overhead: number, make: (codecs: Codecs) => Codec<D>) {
    this.kind = kind;
    this.#overhead = overhead;
    this.#make = make;
  }

  decode(encoded: Uint8Array): D | Promise<D> {
    return this.#use((codec) => codec.decode(encoded));
  }

  encode(decoded: D): Uint8Array | Promise<Uint8Array> {
    return this.#use((codec) => codec.encode(decoded));
  }

  /** Returns the encoded length: zarrita asks for that of a shard's index. */
  computeEncodedSize(decodedByteLength: number): number {
    return decodedByteLength + this.#overhead;
  }

  #use<T>(use: (codec: Codec<D>) => T | Promise<T>): T | Promise<T> {
    if (this.#codec !== undefined) return use(this.#codec);
    // One load for concurrent calls, retried after a failure, which may be the network's.
    this.#loading ??= loadCodecs()
      .then(this.#make)
      .catch((error: unknown) => {
        this.#loading = undefined;
        throw error;
      });
    return this.#loading.then((codec) => {
      this.#codec = codec; // No earlier: chunks that come now would overtake those that have waited.
      return use(codec);
    });
  }
}

/** `bytes` or `endian`: does trivially valid chunks itself, and loads nothing for them. */
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
      // BoolArray is zarrita's own; a Float16Array may have been added to the host after this package was loaded.
      const isTheirs = ["bool", "float16"].includes(String(dataTypeOf(metadata)));
      const wrapper = isTheirs ? earlier?.fromConfig({ endian: "little" }, metadata) : undefined;
      const wrap = wrapper && ((bytes: Uint8Array) => wrapper.decode(bytes));
      return new BytesCodec(name, configuration, metadata, options, wrap);
    });
    this.#view = viewOf(name, configuration, metadata);
  }

  override decode(encoded: Uint8Array): Decoded | Promise<Decoded> {
    return this.#view?.decode(encoded) ?? super.decode(encoded);
  }

  override encode(chunk: Decoded): Uint8Array | Promise<Uint8Array> {
    return this.#view?.encode(chunk) ?? super.encode(chunk);
  }
}
