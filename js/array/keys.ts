/** Keys of stores, and the paths of groups and arrays. */

/** A key as zarrita writes it, with a leading slash. */
export type StoreKey = `/${string}`;

/** The name of the metadata of a group or an array. */
export const METADATA = "zarr.json";

/** The key of something in a group or an array; the path of the root is `/`. */
export const keyIn = (path: StoreKey, name: string): StoreKey =>
  path === "/" ? `/${name}` : `${path}/${name}`;

/** Returns a key, or a path, without the leading slash. */
export const withoutSlash = (key: string): string => key.replace(/^\//, "");

/** Returns all paths above a key, the longest first, each with a trailing slash. */
export function pathsAbove(key: string): string[] {
  const paths: string[] = [];
  for (let end = key.lastIndexOf("/"); end >= 0; end = end > 0 ? key.lastIndexOf("/", end - 1) : -1) {
    paths.push(key.slice(0, end + 1));
  }
  return paths;
}

export const isMetadata = (key: string): boolean => key.endsWith(`/${METADATA}`);

export const isV2Metadata = (key: string): boolean => /\/\.(zarray|zmetadata)$/.test(key);

/** Returns the path of the node with this metadata key, with a trailing slash. */
export const pathOf = (key: string): string => key.slice(0, key.lastIndexOf("/") + 1);

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
