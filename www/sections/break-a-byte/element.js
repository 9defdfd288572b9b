// Elements in chunks that consist of elements and checksums only.

import { product, ravel, unravel } from "zarr-codecs/verify";

/** @typedef {import("zarr-codecs/verify").ChunkLayout} ChunkLayout */

/** Returns the name of the data type. @param {ChunkLayout} layout */
export const typeName = ({ dataType }) => (typeof dataType === "string" ? dataType : dataType.name);

/** Returns the number of bytes of an element. @param {ChunkLayout} layout */
export function elementBytes(layout) {
  const name = typeName(layout);
  return name === "bool" ? 1 : Number(/\d+$/.exec(name)) / 8;
}

/**
 * Finds the chunk of an element, and its first byte there.
 *
 * @param {ChunkLayout} layout
 * @param {number[]} position of the element in the array
 */
export function placeOf(layout, position) {
  const { chunkShape } = layout;
  const chunk = position.map((at, axis) => Math.floor(at / chunkShape[axis]));
  const within = position.map((at, axis) => at % chunkShape[axis]);
  return { chunk, start: ravel(within, chunkShape) * elementBytes(layout) };
}

/**
 * Finds the element that a byte of a chunk belongs to, or returns `undefined` for a byte of the checksum.
 *
 * @param {ChunkLayout} layout
 * @param {number[]} chunk
 * @param {number} byte
 */
export function elementAt(layout, chunk, byte) {
  const { chunkShape } = layout;
  const number = Math.floor(byte / elementBytes(layout));
  if (number >= product(chunkShape)) return undefined;
  return unravel(number, chunkShape).map((at, axis) => chunk[axis] * chunkShape[axis] + at);
}
