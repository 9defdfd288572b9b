// Shards written by hand, byte by byte.

import { crc32c } from "zarr-codecs";

export const LITTLE = { name: "bytes", configuration: { endian: "little" } };

/** The `sharding_indexed` codec. */
export const sharding = (chunkShape, codecs = [LITTLE], others = {}) => ({
  name: "sharding_indexed",
  configuration: { chunk_shape: chunkShape, codecs, index_codecs: [LITTLE, "crc32c"], ...others },
});

const MISSING = 2n ** 64n - 1n;

/** Returns an index with a checksum; an entry is `[offset, length]`, or undefined. */
export function indexOf(entries) {
  const numbers = BigUint64Array.from(
    entries.flatMap((entry) => (entry ? entry.map(BigInt) : [MISSING, MISSING])),
  );
  const bytes = new Uint8Array(numbers.byteLength + 4);
  bytes.set(new Uint8Array(numbers.buffer));
  new DataView(bytes.buffer).setUint32(numbers.byteLength, crc32c(bytes.subarray(0, -4)), true);
  return bytes;
}

/** Joins bytes. */
export const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** Returns the encoded inner chunks of an array of `uint16` in C order, found element by element. */
export function splitIntoChunks(data, shape, chunkShape) {
  const grid = shape.map((length, axis) => length / chunkShape[axis]);
  const size = (lengths) => lengths.reduce((a, b) => a * b, 1);
  const position = (index, lengths) => {
    const result = [];
    for (const length of lengths.toReversed()) {
      result.unshift(index % length);
      index = Math.floor(index / length);
    }
    return result;
  };
  const ravel = (at, lengths) => at.reduce((index, i, axis) => index * lengths[axis] + i, 0);
  return Array.from({ length: size(grid) }, (_, chunk) => {
    const first = position(chunk, grid).map((i, axis) => i * chunkShape[axis]);
    const elements = Array.from({ length: size(chunkShape) }, (_, element) => {
      const at = position(element, chunkShape).map((i, axis) => i + first[axis]);
      return data[ravel(at, shape)];
    });
    return new Uint8Array(Uint16Array.from(elements).buffer);
  });
}
