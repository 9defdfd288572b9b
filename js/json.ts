/** JSON documents. */

/** The metadata of an array or a group, or an object within it. */
export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns an object, or an empty one in place of anything else. */
export const asObject = (value: unknown): Json => (isObject(value) ? value : {});

/** Parses a JSON text; returns undefined if it is invalid. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns whether two JSON values are equal, regardless of the order of members. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const names = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqual((a as Json)[name], (b as Json)[name]))
  );
}
