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

/** Returns the path of the node with this metadata key, with a trailing slash. */
export const pathOf = (key: string): string => key.slice(0, key.lastIndexOf("/") + 1);
