/** What arrays are shown as, however they are stored. */

/** An array as it is shown: plain bytes, one chunk for each of the smallest chunks. */
export interface ShownArray {
  /** The `zarr.json` that is shown. */
  readonly text: string;
  /** The number of axes that are shown. */
  readonly rank: number;
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

/** A key that is shown of a chunk: the path of its array, with a trailing slash, and the coordinates, each after a slash. */
const CHUNK_KEY = /^(.*\/)c((?:\/(?:0|[1-9]\d*))*)$/s;

/** Returns the path of the array and the coordinates in a key that is shown; undefined for any other key. */
export function readChunkKey(key: string): { path: string; coordinates: number[] } | undefined {
  const [, path, coordinates] = CHUNK_KEY.exec(key) ?? [];
  if (path === undefined || coordinates === undefined) return undefined;
  return { path, coordinates: coordinates === "" ? [] : coordinates.slice(1).split("/").map(Number) };
}

export const isInGrid = (coordinates: readonly number[], grid: readonly number[]): boolean =>
  coordinates.every((at, axis) => at < (grid[axis] as number));
