// Locates a flipped bit by the difference between two checksums.

/** The polynomial of CRC-32C, its highest power in the lowest bit. */
const POLYNOMIAL = 0x82f63b78;

/**
 * Finds the bit whose flip explains a mismatch, assuming that nothing else is damaged.
 *
 * A CRC is linear: how a flipped bit changes it depends only on the distance of the bit from the end, and differs for all
 * distances below 2³¹ bits.
 *
 * @param {{ stored: number, computed: number, byteLength: number }} mismatch a ChecksumMismatchError
 * @returns {{ byte: number, bit: number } | undefined} in the chunk with its checksum; `undefined` if no bit explains it
 */
export function locateFlippedBit({ stored, computed, byteLength }) {
  const difference = (stored ^ computed) >>> 0;
  const last = byteLength + 3;
  let change = 0x80000000;
  for (let distance = 0; distance < 8 * (byteLength + 4); distance += 1) {
    if (change === difference) return { byte: last - (distance >> 3), bit: 7 - (distance & 7) };
    change = (change & 1 ? (change >>> 1) ^ POLYNOMIAL : change >>> 1) >>> 0;
  }
  return undefined;
}
