// What the cases share.

import { createCodecChain } from "zarr-codecs";

/** @typedef {import("./cases.js").Endian} Endian */

export const SIZES = [256, 1 << 10, 4 << 10, 64 << 10, 1 << 20, 16 << 20];

/** The name of what all others are compared with. */
export const OURS = "zarr-codecs";

/** The bytes of an element. */
const BYTES = { bool: 1, uint8: 1, uint16: 2, float16: 2, float32: 4, float64: 8 };

/**
 * Creates the chain for `size` bytes of data, `[bytes, crc32c]` or `[bytes]`.
 *
 * @template {keyof typeof BYTES} D
 * @param {D} dataType
 * @param {number} size
 * @param {Endian} endian
 * @param {string[]} checksums
 */
export function chainOf(dataType, size, endian, checksums = []) {
  return createCodecChain(
    {
      dataType,
      shape: [size / BYTES[dataType]],
      codecs: [{ name: "bytes", configuration: { endian } }, ...checksums],
    },
    { float16: "float32" },
  );
}

/** @param {{ data: unknown }} decoded */
export const dataOf = ({ data }) => data;

/** The limit: no way to decode or check bytes reads them faster than a copy that stays in the cache. @param {Uint8Array} bytes */
export function copyReused(bytes) {
  const target = new Uint8Array(bytes.length);
  return { name: "Uint8Array.set", run: () => target.set(bytes), differs: true };
}

/** The limit where the output is new. @param {Uint8Array} bytes */
export const copyFresh = (bytes) => ({ name: "slice", run: () => bytes.slice(), differs: true });
