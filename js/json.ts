/** JSON documents. */

import { describe, invalidMetadata } from "./errors.js";

/** The metadata of an array or a group, or an object within it. */
export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns an object, or an empty one in place of anything else. */
export const asObject = (value: unknown): Json => (isObject(value) ? value : {});

/** Returns lengths, which are checked elsewhere. @throws InvalidMetadataError (not an array) */
export function expectLengths(value: unknown, path: string): number[] {
  if (Array.isArray(value)) return value;
  throw invalidMetadata(path, "an array of integers", named(value));
}

/** Parses a JSON text; returns undefined where it is not valid. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses the bytes of a JSON document; returns undefined for anything else. */
export function decode(bytes: unknown): unknown {
  return bytes instanceof Uint8Array ? parse(new TextDecoder().decode(bytes)) : undefined;
}

export const encode = (document: unknown): Uint8Array => new TextEncoder().encode(stringify(document));

/** Stands in for -0, which `JSON.stringify` writes as 0. */
const NEGATIVE_ZERO = "zarr-codecs.negative_zero";

export function stringify(value: unknown): string {
  const replace = (_: string, value: unknown) => (Object.is(value, -0) ? NEGATIVE_ZERO : value);
  return JSON.stringify(value, replace).replaceAll(`"${NEGATIVE_ZERO}"`, "-0.0");
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

/** Describes a value, or its absence, for a message. */
export const named = (value: unknown): string => (value === undefined ? "nothing" : describe(value));
