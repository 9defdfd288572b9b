/**
 * A store through which zarrita opens arrays of data types that it does not support, as arrays of types that it does.
 *
 * It translates the metadata, from which zarrita learns the data type. An added axis adds an index to the keys of chunks,
 * which it removes.
 */

import { describe, InvalidMetadataError, invalidArgument } from "../../errors.js";
import {
  arrayPaths,
  isMetadata,
  isV2Metadata,
  METADATA,
  mayHaveAddedAxis,
  pathOf,
  pathsAbove,
} from "./chunk-keys.js";
import { decode, encode, isObject, type Json } from "./json.js";
import { overridden } from "./overridden.js";
import type { ExtendedArray } from "./translation.js";

/** The minimal store that zarrita can read. */
export interface ReadableStore {
  get(key: `/${string}`, options?: never): unknown;
}

/** The asynchronous version of a function type. */
type Async<F> = F extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never;

/** The type of a store that {@link withExtendedTypes} returns: that of the wrapped store, with asynchronous methods. */
export type ExtendedStore<S> = Omit<S, "get" | "getRange" | "set"> & {
  [method in keyof S & ("get" | "getRange")]: Async<S[method]>;
} & {
  [method in keyof S & "set"]: S[method] extends (...args: infer A) => unknown
    ? (...args: A) => Promise<void>
    : never;
};

/** An array of zarrita, as used here. */
interface ZarritaArray {
  readonly path: string;
  readonly chunks: readonly number[];
  getChunk(coordinates: number[], options?: unknown, memory?: { useSharedArrayBuffer?: boolean }): unknown;
}

/** The error about a missing chunk that zarrita cannot fill. */
class MissingChunkError extends InvalidMetadataError {}

/**
 * Wraps a store, so that arrays of more data types can be opened from it.
 *
 * | `data_type` | opens as |
 * | --- | --- |
 * | `complex64`, `complex128`, `complex_*` | `float32` or `float64` with an additional last axis of length 2: real and imaginary component |
 * | `r8`, `r16`, ..., `raw_bytes`, `null_terminated_bytes` | `uint8` with an additional last axis: the bytes of an element |
 * | `struct`, `structured` | the same, with multi-byte fields in the host's byte order |
 * | `fixed_length_utf32` | `uint32` with an additional last axis: the code points |
 * | `numpy.datetime64`, `numpy.timedelta64` | `int64`: the number of units; the smallest one is "not a time". The attribute `zarr-codecs.data_type` has the unit |
 * | `bfloat16`, floating-point numbers of 8 bits or fewer | `float32` |
 * | `int2`, `int4`, `uint2`, `uint4` | `int8`, `uint8` |
 * | `float16`, where the host has no `Float16Array` | `float32` |
 *
 * All but plain components (`complex64`, `complex_float32`, raw bytes, code points, times) need codecs registered by
 * `register`.
 *
 * An added axis is in one chunk, and its dimension name is `null` if the array has dimension names. Codecs, data types and
 * chunk key encodings are shown in the form that zarrita reads, be it a name or an object. Other metadata is passed through
 * byte for byte.
 *
 * Metadata that was read can be written back, also with other attributes, lengths or names of the array's own axes: the
 * store then holds the original form of all else. Other changes to what was translated throw an InvalidMetadataError.
 *
 * Opening an array throws an InvalidMetadataError if its data type has a configuration and is not in the table, or if it
 * is in the table and has array-to-array codecs other than `transpose` (`numpy.datetime64` and `numpy.timedelta64` may
 * have any). A fill value whose components differ (`[1, 2]`) or are NaN with a payload requires zarrita 0.7 and an array
 * without shards: otherwise opening the array or reading a missing chunk throws an InvalidMetadataError.
 *
 * Caches and consolidated metadata may be inside or around the returned store.
 *
 * @throws InvalidArgumentError
 * @example
 * ```ts
 * import { withExtendedTypes } from "zarr-codecs/register";
 * import { open } from "zarrita";
 *
 * const metadata = {
 *   zarr_format: 3, node_type: "array", shape: [64, 64], data_type: "complex64", fill_value: [0, 0], attributes: {},
 *   chunk_grid: { name: "regular", configuration: { chunk_shape: [8, 8] } },
 *   chunk_key_encoding: { name: "default" },
 *   codecs: [{ name: "bytes", configuration: { endian: "little" } }],
 * };
 * const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))]]);
 * const array = await open(withExtendedTypes(store), { kind: "array" });
 * array.dtype; // => "float32"
 * array.shape; // => [64, 64, 2]
 * ```
 */
export function withExtendedTypes<S extends ReadableStore>(store: S): ExtendedStore<S> {
  if (typeof store !== "object" || store === null || typeof store.get !== "function") {
    throw invalidArgument("store", "a store with a method get", describe(store));
  }
  return new Extension(store as unknown as AnyStore).proxy as unknown as ExtendedStore<S>;
}

/** Loads most of the code, when metadata is first read or written. */
const loadTranslation = () => import("../../translation.js");

/** A store whose methods receive all further arguments unchanged. */
interface AnyStore {
  get(key: string, ...rest: unknown[]): unknown;
  getRange?(key: string, ...rest: unknown[]): unknown;
  set?(key: string, ...rest: unknown[]): unknown;
  readonly arrayExtensions?: readonly unknown[];
}

/** A node of the hierarchy, or its absence. */
interface Node {
  readonly isArray: boolean;
  /** The translation of the array, if it has an added axis. */
  readonly extended?: ExtendedArray | undefined;
}

const NO_ARRAY: Node = { isArray: false };

class Extension {
  readonly proxy: AnyStore;
  readonly #store: AnyStore;
  /** The nodes found so far, by path with a trailing slash. */
  readonly #nodes = new Map<string, Node | Promise<Node>>();

  constructor(store: AnyStore) {
    this.#store = store;
    const overrides: Record<string, unknown> = {
      get: (key: string, ...rest: unknown[]) =>
        isMetadata(key) ? this.#getMetadata(key, rest) : this.#getChunk(key, rest),
      arrayExtensions: [...(store.arrayExtensions ?? []), (array: ZarritaArray) => this.#extend(array)],
    };
    if (store.getRange !== undefined) {
      overrides.getRange = async (key: string, ...rest: unknown[]) =>
        store.getRange?.((await this.#locate(key)).key, ...rest);
    }
    if (store.set !== undefined) {
      overrides.set = (key: string, ...rest: unknown[]) =>
        isMetadata(key) ? this.#setMetadata(key, rest) : this.#setChunk(key, rest);
    }
    this.proxy = overridden(store, overrides);
  }

  async #getMetadata(key: string, rest: unknown[]): Promise<unknown> {
    const bytes = await this.#store.get(key, ...rest);
    const document = decode(bytes);
    if (!isObject(document)) {
      if (!this.#nodes.has(pathOf(key))) this.#nodes.set(pathOf(key), NO_ARRAY);
      return bytes; // Missing or invalid, which zarrita reports.
    }
    const shown = await this.#translate(pathOf(key), document);
    return shown === document ? bytes : encode(shown);
  }

  async #setMetadata(key: string, [bytes, ...rest]: unknown[]): Promise<void> {
    const document = decode(bytes);
    const restored = isObject(document) ? await (await loadTranslation()).restore(document) : document;
    await this.#store.set?.(key, restored === document ? bytes : encode(restored), ...rest);
    this.#nodes.delete(pathOf(key)); // Read again on use: the wrapped store may translate it, too.
  }

  async #getChunk(asked: string, rest: unknown[]): Promise<unknown> {
    const { key, fill } = await this.#locate(asked);
    const bytes = await this.#store.get(key, ...rest);
    if (bytes === undefined && fill !== undefined) throw new MissingChunkError(fill.message, fill);
    if (bytes !== undefined && isV2Metadata(asked) && !this.#nodes.has(pathOf(asked))) {
      this.#nodes.set(pathOf(asked), { isArray: true }); // Or a group of Zarr v2 arrays.
    }
    return bytes;
  }

  async #setChunk(key: string, rest: unknown[]): Promise<void> {
    await this.#store.set?.((await this.#locate(key)).key, ...rest);
  }

  /** Translates metadata and remembers the arrays in it. */
  async #translate(path: string, document: Json): Promise<Json> {
    // Keeps a known array until it is translated, because its chunks may be read concurrently.
    if (document.node_type !== "array") this.#nodes.set(path, NO_ARRAY);
    const { show } = await loadTranslation();
    try {
      return await show(path, document, (path, extended) => {
        this.#nodes.set(path, { isArray: true, extended });
      });
    } catch (error) {
      this.#nodes.delete(path);
      throw error;
    }
  }

  /** Returns the key of a chunk in the store, and its fill value if zarrita cannot express that. */
  async #locate(key: string): Promise<{ key: string; fill?: ExtendedArray["fill"] }> {
    if (!mayHaveAddedAxis(key)) return { key };
    const path = this.#knownArray(key) ?? (await this.#findArray(key));
    const { extended } = path === undefined ? NO_ARRAY : await this.#node(path);
    if (path === undefined || extended === undefined) return { key };
    return { key: path + extended.keyOf(key.slice(path.length)), fill: extended.fill };
  }

  /** Returns the path of the array above a key, if that array is known. */
  #knownArray(key: string): string | undefined {
    return pathsAbove(key).find((path) => {
      const node = this.#nodes.get(path);
      return node !== undefined && "isArray" in node && node.isArray;
    });
  }

  /** Finds that array in the store, because zarrita may have read its metadata elsewhere, as from a cache. */
  async #findArray(key: string): Promise<string | undefined> {
    const paths = arrayPaths(key);
    for (const path of paths) {
      if ((await this.#node(path)).isArray) return path;
    }
    // Its metadata may be only in the consolidated metadata of a group.
    for (const path of pathsAbove(paths[0] ?? "")) await this.#node(path);
    return this.#knownArray(key);
  }

  /** Returns the node at a path, reading it from the store if it is not known. */
  #node(path: string): Node | Promise<Node> {
    const known = this.#nodes.get(path);
    if (known !== undefined) return known;
    const reading = this.#readNode(path);
    const replace = (node: Node | undefined) => {
      if (this.#nodes.get(path) !== reading) return; // Replaced meanwhile.
      if (node === undefined) this.#nodes.delete(path);
      else this.#nodes.set(path, node);
    };
    reading.then(replace, () => replace(undefined));
    this.#nodes.set(path, reading);
    return reading;
  }

  async #readNode(path: string): Promise<Node> {
    const document = decode(await this.#store.get(path + METADATA));
    let node = NO_ARRAY;
    if (!isObject(document)) return node;
    const { show } = await loadTranslation();
    try {
      await show(path, document, (found, extended) => {
        const array: Node = { isArray: true, extended };
        const known = this.#nodes.get(found);
        if (found === path) node = array;
        else if (known === undefined || known === NO_ARRAY) this.#nodes.set(found, array);
      });
    } catch (error) {
      if (!(error instanceof InvalidMetadataError)) throw error;
      node = { isArray: true }; // zarrita cannot open it, so its keys are not translated.
    }
    return node;
  }

  /** Wraps an array to fill missing chunks where zarrita cannot. Called by zarrita 0.7. */
  async #extend(array: ZarritaArray): Promise<ZarritaArray> {
    const path = array.path.endsWith("/") ? array.path : `${array.path}/`;
    const { extended } = await this.#node(this.#knownArray(path) ?? path);
    const fill = extended?.fill;
    if (fill === undefined) return array;
    const getChunk: ZarritaArray["getChunk"] = async (coordinates, options, memory) => {
      try {
        return await array.getChunk(coordinates, options, memory);
      } catch (error) {
        if (!(error instanceof MissingChunkError)) throw error;
        return fill.chunk(array.chunks, memory?.useSharedArrayBuffer === true);
      }
    };
    return overridden(array, { getChunk });
  }
}
