/** Ranges of bytes. */

import type { RangeQuery } from "./store.js";

/** The first byte and the byte after the last of a range of a value, whose length ends both. */
export function boundsOf(range: RangeQuery, byteLength: number): { start: number; end: number } {
  if ("suffixLength" in range)
    return { start: Math.max(0, byteLength - range.suffixLength), end: byteLength };
  const start = Math.min(range.offset, byteLength);
  return { start, end: Math.min(start + range.length, byteLength) };
}
