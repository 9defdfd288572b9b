/**
 * `crc32c` with the codec interface of numcodecs.js, for zarr.js and for the filters and compressors of Zarr v2.
 *
 * @module
 */

import { ChecksumCodec as Codec, expectVerify, init, type Verify } from "./core.js";
import { CHECKSUM_LENGTH } from "./generated/facts.js";
import type { Bytes } from "./typed-array.js";

export type { Verify };

/**
 * The `crc32c` codec of Zarr v2: appends a CRC-32C to bytes; verifies it and strips it.
 *
 * @example
 * ```ts
 * import { registry } from "zarrita"; // zarrita names filters of Zarr v2 numcodecs.*; in zarr.js: addCodec
 *
 * registry.set("numcodecs.crc32c", () => import("zarr-codecs/numcodecs").then(({ load }) => load()));
 * const { Crc32cCodec } = await import("zarr-codecs/numcodecs");
 * Crc32cCodec.fromConfig({ id: "crc32c" }).encode(new TextEncoder().encode("123456789")).length; // => 13
 * ```
 */
export class Crc32cCodec {
  /** The codec's identifier in the metadata of Zarr v2. */
  static readonly codecId = "crc32c";
  /** The kind of codec in zarrita. */
  static readonly kind = "bytes_to_bytes";
  readonly kind = "bytes_to_bytes";

  readonly #codec: Codec;

  /**
   * @param verify whether to verify checksums when decoding, and what to do on a mismatch; default: true
   * @throws InvalidArgumentError
   */
  constructor(verify?: Verify) {
    this.#codec = new Codec("crc32c", undefined, expectVerify(verify, "verify"));
  }

  /**
   * Creates the codec from its configuration as numcodecs writes it: `{ id: "crc32c" }`, optionally with `location: "end"`.
   *
   * @throws InvalidMetadataError for anything else, including `location: "start"`
   */
  static fromConfig(configuration?: unknown): Crc32cCodec {
    new Codec("crc32c", withoutNumcodecsMembers(configuration), true);
    return new Crc32cCodec();
  }

  /**
   * Appends the checksum.
   *
   * @returns a copy of `decoded`, followed by its checksum (4 bytes)
   * @throws InvalidArgumentError
   */
  encode(decoded: Bytes): Uint8Array<ArrayBuffer> {
    return this.#codec.encode(decoded);
  }

  /**
   * Verifies the checksum and strips it.
   *
   * @param out the array to copy the payload to, of exactly its length
   * @returns the payload, in `out` or in a new buffer of exactly its length, because zarr.js reads and swaps the whole `buffer`
   * @throws ChunkLengthError (fewer than 4 bytes), ChecksumMismatchError, InvalidArgumentError
   */
  decode(encoded: Bytes, out?: Uint8Array): Uint8Array {
    return this.#codec.decode(encoded, true, out);
  }

  /** Returns the encoded length in bytes. */
  computeEncodedSize(decodedByteLength: number): number {
    return decodedByteLength + CHECKSUM_LENGTH;
  }
}

/** Removes the members that numcodecs writes for every `crc32c` with its checksum at the end. */
function withoutNumcodecsMembers(configuration: unknown): unknown {
  if (typeof configuration !== "object" || configuration === null) return configuration;
  return Object.fromEntries(
    Object.entries(configuration).filter(
      ([name, value]) =>
        !(name === "id" && value === Crc32cCodec.codecId) && !(name === "location" && value === "end"),
    ),
  );
}

/**
 * Loads the codec for registries that accept a promise, as those of zarr.js and zarrita do. On hosts that do not compile
 * WebAssembly, loads the portable build.
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
