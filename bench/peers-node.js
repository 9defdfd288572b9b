// The peers that only Node has.

import { crc32c } from "@node-rs/crc32";

/** Swaps the bytes of a copy, in place. */
function bufferSwap(bytes, target) {
  const copy = Buffer.from(target.buffer, target.byteOffset, target.byteLength);
  copy.set(bytes);
  copy[`swap${8 * target.BYTES_PER_ELEMENT}`]();
}

export const nodePeers = {
  checksums: [{ name: "@node-rs/crc32", run: (bytes) => crc32c(bytes) }],
  swaps: [{ name: "Buffer.swap", swap: bufferSwap }],
};
