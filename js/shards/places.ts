/** Where the bytes of chunks come from: codecs are called with bytes alone, and name the place in their errors. */

import { locate, type Place } from "../errors.js";

const PLACES = new WeakMap<object, Place>();

/** Remembers where bytes come from. Returns the bytes. */
export function placed<T extends object>(bytes: T, place: Place | undefined): T {
  if (place) PLACES.set(bytes, place);
  return bytes;
}

export const placeOf = (bytes: object): Place | undefined => PLACES.get(bytes);

/** Returns what `decode` returns for bytes. Names in its errors where they come from. */
export function locating<T>(bytes: Uint8Array, decode: () => T): T {
  const place = PLACES.get(bytes);
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
