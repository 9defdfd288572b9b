// A store in which one bit is flipped.

import { defineStoreExtension } from "zarrita";

/**
 * The address of a bit in a store.
 *
 * @typedef {{ key: string, byte: number, bit: number }} Bit
 * @typedef {{ bit?: Bit }} Held
 */

/**
 * Wraps a store so that one bit is flipped, while `held.bit` is set.
 *
 * Suffixes of files are left alone: only indexes of shards are read that way, and the page flips bits of chunks.
 */
export const withFlippedBit = defineStoreExtension((store, /** @type {Held} */ held) => {
  const flip = (
    /** @type {string} */ key,
    /** @type {Uint8Array | undefined} */ bytes,
    /** @type {number} */ offset,
  ) => {
    const { bit } = held;
    const position = bit?.key === key ? bit.byte - offset : -1;
    if (bit === undefined || bytes === undefined || position < 0 || position >= bytes.length) return bytes;
    const broken = bytes.slice();
    broken[position] ^= 1 << bit.bit;
    return broken;
  };
  return {
    get: async (key, options) => flip(key, await store.get(key, options), 0),
    getRange: async (key, range, options) => {
      const bytes = await store.getRange?.(key, range, options);
      return "suffixLength" in range ? bytes : flip(key, bytes, range.offset);
    },
  };
});
