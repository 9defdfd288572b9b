// Stores to verify with `verifyStore`, made of chunks by other implementations, and what comes of verifying them.

import { readFileSync } from "node:fs";
import { verifyStore } from "zarr-codecs/verify";
import { fromHex } from "../js/vectors.mjs";

export const readVectors = (file) =>
  JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), "utf8"));

export const toBytes = (value) =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

/** A store in memory that reads ranges and lists its keys, and counts what it is asked for. */
export class ListedStore extends Map {
  requests = [];

  get(key) {
    this.requests.push(key);
    return super.get(key);
  }

  getRange(key, { offset, length, suffixLength }) {
    const bytes = this.get(key);
    const start = suffixLength === undefined ? offset : Math.max(0, bytes?.length - suffixLength);
    return bytes?.subarray(start, suffixLength === undefined ? start + length : undefined);
  }

  *list() {
    for (const [key, { byteLength }] of this) yield { key, byteLength };
  }
}

/** The same content, read in other ways. */
export const READERS = {
  "at once": (store) => store,
  "whole values": (store) => ({ get: (key) => store.get(key), list: () => store.list() }),
  asynchronously: (store) => ({
    get: async (key) => store.get(key),
    getRange: async (key, range) => store.getRange(key, range),
    async *list() {
      yield* store.list();
    },
  }),
  "into the same memory": (store) => reusing(store),
};

/** A store whose answers are overwritten by the next one. */
function reusing(store) {
  const memory = new Uint8Array(Math.max(...Array.from(store.values(), ({ length }) => length)));
  const held = (bytes) => {
    if (bytes === undefined) return undefined;
    memory.fill(0xee);
    memory.set(bytes);
    return memory.subarray(0, bytes.length);
  };
  return {
    isReused: true,
    get: (key) => held(store.get(key)),
    getRange: (key, range) => held(store.getRange(key, range)),
    list: () => store.list(),
  };
}

/** Adds an array of a file of vectors to a store. */
export function addArray(store, { name, metadata, chunks }) {
  store.set(`/${name}/zarr.json`, toBytes(metadata));
  for (const { key, encoded } of chunks) store.set(`/${name}/${key}`, fromHex(encoded));
  return store;
}

/** A store of all arrays of files of vectors, each in a group with the name of its file. */
export function storeOfFiles(...files) {
  const store = new ListedStore([["/zarr.json", toBytes(GROUP)]]);
  for (const file of files) {
    const group = file.replace(/\.json$/, "").replaceAll("/", "-");
    store.set(`/${group}/zarr.json`, toBytes(GROUP));
    for (const array of readVectors(file).arrays)
      addArray(store, { ...array, name: `${group}/${array.name}` });
  }
  return store;
}

export const GROUP = { zarr_format: 3, node_type: "group" };

/** Verifies a store. Returns the results and the summary. */
export async function verified(store, options) {
  const iterator = verifyStore(store, options);
  const results = [];
  for (;;) {
    const { done, value } = await iterator.next();
    if (done) return { results, summary: value };
    results.push(value);
  }
}

/** What most tests look at: where it is, its state, and the code of its error. */
export const placeOf = ({ key, inner, state, error, transient, insufficient }) =>
  [key, inner && `[${inner}]`, state, error?.code, transient && "transient", insufficient && "insufficient"]
    .filter(Boolean)
    .join(" ");

export const placesOf = async (store, options) =>
  (await verified(store, options)).results.map(placeOf).sort();
