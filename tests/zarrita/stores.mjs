// In-memory stores and their contents, for tests in Node and in Chromium.

import { withCodecs } from "zarr-codecs";
import { register } from "zarr-codecs/zarrita";
import { ARRAY_TYPES, valueOfHalf } from "../js/vectors.mjs";

/** A store that zarrita reads and writes: a map with range requests. */
export class MemoryStore extends Map {
  getRange(key, { offset, length, suffixLength }) {
    const bytes = this.get(key);
    if (bytes === undefined) return undefined;
    const start = suffixLength === undefined ? offset : Math.max(0, bytes.length - suffixLength);
    return bytes.subarray(start, suffixLength === undefined ? start + length : undefined);
  }
}

const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** Returns the store in a file that generate.py wrote. */
export function storeOf({ files }) {
  return new MemoryStore(Object.entries(files).map(([key, text]) => [key, fromBase64(text)]));
}

const hasFloat16Array = "Float16Array" in globalThis;

/** Returns the data type, shape and elements that zarrita should return for an array. */
export function expectedOf({ dataType, elements }, shape) {
  const bytes = fromBase64(elements);
  const values = Array.from(new ARRAY_TYPES[dataType](bytes.buffer));
  if (dataType === "bool") return { dtype: "bool", shape, values: values.map((byte) => byte === 1) };
  if (dataType === "float16") {
    return { dtype: hasFloat16Array ? "float16" : "float32", shape, values: values.map(valueOfHalf) };
  }
  if (dataType.startsWith("complex")) {
    return { dtype: dataType === "complex64" ? "float32" : "float64", shape: [...shape, 2], values };
  }
  if (dataType.startsWith("r")) {
    return { dtype: "uint8", shape: [...shape, Number(dataType.slice(1)) / 8], values };
  }
  return { dtype: dataType, shape, values };
}

/** Returns the elements of a chunk of zarrita, in C order. */
export function elementsOf({ data, shape, stride }) {
  const at = (index) => ("get" in data ? data.get(index) : data[index]);
  const walk = (axis, offset) =>
    axis === shape.length
      ? [at(offset)]
      : Array.from({ length: shape[axis] }, (_, i) => walk(axis + 1, offset + i * stride[axis])).flat();
  return walk(0, 0);
}

/** Opens an array by its path. */
export const openArray = (zarrita, store, path) =>
  zarrita.open.v3(zarrita.root(store).resolve(path), { kind: "array" });

/** Reads all arrays of a file through `withCodecs` and zarrita. Returns the number read, and wrong results. */
export async function readStores(zarrita, contents, options) {
  const store = withCodecs(storeOf(contents), options);
  const seen = { read: 0, wrong: [] };
  for (const [name, described] of Object.entries(contents.arrays)) {
    const expected = expectedOf(described, described.shape ?? contents.shape);
    try {
      const array = await openArray(zarrita, store, `/${name}`);
      // zarrita before 0.7 reads no 0-d arrays with `get`.
      const chunk = array.shape.length === 0 ? await array.getChunk([]) : await zarrita.get(array);
      const actual = { dtype: array.dtype, shape: chunk.shape, values: elementsOf(chunk) };
      const isSame =
        actual.dtype === expected.dtype &&
        `${actual.shape}` === `${expected.shape}` &&
        actual.values.length === expected.values.length &&
        actual.values.every((value, i) => value === expected.values[i]);
      if (isSame) seen.read += 1;
      else seen.wrong.push(`${name}: ${actual.dtype} ${actual.shape} ${actual.values.slice(0, 8)}`);
    } catch (error) {
      seen.wrong.push(`${name}: ${error.message} ${error.cause?.message ?? ""}`);
    }
  }
  return seen;
}

/** Returns the metadata of a 1-d array of one chunk. */
export function arrayMetadata({ dataType = "int16", length = 4, codecs, ...others }) {
  return {
    zarr_format: 3,
    node_type: "array",
    shape: [length],
    data_type: dataType,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [length] } },
    chunk_key_encoding: { name: "default" },
    codecs,
    fill_value: dataType === "bool" ? false : 0,
    attributes: {},
    ...others,
  };
}

/** Creates a store with one array at its root. */
export function storeWith(metadata, chunks = {}) {
  const json = new TextEncoder().encode(JSON.stringify(metadata));
  const entries = Object.entries(chunks).map(([key, bytes]) => [key, Uint8Array.from(bytes)]);
  return new MemoryStore([["/zarr.json", json], ...entries]);
}

/** Decodes the bytes of a chunk through zarrita. Returns its elements in C order. */
export async function readChunk(zarrita, metadata, bytes, extension = (store) => store) {
  const store = extension(storeWith(metadata, { "/c/0": bytes }));
  const array = await zarrita.open.v3(store, { kind: "array" });
  return elementsOf(await array.getChunk(array.shape.map(() => 0)));
}

/** Runs `f` with our codecs in the registry of a version of zarrita. */
export async function registered(zarrita, f, options) {
  const unregister = register(zarrita.registry, options);
  try {
    return await f();
  } finally {
    unregister();
  }
}

/** A codec of others that returns its input. */
export const IDENTITY = {
  fromConfig: () => ({ kind: "bytes_to_bytes", encode: (bytes) => bytes, decode: (bytes) => bytes }),
};
