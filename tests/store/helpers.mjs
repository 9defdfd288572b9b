// Arrays read by unmodified zarrita through `withCodecs`.

import { withCodecs } from "zarr-codecs";
import { metadataWith, toBytes } from "../array/helpers.mjs";
import { elementsOf, MemoryStore } from "../zarrita/stores.mjs";
import { VERSIONS } from "../zarrita/versions.mjs";

export const zarrita = VERSIONS["0.7"];

export const big = { name: "bytes", configuration: { endian: "big" } };
export const crc32c = { name: "crc32c" };

/** Codecs that nobody provides. */
export const unknown = { name: "example.unknown", configuration: { level: 1 } };

export const grid = (...chunk_shape) => ({ name: "regular", configuration: { chunk_shape } });

export const parsed = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

/** The metadata of a group with consolidated metadata. */
export const groupWith = (metadata) => ({
  zarr_format: 3,
  node_type: "group",
  attributes: {},
  consolidated_metadata: { kind: "inline", must_understand: false, metadata },
});

/** The metadata of an array of 3 complex numbers in chunks of 2, big endian with a checksum. */
export const complex = (members) =>
  metadataWith({
    shape: [3],
    data_type: "complex64",
    chunk_grid: grid(2),
    codecs: [big, crc32c],
    fill_value: [0, 0],
    ...members,
  });

/** A store that records the keys that are read. */
export class CountingStore extends MemoryStore {
  keys = [];
  get(key) {
    this.keys.push(key);
    return super.get(key);
  }
}

/** Stores one array at the root, whose `zarr.json` is a text with the members of `metadata`, and with `fill` for "FILL". */
export function storeWithText(metadata, fill, chunks = {}) {
  const text = JSON.stringify(metadata).replaceAll('"FILL"', fill);
  return new MemoryStore([["/zarr.json", new TextEncoder().encode(text)], ...Object.entries(chunks)]);
}

export const storeOf = (metadata, chunks = {}) =>
  new MemoryStore([["/zarr.json", toBytes(metadata)], ...Object.entries(chunks)]);

/** Opens an array through `withCodecs` in a version of zarrita. */
export const open = (store, { path = "/", version = "0.7", ...options } = {}) =>
  openIn(VERSIONS[version], withCodecs(store, options), path);

export const openIn = (module, store, path = "/") =>
  module.open.v3(module.root(store).resolve(path), { kind: "array" });

/** Reads all elements of an array, in C order. */
export async function read(module, array) {
  // zarrita before 0.7 reads no 0-d arrays with `get`.
  const chunk = array.shape.length === 0 ? await array.getChunk([]) : await module.get(array);
  return elementsOf(chunk);
}

/** Returns the metadata that is shown of an array at the root. */
export const shownOf = async (store, options) => parsed(await withCodecs(store, options).get("/zarr.json"));

/** Keeps whatever a store returns, as caches do. */
export function cached(store) {
  const values = new Map();
  const keep = (method, key, range, options) => {
    const name = JSON.stringify([key, range]);
    if (!values.has(name)) {
      values.set(name, range ? store[method](key, range, options) : store[method](key, options));
    }
    return values.get(name);
  };
  return {
    get: async (key, options) => keep("get", key, undefined, options),
    getRange: async (key, range, options) => keep("getRange", key, range, options),
  };
}

/** Keeps only metadata. */
export function cachedMetadata(store, cache) {
  return {
    async get(key, options) {
      if (!key.endsWith("zarr.json")) return store.get(key, options);
      if (!cache.has(key)) cache.set(key, await store.get(key, options));
      return cache.get(key);
    },
    getRange: (key, range, options) => store.getRange(key, range, options),
  };
}
