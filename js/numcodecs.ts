/**
 * `crc32c` as a codec of the kind that numcodecs.js defines, for zarr.js and for the filters and compressors of Zarr v2.
 *
 * @module
 */

import { type CodecChain, createCodecChain, init } from "./core.js";
import { ChecksumMismatchError, describe, InvalidArgumentError } from "./errors.js";
import type { CodecMetadata } from "./metadata.js";
import { type Bytes, bytesOf } from "./typed-array.js";

/** Whether to verify: `"warn"` writes a wrong checksum to the console and gives the data all the same. */
export type Verify = boolean | "warn";

/** Bytes that the checksum takes. */
const CHECKSUM_LENGTH = 4;

/**
 * Appends a CRC-32C, and verifies and strips it.
 *
 * @example
 * ```ts
 * import { registry } from "zarrita"; // Zarr v2, whose filters zarrita calls numcodecs.*; `addCodec` in zarr.js
 *
 * registry.set("numcodecs.crc32c", () => import("zarr-codecs/numcodecs").then(({ load }) => load()));
 * const { Crc32cCodec } = await import("zarr-codecs/numcodecs");
 * Crc32cCodec.fromConfig({ id: "crc32c" }).encode(new TextEncoder().encode("123456789")).length; // => 13
 * ```
 */
export class Crc32cCodec {
  /** The codec's identifier in the metadata of Zarr v2. */
  static readonly codecId = "crc32c";
  /** zarrita's name for codecs that take and give bytes. */
  static readonly kind = "bytes_to_bytes";
  readonly kind = "bytes_to_bytes";

  readonly #verify: Verify;
  /** That of the last length, which for uncompressed chunks is the length of all. */
  #chain: CodecChain<"uint8"> | undefined;

  /** @param verify whether decoding verifies; default: true */
  constructor(verify: Verify = true) {
    if (typeof verify !== "boolean" && verify !== "warn") {
      throw new InvalidArgumentError("verify", 'true or false or "warn"', describe(verify));
    }
    this.#verify = verify;
  }

  /**
   * Makes the codec from its metadata as numcodecs writes them: `{ id: "crc32c" }`, perhaps with `location: "end"`.
   *
   * @throws InvalidMetadataError for anything else, a checksum at the start above all
   */
  static fromConfig(configuration?: unknown): Crc32cCodec {
    const codecs = ["bytes", { name: "crc32c", configuration: withoutNumcodecsMembers(configuration) }];
    createCodecChain({ dataType: "uint8", shape: [], codecs: codecs as CodecMetadata[] });
    return new Crc32cCodec();
  }

  /**
   * New bytes: those given, and their checksum.
   *
   * @throws InvalidArgumentError
   */
  encode(decoded: Bytes): Uint8Array<ArrayBuffer> {
    const bytes = bytesOf(decoded, "decoded");
    return this.#chainOf(bytes.byteLength).encode(bytes);
  }

  /**
   * The bytes before the checksum, which is verified: a view of `encoded`, or `out`, which has their length.
   *
   * @throws ChunkLengthError (fewer than 4 bytes), ChecksumMismatchError, InvalidArgumentError
   */
  decode(encoded: Bytes, out?: Uint8Array): Uint8Array {
    const bytes = bytesOf(encoded, "encoded");
    const chain = this.#chainOf(Math.max(0, bytes.byteLength - CHECKSUM_LENGTH));
    if (this.#verify !== "warn") return chain.decode(bytes, { verify: this.#verify, out }).data;
    try {
      return chain.decode(bytes, { out }).data;
    } catch (error) {
      if (!(error instanceof ChecksumMismatchError)) throw error;
      console.warn(`zarr-codecs: ${error.message}`);
      return chain.decode(bytes, { verify: false, out }).data;
    }
  }

  /** Bytes encoded, from bytes decoded. */
  computeEncodedSize(decodedByteLength: number): number {
    return decodedByteLength + CHECKSUM_LENGTH;
  }

  #chainOf(length: number): CodecChain<"uint8"> {
    if (this.#chain?.shape[0] !== length) {
      this.#chain = createCodecChain({ dataType: "uint8", shape: [length], codecs: ["bytes", "crc32c"] });
    }
    return this.#chain;
  }
}

/** What a configuration says beyond what numcodecs says of every `crc32c` whose checksum is at the end. */
function withoutNumcodecsMembers(configuration: unknown): unknown {
  if (typeof configuration !== "object" || configuration === null) return configuration;
  return Object.fromEntries(
    Object.entries(configuration).filter(
      ([name, value]) => name !== "id" && !(name === "location" && value === "end"),
    ),
  );
}

/**
 * The codec, once it can be used: on hosts that do not compile WebAssembly, after the portable build has been loaded.
 * For registries that take a promise, as those of zarr.js and zarrita do.
 *
 * @example
 * ```ts
 * import { load } from "zarr-codecs/numcodecs";
 *
 * const Crc32cCodec = await load();
 * new Crc32cCodec().decode(Uint8Array.of(0, 0x51, 0x53, 0x7d, 0x52)); // => Uint8Array.of(0)
 * ```
 */
export async function load(): Promise<typeof Crc32cCodec> {
  await init();
  return Crc32cCodec;
}

export default Crc32cCodec;
