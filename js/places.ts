/** Where the bytes of chunks come from: codecs are called with bytes alone, and name the place in their errors. */

import { locate, type Place } from "./errors.js";

/** The member of bytes that is their place. In a `WeakMap` instead, reading a small chunk would take half as long again. */
const PLACE = Symbol("zarr-codecs.place");

/** Remembers where bytes come from. Returns the bytes. */
export function placed<T extends object>(bytes: T, place: Place | undefined): T {
  if (place) Reflect.defineProperty(bytes, PLACE, { value: place, configurable: true });
  return bytes;
}

export const placeOf = (bytes: object): Place | undefined => (bytes as { readonly [PLACE]?: Place })[PLACE];

/** Returns what `decode` returns for bytes. Names in its errors where they come from. */
export function locating<T>(bytes: object, decode: () => T): T {
  const place = placeOf(bytes);
  if (place === undefined) return decode();
  const rethrow = (error: unknown): never => {
    throw locate(error, place);
  };
  try {
    const decoded = decode();
    return decoded instanceof Promise ? (decoded.catch(rethrow) as T) : decoded;
  } catch (error) {
    return rethrow(error);
  }
}
