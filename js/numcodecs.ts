/**
 * `crc32c` as a codec of the kind that numcodecs.js defines, for zarr.js and for the filters and compressors of Zarr v2.
 *
 * @module
 */

import { Crc32cCodec as Codec, expectVerify, init, type Verify } from "./core.js";
import { CHECKSUM_LENGTH } from "./generated/facts.js";
import type { Bytes } from "./typed-array.js";

export type { Verify };

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

  readonly #codec: Codec;

  /**
   * @param verify whether decoding verifies, and what it does about a mismatch; default: true
   * @throws InvalidArgumentError
   */
  constructor(verify?: Verify) {
    this.#codec = new Codec(undefined, expectVerify(verify, "verify"));
  }

  /**
   * Makes the codec from its metadata as numcodecs writes them: `{ id: "crc32c" }`, perhaps with `location: "end"`.
   *
   * @throws InvalidMetadataError for anything else, a checksum at the start above all
   */
  static fromConfig(configuration?: unknown): Crc32cCodec {
    new Codec(withoutNumcodecsMembers(configuration), true);
    return new Crc32cCodec();
  }

  /**
   * Appends the checksum.
   *
   * @returns new bytes: those given, and their checksum
   * @throws InvalidArgumentError
   */
  encode(decoded: Bytes): Uint8Array<ArrayBuffer> {
    return this.#codec.encode(decoded);
  }

  /**
   * Verifies the checksum and strips it.
   *
   * @returns the bytes before the checksum: in `out`, which has their length, or in a buffer of their own that holds
   * nothing else, because zarr.js takes the whole `buffer` and swaps bytes in it
   * @throws ChunkLengthError (fewer than 4 bytes), ChecksumMismatchError, InvalidArgumentError
   */
  decode(encoded: Bytes, out?: Uint8Array): Uint8Array {
    return this.#codec.decode(encoded, { copy: true, out });
  }

  /** Bytes encoded, from bytes decoded. */
  computeEncodedSize(decodedByteLength: number): number {
    return decodedByteLength + CHECKSUM_LENGTH;
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
