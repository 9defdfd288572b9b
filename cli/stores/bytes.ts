/** Ranges of bytes, and where they are read from. */

import type { Awaitable } from "../../js/verify/awaitable.js";
import type { RangeQuery, StoreOptions } from "./store.js";

/** The first byte and the byte after the last of a range of a value, whose length ends both. */
export function boundsOf(range: RangeQuery, byteLength: number): { start: number; end: number } {
  if ("suffixLength" in range)
    return { start: Math.max(0, byteLength - range.suffixLength), end: byteLength };
  const start = Math.min(range.offset, byteLength);
  return { start, end: Math.min(start + range.length, byteLength) };
}

/** A file that is read in parts. */
export interface ByteSource {
  readonly byteLength: number;
  readonly isRemote: boolean;
  /** Reads bytes, fewer at the end of the file. The next call may overwrite those that are returned without a promise. */
  read(offset: number, length: number, options?: StoreOptions): Awaitable<Uint8Array>;
  /** Releases the file. */
  close(): void;
}
