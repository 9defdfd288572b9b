/** Keys in a store: of metadata and chunks, and the paths of their arrays. */

import { asObject, expectLengths, type Json } from "./json.js";

export const METADATA = "zarr.json";

export const isMetadata = (key: string): boolean => key.endsWith(`/${METADATA}`);

export const isV2Metadata = (key: string): boolean => /\/\.(zarray|zmetadata)$/.test(key);

/** Returns the path of the node with this metadata key, with a trailing slash. */
export const pathOf = (key: string): string => key.slice(0, key.lastIndexOf("/") + 1);

/** Returns whether a chunk key can be of an array with an added axis, along which every chunk has the index 0. */
export const mayHaveAddedAxis = (key: string): boolean => /[./]0$/.test(key);

/** Returns all paths above a key, the longest first, each with a trailing slash. */
export function pathsAbove(key: string): string[] {
  const paths: string[] = [];
  for (let end = key.lastIndexOf("/"); end >= 0; end = end > 0 ? key.lastIndexOf("/", end - 1) : -1) {
    paths.push(key.slice(0, end + 1));
  }
  return paths;
}

/**
 * Returns the paths of arrays that a chunk with this key may belong to, the likeliest first: `/a/` for `/a/c/0/0` and `/a/c` in
 * the encoding `default`, and for `/a/0.0` or `/a/0/0` in the encoding `v2`.
 */
export function arrayPaths(key: string): string[] {
  const byDefault = /^(.*\/)c(?:[./]\d+)*$/.exec(key)?.[1];
  const above = /^(.*?\/)(?:\d+[./])*\d+$/.exec(key)?.[1];
  const byV2 = above === undefined ? [] : pathsAbove(key).filter((path) => path.length >= above.length);
  return [...(byDefault === undefined ? [] : [byDefault]), ...byV2.reverse()];
}

/** Replaces a chunk key encoding given by name alone with an object, the only form that zarrita reads. */
export const spelledOutEncoding = (encoding: unknown): unknown =>
  typeof encoding === "string" ? { name: encoding } : encoding;

function readEncoding({ chunk_key_encoding }: Json): { isV2: boolean; separator: string } {
  const { name, configuration } = asObject(spelledOutEncoding(chunk_key_encoding));
  const isV2 = name === "v2";
  return { isV2, separator: String(asObject(configuration).separator || (isV2 ? "." : "/")) };
}

/** Returns a function that removes the added axis from the key of a chunk, given without the path of its array. */
export function keyWithoutAxis(metadata: Json): (key: string) => string {
  // The key of 0-d arrays in the encoding `v2`, "0", has no separator: it is that of 1-d ones.
  const end = `${readEncoding(metadata).separator}0`;
  return (key) => (key.endsWith(end) ? key.slice(0, -end.length) : key);
}

/** Converts the coordinates of chunks to their keys and back, both without the array's path. */
export interface ChunkKeys {
  encode(coordinates: readonly number[]): string;
  /** Returns undefined for a key that no chunk has. */
  decode(key: string): number[] | undefined;
}

/** Returns the chunk keys of an array. @throws InvalidMetadataError (it has no shape) */
export function chunkKeysOf(metadata: Json): ChunkKeys {
  const rank = expectLengths(metadata.shape, "shape").length;
  const { isV2, separator } = readEncoding(metadata);
  const encode = (coordinates: readonly number[]) =>
    isV2 ? coordinates.join(separator) || "0" : ["c", ...coordinates].join(separator);
  return {
    encode,
    decode(key) {
      const parts = isV2 ? key.split(separator) : key.split(separator).slice(1);
      const coordinates = rank === 0 ? [] : parts.map(Number);
      const isValid =
        coordinates.length === rank && coordinates.every((at) => Number.isSafeInteger(at) && at >= 0);
      return isValid && encode(coordinates) === key ? coordinates : undefined;
    },
  };
}
