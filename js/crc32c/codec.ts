/** A checksum codec alone, for bytes of any length. */

import { decodeBytes, encodeBytes, type OverBytes } from "../chain/bytes.js";
import type { Request, Resolved } from "../chain/resolved.js";
import { copyMetadata } from "../metadata.js";
import { type Bytes, bytesOf } from "../typed-array.js";
import { instance } from "../wasm/instance.js";
import { type Verify, verifying } from "./mismatch.js";

/** `crc32c` or a checksum codec of numcodecs: adds a checksum to bytes; verifies it and strips it. */
export class ChecksumCodec {
  readonly #step: OverBytes;
  readonly #verify: Verify;

  /**
   * @param configuration the codec's configuration in metadata
   * @param place the index of the codec in the array's metadata, for the path in errors
   * @throws InvalidMetadataError
   */
  constructor(name: string, configuration: unknown, verify: Verify, place = 1) {
    const others = Array.from({ length: Math.max(place, 1) }, () => "other");
    const codecs = [...others, { name, configuration }];
    const kindOf = (index: number) => (index === 0 ? "array_to_bytes" : "bytes_to_bytes");
    const request: Request = {
      metadata: copyMetadata({ dataType: "uint8", shape: [], codecs }),
      isArray: false,
      acceptInvalidBool: false,
      loads: true,
      external: others.map((_, index) => ({ path: `codecs[${index}]`, kind: kindOf(index) })),
    };
    const { steps }: Resolved = instance.call("resolve", request);
    this.#step = steps[0] as OverBytes; // The last codec: steps are in the order of decoding.
    this.#verify = verify;
  }

  /** Returns a copy of `decoded` with its checksum. */
  encode(decoded: Bytes): Uint8Array<ArrayBuffer> {
    return encodeBytes(this.#step, bytesOf(decoded, "decoded"));
  }

  /** Verifies the checksum as the option says, and returns the payload as {@link decodeBytes} does. */
  decode(encoded: Bytes, copy: boolean, out?: Uint8Array): Uint8Array {
    const bytes = bytesOf(encoded, "encoded");
    return verifying(this.#verify, (verify) => decodeBytes(this.#step, bytes, verify, copy, out));
  }
}
