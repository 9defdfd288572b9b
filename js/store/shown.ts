/** What arrays are shown as, however they are stored. */

import { type ChunkKeys, chunkKeysOf } from "../array/chunk-keys.js";

/** An array as it is shown: plain bytes, one chunk for each of the smallest chunks. */
export interface ShownArray {
  /** The `zarr.json` that is shown. */
  readonly text: string;
  /** The keys that are shown. */
  readonly keys: ChunkKeys;
  /**
   * Reads a chunk.
   *
   * @param coordinates as in the keys that are shown
   * @param options for the store
   * @returns undefined if the chunk is not stored
   */
  read(coordinates: readonly number[], options: object | undefined): Promise<Uint8Array | undefined>;
  /** Returns whether a chunk is stored. */
  has(coordinates: readonly number[], options: object | undefined): Promise<boolean>;
}

/** The codec of all arrays that are decoded whole. */
export const LITTLE = { name: "bytes", configuration: { endian: "little" } };

/** The chunk key encoding of all arrays. */
export const DEFAULT_KEYS = { name: "default", configuration: { separator: "/" } };

/** Returns the keys of the chunks of an array with this many axes. */
export const keysOf = (rank: number): ChunkKeys => chunkKeysOf(DEFAULT_KEYS, rank);

export const isInGrid = (coordinates: readonly number[], grid: readonly number[]): boolean =>
  coordinates.every((at, axis) => at < (grid[axis] as number));
