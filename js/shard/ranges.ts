/** Parts of files, and what reads them. */

import type { ByteRange, RangeQuery } from "../errors.js";

export type { ByteRange, RangeQuery };

/** The host's `AbortSignal`; `unknown` in programs without its types. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } } ? S : unknown;

/** Options of reading. */
export interface ReadOptions {
  /** Aborts reading: the promise rejects, and the request ends unless others wait for it. */
  readonly signal?: Signal | undefined;
}

/** Reads a part of one file: all of its bytes, or undefined where there is no such file. */
export type RangeSource = (
  range: RangeQuery,
  options?: ReadOptions,
) => Uint8Array | undefined | Promise<Uint8Array | undefined>;

/** A file that is read in part. */
export interface FileSource {
  readonly read: RangeSource;
  /** Returns the length of the file in bytes, if it is known after a part of it has been read. */
  readonly byteLength: () => number | undefined;
}

/** Returns the first byte and the byte after the last of a range of a value, whose length ends both. */
export function boundsOf(range: RangeQuery, byteLength: number): { start: number; end: number } {
  if ("suffixLength" in range)
    return { start: Math.max(0, byteLength - range.suffixLength), end: byteLength };
  const start = Math.min(range.offset, byteLength);
  return { start, end: Math.min(start + range.length, byteLength) };
}

/** Views a part of bytes, as much of it as there is. */
export function viewRange(bytes: Uint8Array, range: RangeQuery): Uint8Array {
  const { start, end } = boundsOf(range, bytes.length);
  return bytes.subarray(start, end);
}

export const endOf = ({ offset, length }: ByteRange): number => offset + length;

/** Returns whether a part of a file is within another one. */
export function isWithin(part: ByteRange, whole: ByteRange): boolean {
  return part.offset >= whole.offset && endOf(part) <= endOf(whole);
}
