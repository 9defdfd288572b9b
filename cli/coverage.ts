/** Whether parts are a whole. */

import type { Part } from "zarr-codecs/verify";

/** What parts lack. */
export interface Coverage {
  readonly count: number;
  readonly missing: readonly number[];
  readonly doubled: readonly number[];
}

/** Compares parts with all parts of their count; undefined where they are of different ones. */
export function coverageOf(parts: readonly Part[]): Coverage | undefined {
  const count = parts[0]?.count ?? 0;
  if (parts.some((part) => part.count !== count)) return undefined;
  const seen = new Set<number>();
  const doubled = new Set<number>();
  for (const { index } of parts) (seen.has(index) ? doubled : seen).add(index);
  const missing = Array.from({ length: count }, (_, index) => index).filter((index) => !seen.has(index));
  return { count, missing, doubled: [...doubled].sort((a, b) => a - b) };
}
