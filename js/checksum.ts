/** `crc32c` as a codec by itself, for bytes of any length. */

import { type CodecChain, createCodecChain } from "./core.js";
import { ChecksumMismatchError } from "./errors.js";
import { CHECKSUM_LENGTH } from "./generated/facts.js";
import { report, type Verify } from "./mismatch.js";
import type { DecodeOptions } from "./options.js";
import { type Bytes, bytesOf } from "./typed-array.js";

/** Appends a CRC-32C, and verifies and strips it. */
export class Checksum {
  readonly #verify: Verify;
  /** Of the last length, which for uncompressed chunks is the length of all. */
  #chain: CodecChain<"uint8"> | undefined;

  constructor(verify: Verify) {
    this.#verify = verify;
  }

  /** Returns new bytes: those given, and their checksum. */
  encode(decoded: Bytes): Uint8Array<ArrayBuffer> {
    const bytes = bytesOf(decoded, "decoded");
    return this.#chainOf(bytes.byteLength).encode(bytes);
  }

  /** Verifies the checksum and returns the bytes before it: a view of `encoded`, unless the options say otherwise. */
  decode(encoded: Bytes, options: Pick<DecodeOptions<Uint8Array>, "copy" | "out">): Uint8Array {
    const bytes = bytesOf(encoded, "encoded");
    const chain = this.#chainOf(Math.max(0, bytes.byteLength - CHECKSUM_LENGTH));
    const verify = this.#verify;
    if (typeof verify === "boolean") return chain.decode(bytes, { ...options, verify }).data;
    try {
      return chain.decode(bytes, options).data;
    } catch (error) {
      if (!(error instanceof ChecksumMismatchError)) throw error;
      report(error, verify);
      return chain.decode(bytes, { ...options, verify: false }).data;
    }
  }

  #chainOf(length: number): CodecChain<"uint8"> {
    if (this.#chain?.shape[0] !== length) {
      this.#chain = createCodecChain({ dataType: "uint8", shape: [length], codecs: ["bytes", "crc32c"] });
    }
    return this.#chain;
  }
}
