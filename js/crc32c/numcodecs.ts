/** `crc32c` with the codec interface of numcodecs.js, for zarr.js and for the filters and compressors of Zarr v2. */

import { describe, invalidMetadata, truncate } from "../errors.js";
import { expectOut, expectReadable } from "../expect.js";
import { CHECKSUM_LENGTH } from "../generated/facts.js";
import { copyElements } from "../intrinsics.js";
import { type Bytes, bytesOf, concatenate } from "../typed-array.js";
import { type Crc32cOptions, decodeWith, encodeCrc32c, readVerify } from "./encoded.js";
import type { Verify } from "./mismatch.js";

/** The members that numcodecs writes for every `crc32c` with its checksum at the end. */
const MEMBERS: Readonly<Record<string, string>> = { id: "crc32c", location: "end" };

/**
 * The codec `crc32c` as numcodecs.js defines codecs, for zarr.js, neuroglancer and the filters of Zarr v2.
 *
 * @example
 * ```ts
 * import { Crc32cCodec } from "zarr-codecs/crc32c";
 * import { registry } from "zarrita"; // zarrita names filters of Zarr v2 numcodecs.*; in zarr.js: addCodec
 *
 * registry.set("numcodecs.crc32c", async () => Crc32cCodec);
 * Crc32cCodec.fromConfig({ id: "crc32c" }).encode(new TextEncoder().encode("123456789")).length; // => 13
 * ```
 */
export class Crc32cCodec {
  /** The codec's identifier in the metadata of Zarr v2. */
  static readonly codecId = "crc32c";
  /** The kind of codec in zarrita. */
  static readonly kind = "bytes_to_bytes";
  readonly kind = "bytes_to_bytes";

  readonly #verify: Verify;

  /** @throws InvalidArgumentError */
  constructor(options?: Crc32cOptions) {
    this.#verify = readVerify(options);
  }

  /**
   * Creates the codec from its configuration as numcodecs writes it: `{ id: "crc32c" }`, optionally with `location: "end"`.
   *
   * @throws InvalidMetadataError for anything else, including `location: "start"`
   */
  static fromConfig(configuration?: unknown): Crc32cCodec {
    const members = expectReadable("configuration", () => {
      if (configuration === undefined || configuration === null) return [];
      if (typeof configuration === "object") return Object.entries(configuration);
      throw invalidMetadata("configuration", "an object", describe(configuration));
    });
    for (const [name, value] of members) {
      const expected = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
      if (value === undefined || value === expected) continue;
      const wanted = expected === undefined ? "no such member" : describe(expected);
      throw invalidMetadata(truncate(name), wanted, describe(value));
    }
    return new Crc32cCodec();
  }

  /**
   * Appends the checksum.
   *
   * @returns a copy of `decoded`, followed by its checksum (4 bytes)
   * @throws InvalidArgumentError
   */
  encode(decoded: Bytes): Uint8Array<ArrayBuffer> {
    return encodeCrc32c(bytesOf(decoded, "decoded"));
  }

  /**
   * Verifies the checksum and strips it.
   *
   * @param out the array to copy the payload to, of exactly its length
   * @returns the payload, in `out` or in a new buffer of exactly its length, because zarr.js reads and swaps the whole `buffer`
   * @throws ChunkLengthError (fewer than 4 bytes), ChecksumMismatchError, InvalidArgumentError
   */
  decode(encoded: Bytes, out?: Uint8Array): Uint8Array {
    const bytes = bytesOf(encoded, "encoded");
    const length = bytes.byteLength - CHECKSUM_LENGTH;
    if (length >= 0 && out !== undefined) expectOut(out, "Uint8Array", length, bytes, "the encoded bytes");
    const decoded = decodeWith(bytes, this.#verify);
    if (out === undefined) return concatenate([decoded]);
    copyElements(decoded, out);
    return out;
  }

  /** Returns the encoded length in bytes. */
  computeEncodedSize(decodedByteLength: number): number {
    return decodedByteLength + CHECKSUM_LENGTH;
  }
}
