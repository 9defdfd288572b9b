/** What verifying needs of a store, and what every store can do. */

/** A key as zarrita writes it, with a leading slash. */
export type StoreKey = `/${string}`;

/** A part of a value: so many bytes from an offset, or the last ones. */
export type ByteRange =
  | { readonly offset: number; readonly length: number }
  | { readonly suffixLength: number };

type Value = Uint8Array | undefined;

/** A store that can be read; the stores of zarrita are, and so is a `Map`. */
export interface Store {
  get(key: StoreKey): Value | Promise<Value>;
  getRange?(key: StoreKey, range: ByteRange): Value | Promise<Value>;
}

/** Reads a part of a value, by way of the whole value where the store reads no parts. */
export async function readRange(store: Store, key: StoreKey, range: ByteRange): Promise<Value> {
  if (store.getRange) return store.getRange(key, range);
  const value = await store.get(key);
  return "suffixLength" in range
    ? value?.subarray(-range.suffixLength)
    : value?.subarray(range.offset, range.offset + range.length);
}

/** The key of something in a group or an array; the path of the root is `/`. */
export const keyIn = (path: StoreKey, name: string): StoreKey =>
  path === "/" ? `/${name}` : `${path}/${name}`;
