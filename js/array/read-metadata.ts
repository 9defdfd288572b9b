/** Reads unchecked metadata: parsed JSON of any content. */

import { type InvalidMetadataError, invalidMetadata } from "../errors.js";
import { isObject, type Json } from "../json.js";
import type { CodecMetadata } from "../metadata.js";

/** Makes the error for a value that the specification does not allow. */
export const unexpected = (path: string, expected: string, actual: unknown): InvalidMetadataError =>
  invalidMetadata(path, expected, JSON.stringify(actual) ?? "nothing");

/** Reads lengths of at least `least`, one for each of `count` axes. */
export function readLengths(value: unknown, path: string, least: 0 | 1, count?: number): readonly number[] {
  if (!Array.isArray(value)) throw unexpected(path, "an array of integers", value);
  for (const [axis, length] of value.entries()) readLength(length, `${path}[${axis}]`, least);
  if (count !== undefined && value.length !== count) throw unexpected(path, `${count} lengths`, value);
  return value;
}

/** Reads a length of at least `least`. */
export function readLength(value: unknown, path: string, least: 0 | 1): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
  throw unexpected(path, `an integer of at least ${least}`, value);
}

/** Reads an extension: an object with a name, or its name alone. */
export function readExtension(value: unknown, path: string): { name: string; configuration: Json } {
  if (typeof value === "string") return { name: value, configuration: {} };
  if (!isObject(value) || typeof value.name !== "string")
    throw unexpected(path, "an object with a name", value);
  const { name, configuration = {} } = value;
  if (!isObject(configuration)) throw unexpected(`${path}.configuration`, "an object", configuration);
  return { name, configuration };
}

/** Reads a list of codecs, and those in shards, without other configuration: making a codec chain checks that. */
export function readCodecs(value: unknown, path: string): readonly CodecMetadata[] {
  const lists = [{ codecs: value, path }];
  for (const { codecs, path } of lists) {
    if (!Array.isArray(codecs)) throw unexpected(path, "an array of codecs", codecs);
    for (const [i, codec] of codecs.entries()) {
      const { name, configuration } = readExtension(codec, `${path}[${i}]`);
      if (name !== "sharding_indexed") continue;
      for (const list of ["codecs", "index_codecs"]) {
        lists.push({ codecs: configuration[list], path: `${path}[${i}].configuration.${list}` });
      }
    }
  }
  return value as readonly CodecMetadata[];
}
