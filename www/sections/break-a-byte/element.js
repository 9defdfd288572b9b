// Elements in chunks that consist of elements and checksums only.

import { product, ravel, storesElements, unravel } from "zarr-codecs/verify";

/** @typedef {import("zarr-codecs/verify").ChunkLayout} ChunkLayout */

/** Returns the name of the data type. @param {ChunkLayout} layout */
export const typeName = ({ dataType }) => (typeof dataType === "string" ? dataType : dataType.name);

/** The types whose name says how long an element is. */
const SIZED = /^(bool|r\d+|(u?int|b?float|complex)(8|16|32|64|128)|numpy\.(datetime|timedelta)64)$/;

/** Tells whether each element has bytes of its own in a chunk; those of compressed chunks have none. @param {ChunkLayout} layout */
export const hasOwnBytes = (layout) => storesElements(layout.codecs) && SIZED.test(typeName(layout));

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
