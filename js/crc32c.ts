/** CRC-32C by itself: one call, incremental, and joined. */

import * as backend from "./backend/index.js";
import { describe, InvalidArgumentError } from "./errors.js";
import { typedArrayByteLength, typedArrayName } from "./intrinsics.js";
import { type Bytes, bytesOf } from "./typed-array.js";

/** Lengths cross into Rust as 32-bit numbers; longer inputs go in parts. */
const PART = 2 ** 30;

/**
 * The CRC-32C (Castagnoli; RFC 3720) of bytes, as an unsigned 32-bit number.
 *
 * @param bytes any buffer or view
 * @param initial the CRC-32C of what comes before, so that `crc32c(b, crc32c(a))` is that of both joined
 * @throws InvalidArgumentError
 * @example
 * ```ts
 * import { crc32c } from "zarr-codecs";
 *
 * crc32c(new TextEncoder().encode("123456789")); // => 0xe3069283
 * ```
 */
export function crc32c(bytes: Bytes, initial = 0): number {
  expectChecksum(initial, "initial");
  // Short input is common, and a view of it would cost a fifth of the time.
  const byteLength = typedArrayName(bytes) === "Uint8Array" ? typedArrayByteLength(bytes) : undefined;
  if (byteLength && byteLength <= backend.WINDOW) {
    return backend.crc32cInWindow(bytes as Uint8Array, byteLength, initial);
  }
  return update(bytesOf(bytes, "bytes"), initial);
}

function update(bytes: Uint8Array, initial: number): number {
  if (bytes.byteLength <= backend.WINDOW) return backend.crc32cInWindow(bytes, bytes.byteLength, initial);
  let crc = initial;
  for (let start = 0; start < bytes.byteLength; start += PART) {
    crc = backend.crc32c(bytes.subarray(start, start + PART), crc);
  }
  return crc;
}

/**
 * The CRC-32C of two messages joined, from theirs.
 *
 * @param a the CRC-32C of the first message
 * @param b the CRC-32C of the second message
 * @param lengthOfB the length of the second message, in bytes
 * @throws InvalidArgumentError
 * @example
 * ```ts
 * import { crc32c, crc32cCombine } from "zarr-codecs";
 *
 * const [a, b] = ["12345", "6789"].map((text) => new TextEncoder().encode(text));
 * crc32cCombine(crc32c(a), crc32c(b), b.length); // => 0xe3069283
 * ```
 */
export function crc32cCombine(a: number, b: number, lengthOfB: number): number {
  expectChecksum(a, "a");
  expectChecksum(b, "b");
  if (!Number.isSafeInteger(lengthOfB) || lengthOfB < 0) {
    throw new InvalidArgumentError("lengthOfB", "a length in bytes", describe(lengthOfB));
  }
  return backend.crc32cCombine(a, b, lengthOfB);
}

/**
 * Computes a CRC-32C from bytes that come in pieces.
 *
 * @example
 * ```ts
 * import { Crc32c } from "zarr-codecs";
 *
 * const [a, b] = ["12345", "6789"].map((text) => new TextEncoder().encode(text));
 * new Crc32c().update(a).update(b).digest(); // => 0xe3069283
 * ```
 */
export class Crc32c {
  #crc = 0;

  /** Takes the next bytes. */
  update(bytes: Bytes): this {
    this.#crc = crc32c(bytes, this.#crc);
    return this;
  }

  /** The CRC-32C of the bytes so far, an unsigned 32-bit number. More may follow. */
  digest(): number {
    return this.#crc;
  }

  /** Begins anew. */
  reset(): this {
    this.#crc = 0;
    return this;
  }
}

function expectChecksum(value: number, argument: string): number {
  if (typeof value === "number" && value >>> 0 === value) return value;
  throw new InvalidArgumentError(argument, "an unsigned 32-bit integer", describe(value));
}
