/** The codec `crc32c` over bytes: the checksum that follows its payload. */

import { CHECKSUM_LENGTH } from "../generated/facts.js";
import { type Allowed, readOptions } from "../options.js";
import { type Bytes, bytesOf, concatenate } from "../typed-array.js";
import { instance } from "../wasm/instance.js";
import { crc32c } from "./crc32c.js";
import { VERIFY, type Verify, verifying } from "./mismatch.js";

/** Options of decoding the codec `crc32c`. */
export interface Crc32cOptions {
  /** Whether to verify the checksum, and what to do if it is wrong. Default: true. */
  readonly verify?: Verify | undefined;
}

const OPTIONS: Allowed<Crc32cOptions> = { verify: VERIFY };

/** Reads the option. @throws InvalidArgumentError */
export function readVerify(options: Crc32cOptions | undefined): Verify {
  return readOptions(options, OPTIONS).verify ?? true;
}

/**
 * Appends the CRC-32C of bytes, as the codec `crc32c` encodes them.
 *
 * @param bytes any buffer or view
 * @returns a copy of the bytes, followed by their checksum (4 bytes, little endian)
 * @throws InvalidArgumentError
 * @example
 * ```ts
 * import { encodeCrc32c } from "zarr-codecs";
 *
 * const encoded = encodeCrc32c(new TextEncoder().encode("123456789"));
 * encoded.subarray(9); // => Uint8Array.of(0x83, 0x92, 0x06, 0xe3)
 * ```
 */
export function encodeCrc32c(bytes: Bytes): Uint8Array<ArrayBuffer> {
  const decoded = bytesOf(bytes, "bytes");
  return concatenate([decoded, checksumBytes(crc32c(decoded))]);
}

/** Returns a checksum as it is stored. */
export function checksumBytes(checksum: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(CHECKSUM_LENGTH);
  instance.call("writeChecksum", bytes, checksum);
  return bytes;
}

/**
 * Verifies the CRC-32C at the end of bytes, and strips it, as the codec `crc32c` decodes them.
 *
 * @param bytes any buffer or view, which ends with the checksum
 * @returns a view of the bytes before the checksum
 * @throws ChunkLengthError (fewer than 4 bytes), ChecksumMismatchError, InvalidArgumentError
 * @example
 * ```ts
 * import { decodeCrc32c } from "zarr-codecs";
 *
 * decodeCrc32c(Uint8Array.of(0, 0x51, 0x53, 0x7d, 0x52)); // => Uint8Array.of(0)
 * ```
 */
export function decodeCrc32c(bytes: Bytes, options?: Crc32cOptions): Uint8Array {
  return decodeWith(bytesOf(bytes, "bytes"), readVerify(options));
}

export function decodeWith(encoded: Uint8Array, verify: Verify): Uint8Array {
  const byteLength = Math.max(encoded.byteLength - CHECKSUM_LENGTH, 0);
  const decoded = encoded.subarray(0, byteLength);
  const stored = encoded.subarray(byteLength);
  return verifying(verify, (verify) => {
    if (verify || stored.byteLength < CHECKSUM_LENGTH) {
      instance.call("verifyChecksum", stored, crc32c(decoded), byteLength);
    }
    return decoded;
  });
}
