/** Functions to compute, continue and combine CRC-32C checksums. */

import { describe, invalidArgument } from "../errors.js";
import { type Bytes, byteArrayLength, bytesOf } from "../typed-array.js";
import { crc32cInWindow } from "../wasm/chunks.js";
import { instance } from "../wasm/instance.js";

/** Longer inputs are split, because lengths are passed to Rust as 32-bit integers. */
const PART = 2 ** 30;

/**
 * Computes the CRC-32C (Castagnoli; [RFC 3720](https://www.rfc-editor.org/rfc/rfc3720#section-12.1)) of bytes.
 *
 * @param bytes any buffer or view
 * @param initial the CRC-32C of preceding bytes: `crc32c(b, crc32c(a))` is the CRC-32C of `a` followed by `b`
 * @returns an unsigned 32-bit integer
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
  const length = byteArrayLength(bytes);
  const crc = length === undefined ? undefined : crc32cInWindow(bytes, length, initial);
  return crc ?? update(bytesOf(bytes, "bytes"), initial);
}

function update(bytes: Uint8Array, initial: number): number {
  let crc = initial;
  for (let start = 0; start < bytes.byteLength; start += PART) {
    const part = bytes.subarray(start, start + PART);
    crc = crc32cInWindow(part, part.byteLength, crc) ?? instance.call("crc32c", part, crc);
  }
  return crc;
}

/**
 * Computes the CRC-32C of two concatenated messages from the CRC-32C of each.
 *
 * @param a the CRC-32C of the first message
 * @param b the CRC-32C of the second message
 * @param lengthOfB the length of the second message, in bytes
 * @returns an unsigned 32-bit integer
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
    throw invalidArgument("lengthOfB", "a length in bytes", describe(lengthOfB));
  }
  return instance.call("crc32cCombine", a, b, lengthOfB);
}

/**
 * The CRC-32C of bytes that come in pieces.
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

  /**
   * Adds the next bytes.
   *
   * @throws InvalidArgumentError
   */
  update(bytes: Bytes): this {
    this.#crc = crc32c(bytes, this.#crc);
    return this;
  }

  /** Returns the CRC-32C of the bytes so far, an unsigned 32-bit integer. More bytes may follow. */
  digest(): number {
    return this.#crc;
  }

  /** Forgets all bytes. */
  reset(): this {
    this.#crc = 0;
    return this;
  }
}

function expectChecksum(value: number, argument: string): void {
  if (typeof value === "number" && value >>> 0 === value) return;
  throw invalidArgument(argument, "an unsigned 32-bit integer", describe(value));
}
