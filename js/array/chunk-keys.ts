/** Chunk key encodings: the keys of the chunks of an array, or of its shards. */

import { asObject, isObject, type Json } from "../json.js";

/** Converts the coordinates of chunks to their keys and back, both without the array's path. */
export interface ChunkKeys {
  encode(coordinates: readonly number[]): string;
  /** Returns undefined for a key that no chunk has. */
  decode(key: string): number[] | undefined;
}

/** Returns the chunk keys of an array with this many axes. @param encoding the member `chunk_key_encoding`, which is valid */
export function chunkKeysOf(encoding: unknown, rank: number): ChunkKeys {
  const { isV2, separator } = readEncoding(encoding);
  const prefix = isV2 ? "" : `c${separator}`;
  const scalar = isV2 ? "0" : "c";
  return {
    encode: (coordinates) => (rank === 0 ? scalar : prefix + coordinates.join(separator)),
    decode(key) {
      if (rank === 0) return key === scalar ? [] : undefined;
      if (!key.startsWith(prefix)) return undefined;
      const parts = key.slice(prefix.length).split(separator);
      return parts.length === rank && parts.every(isCoordinate) ? parts.map(Number) : undefined;
    },
  };
}

/** Returns whether this is a coordinate as keys have it: without sign, leading zeros, or digits that a number cannot keep. */
function isCoordinate(part: string): boolean {
  return DECIMAL.test(part) && Number.isSafeInteger(Number(part));
}

const DECIMAL = /^(?:0|[1-9]\d*)$/;

/** Returns which chunk key encoding it is, and between which separators keys have the coordinates. */
function readEncoding(encoding: unknown): { isV2: boolean; separator: string } {
  const { name, configuration } = isObject(encoding) ? encoding : ({ name: encoding } as Json);
  const isV2 = name === "v2";
  return { isV2, separator: String(asObject(configuration).separator || (isV2 ? "." : "/")) };
}
