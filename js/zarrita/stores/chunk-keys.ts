/** Chunk keys as zarrita requests them. */

import { readEncoding } from "../../array/chunk-keys.js";
import type { Json } from "../../json.js";

/** Returns whether a chunk key can be of an array with an added axis, along which every chunk has the index 0. */
export const mayHaveAddedAxis = (key: string): boolean => /[./]0$/.test(key);

/** Replaces a chunk key encoding given by name alone with an object, the only form that zarrita reads. */
export const spelledOutEncoding = (encoding: unknown): unknown =>
  typeof encoding === "string" ? { name: encoding } : encoding;

/** Returns a function that removes the added axis from the key of a chunk, given without the path of its array. */
export function keyWithoutAxis({ chunk_key_encoding }: Json): (key: string) => string {
  // The key of 0-d arrays in the encoding `v2`, "0", has no separator: it is that of 1-d ones.
  const end = `${readEncoding(chunk_key_encoding).separator}0`;
  return (key) => (key.endsWith(end) ? key.slice(0, -end.length) : key);
}
