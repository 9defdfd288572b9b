/** `crc32c` as a codec of its own, for bytes of any length. */

import { decodeBytes, encodeBytes } from "../chain/bytes.js";
import type { NativeStep, Request, Resolved } from "../chain/resolved.js";
import { ChecksumMismatchError } from "../errors.js";
import { copyMetadata } from "../metadata.js";
import type { DecodeOptions } from "../options.js";
import { type Bytes, bytesOf } from "../typed-array.js";
import { instance } from "../wasm/instance.js";
import { report, type Verify } from "./mismatch.js";

/** Appends a CRC-32C to a payload; verifies it and strips it. */
export class Crc32cCodec {
  readonly #step: NativeStep;
  readonly #verify: Verify;

  /**
   * @param configuration that of the codec's metadata
   * @param place how many codecs come before it in the array's metadata: an error has it in its path
   * @throws InvalidMetadataError
   */
  constructor(configuration: unknown, verify: Verify, place = 1) {
    const others = Array.from({ length: Math.max(place, 1) }, () => "other");
    const codecs = [...others, { name: "crc32c", configuration }];
    const request: Request = {
      metadata: copyMetadata({ dataType: "uint8", shape: [], codecs }),
      isArray: false,
      acceptInvalidBool: false,
      external: true,
    };
    const { steps }: Resolved = instance.call("resolve", request);
    this.#step = steps[0] as NativeStep; // The last codec is decoded first.
    this.#verify = verify;
  }

  /** Returns new bytes: those given, and their checksum. */
  encode(decoded: Bytes): Uint8Array<ArrayBuffer> {
    return encodeBytes(this.#step, bytesOf(decoded, "decoded"));
  }

  /** Verifies the checksum and returns the bytes before it: a view of `encoded`, unless the options say otherwise. */
  decode(encoded: Bytes, options: Pick<DecodeOptions<Uint8Array>, "copy" | "out">): Uint8Array {
    const bytes = bytesOf(encoded, "encoded");
    const verify = this.#verify;
    if (typeof verify === "boolean") return decodeBytes(this.#step, bytes, { ...options, verify });
    try {
      return decodeBytes(this.#step, bytes, options);
    } catch (error) {
      if (!(error instanceof ChecksumMismatchError)) throw error;
      report(error, verify);
      return decodeBytes(this.#step, bytes, { ...options, verify: false });
    }
  }
}
