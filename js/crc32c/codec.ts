/** The `crc32c` codec alone, for bytes of any length. */

import { decodeBytesInto, encodeBytes } from "../chain/bytes.js";
import type { NativeStep, Request, Resolved } from "../chain/resolved.js";
import { ChecksumMismatchError } from "../errors.js";
import { copyMetadata } from "../metadata.js";
import { type Bytes, bytesOf } from "../typed-array.js";
import { instance } from "../wasm/instance.js";
import { report, type Verify } from "./mismatch.js";

/** The `crc32c` codec: appends a CRC-32C to bytes; verifies it and strips it. */
export class Crc32cCodec {
  readonly #step: NativeStep;
  readonly #verify: Verify;

  /**
   * @param configuration the codec's configuration in metadata
   * @param place the index of the codec in the array's metadata, for the path in errors
   * @throws InvalidMetadataError
   */
  constructor(configuration: unknown, verify: Verify, place = 1) {
    const others = Array.from({ length: Math.max(place, 1) }, () => "other");
    const codecs = [...others, { name: "crc32c", configuration }];
    const kindOf = (index: number) => (index === 0 ? "array_to_bytes" : "bytes_to_bytes");
    const request: Request = {
      metadata: copyMetadata({ dataType: "uint8", shape: [], codecs }),
      isArray: false,
      acceptInvalidBool: false,
      loads: true,
      external: others.map((_, index) => ({ index, kind: kindOf(index) })),
    };
    const { steps }: Resolved = instance.call("resolve", request);
    this.#step = steps[0] as NativeStep; // The last codec: steps are in the order of decoding.
    this.#verify = verify;
  }

  /** Returns a copy of `decoded`, followed by its checksum. */
  encode(decoded: Bytes): Uint8Array<ArrayBuffer> {
    return encodeBytes(this.#step, bytesOf(decoded, "decoded"));
  }

  /** Verifies the checksum and returns the payload: a view of `encoded`, unless `copy` is true or `out` is given. */
  decode(encoded: Bytes, copy: boolean, out?: Uint8Array): Uint8Array {
    const bytes = bytesOf(encoded, "encoded");
    const verify = this.#verify;
    if (typeof verify === "boolean") return decodeBytesInto(this.#step, bytes, verify, copy, out);
    try {
      return decodeBytesInto(this.#step, bytes, true, copy, out);
    } catch (error) {
      if (!(error instanceof ChecksumMismatchError)) throw error;
      report(error, verify);
      return decodeBytesInto(this.#step, bytes, false, copy, out);
    }
  }
}
