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
  const encode = (coordinates: readonly number[]) =>
    isV2 ? coordinates.join(separator) || "0" : ["c", ...coordinates].join(separator);
  return {
    encode,
    decode(key) {
      const parts = isV2 ? key.split(separator) : key.split(separator).slice(1);
      const coordinates = rank === 0 ? [] : parts.map(Number);
      const isValid =
        coordinates.length === rank && coordinates.every((at) => Number.isSafeInteger(at) && at >= 0);
      return isValid && encode(coordinates) === key ? coordinates : undefined;
    },
  };
}

/** Returns which chunk key encoding it is, and between which separators keys have the coordinates. */
function readEncoding(encoding: unknown): { isV2: boolean; separator: string } {
  const { name, configuration } = isObject(encoding) ? encoding : ({ name: encoding } as Json);
  const isV2 = name === "v2";
  return { isV2, separator: String(asObject(configuration).separator || (isV2 ? "." : "/")) };
}
