// The sharded stores that generate.py wrote, and stores that count and change what is read.

import { readFileSync } from "node:fs";
import { createCodecChain, isZarrCodecError } from "zarr-codecs";
import { elementsOf, expectedOf, MemoryStore, storeOf } from "../zarrita/stores.mjs";

export { elementsOf, expectedOf, MemoryStore };

/** The stores by writer: `{ arrays, files }`. */
export const WRITTEN = Object.fromEntries(
  ["zarr-python", "tensorstore", "zarrs"].map((writer) => [
    writer,
    JSON.parse(readFileSync(new URL(`${writer}.json`, import.meta.url), "utf8")),
  ]),
);

/** The length of the index of a shard of 6 inner chunks, with a checksum. */
export const INDEX_LENGTH = 16 * 6 + 4;

/** Returns a fresh copy of a store. */
export const openStore = (writer = "zarr-python") => storeOf(WRITTEN[writer]);

/** Returns the parsed metadata of an array. */
export const metadataOf = (store, name) =>
  JSON.parse(new TextDecoder().decode(store.get(`/${name}/zarr.json`)));

/** Returns the codec chain of an array. */
export const chainOf = (store, name) => createCodecChain(metadataOf(store, name));

/** A function that reads ranges of a shard, and the ranges that it was asked for. */
export function sourceOf(store, key, change = (bytes) => bytes) {
  const ranges = [];
  const source = async (range, options) => {
    ranges.push(range);
    await new Promise((resolve) => setTimeout(resolve, 1));
    options?.signal?.throwIfAborted();
    return change(store.getRange(key, range), range);
  };
  return { source, ranges };
}

/** Returns the elements of an array in C order. */
export const valuesOf = (writer, name) =>
  expectedOf(WRITTEN[writer].arrays[name], WRITTEN[writer].arrays[name].shape);

/** A store that records the requests for chunks and shards, and answers them later, as a network does. */
export class RemoteStore {
  requests = [];
  constructor(files) {
    this.files = files;
  }
  async get(key, options) {
    if (!key.endsWith("zarr.json")) this.requests.push({ key, options });
    await new Promise((resolve) => setTimeout(resolve, 1));
    options?.signal?.throwIfAborted();
    return this.files.get(key);
  }
  async getRange(key, range, options) {
    this.requests.push({ key, range, options });
    await new Promise((resolve) => setTimeout(resolve, 1));
    options?.signal?.throwIfAborted();
    return this.files.getRange(key, range)?.slice();
  }
}

/** Flips a bit of a file, counted from its end where the byte is negative. */
export function flip(store, key, byte, bit = 0) {
  const bytes = Uint8Array.from(store.get(key));
  bytes[byte < 0 ? bytes.length + byte : byte] ^= 1 << bit;
  store.set(key, bytes);
}

/** Returns this package's error in what zarrita threw. */
export const ownError = (error) => (isZarrCodecError(error) ? error : error.cause);
