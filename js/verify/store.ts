/** Keys of stores. */

/** A key as zarrita writes it, with a leading slash. */
export type StoreKey = `/${string}`;

/** The key of something in a group or an array; the path of the root is `/`. */
export const keyIn = (path: StoreKey, name: string): StoreKey =>
  path === "/" ? `/${name}` : `${path}/${name}`;

/** Returns a key, or a path, without the leading slash. */
export const withoutSlash = (key: string): string => key.replace(/^\//, "");
