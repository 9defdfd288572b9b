// Arrays that other implementations wrote, read chunk by chunk, and stores that count, change and delay answers.

import { readFileSync } from "node:fs";
import { MemoryStore, storeOf } from "../zarrita/stores.mjs";

export { flip, metadataOf, openStore, RemoteStore } from "../shards/stores.mjs";
export { MemoryStore };

/** The files of arrays that other implementations wrote, without shards and with them. */
const FILES = [
  ...["zarr-python", "tensorstore"].map((writer) => `../zarrita/${writer}.json`),
  ...["zarr-python", "tensorstore", "zarrs"].map((writer) => `../shards/${writer}.json`),
];

/** Yields each of these arrays: its store, its path, and its elements in C order as bytes. */
export function* writtenArrays() {
  for (const file of FILES) {
    const contents = JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
    const store = storeOf(contents);
    for (const [path, { dataType, elements }] of Object.entries(contents.arrays)) {
      yield { file, store, path, dataType, elements: new Uint8Array(Buffer.from(elements, "base64")) };
    }
  }
}

/** Yields all coordinates in a grid, in C order. */
export function* coordinatesIn(grid) {
  const count = grid.reduce((product, length) => product * length, 1);
  for (let i = 0; i < count; i++) {
    let rest = i;
    const at = [];
    for (let axis = grid.length - 1; axis >= 0; axis--) {
      at[axis] = rest % grid[axis];
      rest = Math.floor(rest / grid[axis]);
    }
    yield at;
  }
}

/**
 * Reads all chunks of an array, and returns its elements in C order as bytes.
 *
 * @param read returns the bytes of a chunk's elements
 * @param starts the first element of a chunk along each axis, by default that of a regular grid
 */
export async function elementsOf(array, size, read, starts = regularStarts) {
  const { shape } = array;
  const elements = new Uint8Array(size * shape.reduce((product, length) => product * length, 1));
  for (const coordinates of coordinatesIn(array.gridShape)) {
    const bytes = await read(coordinates);
    const chunkShape = array.shapeAt(coordinates);
    let i = 0;
    for (const within of coordinatesIn(chunkShape)) {
      const start = starts(array, coordinates);
      const at = within.map((n, axis) => start[axis] + n);
      const element = bytes.subarray(i * size, ++i * size);
      if (at.some((n, axis) => n >= shape[axis])) continue;
      elements.set(element, size * at.reduce((index, n, axis) => index * shape[axis] + n, 0));
    }
  }
  return elements;
}

const regularStarts = (array, coordinates) => {
  const shape = array.shapeAt(coordinates);
  return coordinates.map((at, axis) => at * shape[axis]);
};

export const bytesOf = ({ data }) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

export const toBytes = (value) => new TextEncoder().encode(JSON.stringify(value));

export const LITTLE = { name: "bytes", configuration: { endian: "little" } };

/** A sharding codec. */
export const sharding = (chunk_shape, codecs, members) => ({
  name: "sharding_indexed",
  configuration: { chunk_shape, codecs, index_codecs: [LITTLE], ...members },
});

/** The metadata of an array. */
export const metadataWith = (members) => ({
  zarr_format: 3,
  node_type: "array",
  shape: [4],
  data_type: "uint8",
  fill_value: 0,
  chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
  chunk_key_encoding: { name: "default" },
  codecs: ["bytes"],
  ...members,
});

/** A store of one array at its root. */
export const storeWith = (members, chunks) =>
  new MemoryStore([["/zarr.json", toBytes(metadataWith(members))], ...Object.entries(chunks)]);

/** Joins inner chunks and the index of a shard: entries are offsets and lengths, or undefined for a missing inner chunk. */
export function shardOf(chunks, entries, { atStart = false } = {}) {
  const index = new Uint8Array(
    BigUint64Array.from(
      entries.flatMap((entry) => (entry ?? [2n ** 64n - 1n, 2n ** 64n - 1n]).map((n) => BigInt(n))),
    ).buffer,
  );
  return Uint8Array.from(atStart ? [...index, ...chunks] : [...chunks, ...index]);
}

/** Returns the error that a promise rejects with. */
export const errorOf = (promise) =>
  promise.then(
    () => {
      throw new Error("nothing was thrown");
    },
    (error) => error,
  );
