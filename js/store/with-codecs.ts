/** A store that shows every array as plain bytes, for readers that lack its codecs or verify nothing. */

import { isMetadata, METADATA, pathOf, pathsAbove, type StoreKey } from "../array/keys.js";
import type { ArrayStore } from "../array/store-reader.js";
import { type Awaitable, isPromise, then } from "../awaitable.js";
import { describe, InvalidMetadataError, invalidArgument, type RangeQuery } from "../errors.js";
import { expectReadable } from "../expect.js";
import { isObject, parse } from "../json.js";
import { type Allowed, CHAIN_OPTIONS, readOptions } from "../options.js";
import { COALESCE_OPTIONS, RangeReader } from "../shard/range-reader.js";
import { type ReadOptions, viewRange } from "../shard/ranges.js";
import { SharedRequest } from "../shard/shared-requests.js";
import { membersOf, objectText } from "./json-text.js";
import type { OpenArrayOptions } from "./open-array.js";
import { overridden } from "./overridden.js";
import { plainArray } from "./plain-array.js";
import { readChunkKey, type ShownArray } from "./shown.js";
import type { DataTypes } from "./shown-array.js";

/** Options of {@link withCodecs}. */
export interface WithCodecsOptions
  extends Omit<OpenArrayOptions, "float16" | "metadata" | "signal" | "smallFloats" | "strided"> {
  /**
   * Whether data types that zarrita lacks are shown as types that it has, or as they are stored, for readers that have them.
   * Default: `"zarrita"`.
   */
  readonly dataTypes?: DataTypes | undefined;
}

const { verify, missingEndian, invalidBool } = CHAIN_OPTIONS;

const OPTIONS: Allowed<WithCodecsOptions> = {
  verify,
  missingEndian,
  invalidBool,
  ...COALESCE_OPTIONS,
  codecs: undefined,
  dataTypes: ["zarrita", "stored"],
};

/** The options that the methods of a store take. */
type OptionsOf<S extends ArrayStore> = S["get"] extends (key: never, options?: infer O) => unknown
  ? O
  : unknown;

/** The store that {@link withCodecs} returns: the given one, read-only, with asynchronous methods. */
export type StoreWithCodecs<S extends ArrayStore> = Omit<
  S,
  "get" | "getRange" | "has" | "set" | "delete" | "clear"
> & {
  get(key: StoreKey, options?: OptionsOf<S>): Promise<Uint8Array | undefined>;
  getRange(key: StoreKey, range: RangeQuery, options?: OptionsOf<S>): Promise<Uint8Array | undefined>;
} & (S extends { has: unknown } ? { has(key: StoreKey, options?: OptionsOf<S>): Promise<boolean> } : unknown);

/**
 * Wraps a store, so that any reader reads its Zarr v3 arrays: each is shown as an array of little-endian elements without any
 * other codec, in chunks that are the smallest that can be read on their own, such as the inner chunks of shards. Reading a chunk
 * verifies its checksums and decodes it.
 *
 * With `dataTypes: "stored"`, every array keeps its data type, and what is shown is valid Zarr v3 for any reader. By default, data
 * types that zarrita lacks are shown as others:
 *
 * | `data_type` | shown as |
 * | --- | --- |
 * | `complex64`, `complex128`, `complex_*` | `float32` or `float64` with a last axis `component` of length 2: real and imaginary component |
 * | `r8`, `r16`, ..., `raw_bytes`, `null_terminated_bytes`, `struct`, `structured` | `uint8` with a last axis `byte`: the bytes of an element, little endian |
 * | `fixed_length_utf32` | `uint32` with a last axis `character`: the code points |
 * | `numpy.datetime64`, `numpy.timedelta64` | `int64`: the number of units; the smallest one is "not a time". The attribute `zarr-codecs.data_type` has the unit |
 * | `bfloat16`, floating-point numbers of 8 bits or fewer | `float32` |
 * | `int2`, `int4`, `uint2`, `uint4` | `int8`, `uint8` |
 * | `float16`, if the host has no `Float16Array` | `float32` |
 *
 * The names of added axes are shown if the array names its axes; `_2`, `_3`, ... is appended to a name that is taken.
 *
 * A chunk that is not stored is not shown either, unless readers would fill it with something else than the array's fill value,
 * such as for -0.0, NaN with a payload, integers beyond 2^53, and complex numbers of two different components: then it is made.
 *
 * Codecs that nobody provides, and those before them, stay in the metadata for the reader to apply; all after them are decoded.
 * What is shown does not depend on the host. Groups, arrays of Zarr v2 and all other keys pass through unchanged; arrays in
 * consolidated metadata are shown as well. Caches may be inside or around the returned store. It is read-only.
 *
 * Reading the `zarr.json` of an array throws an {@link InvalidMetadataError} if it is invalid or has members that must be
 * understood and are not or, unless `dataTypes` is `"stored"`, if the chunk grid is not regular. Reading a chunk throws the errors
 * of {@link ArrayReader.getChunk}, with the chunk's place in the members `key`, `chunk` and `range`, and what the store throws.
 *
 * @param store as for {@link openArray}
 * @throws InvalidArgumentError
 * @example
 * ```ts
 * import { createCodecChain, withCodecs } from "zarr-codecs";
 * import { get, open } from "zarrita";
 *
 * const codecs = [{ name: "bytes", configuration: { endian: "big" } }, { name: "crc32c" }];
 * const metadata = {
 *   zarr_format: 3,
 *   node_type: "array",
 *   shape: [2],
 *   data_type: "complex64",
 *   chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
 *   chunk_key_encoding: { name: "default" },
 *   fill_value: [0, 0],
 *   codecs,
 * };
 * const chunk = createCodecChain({ dataType: "complex64", shape: [2], codecs }).encode(Float32Array.of(1, 2, 3, 4));
 * const store = new Map([
 *   ["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))],
 *   ["/c/0", chunk],
 * ]);
 *
 * const array = await open(withCodecs(store), { kind: "array" });
 * array.shape; // => [2, 2]
 * (await get(array)).data; // => Float32Array.of(1, 2, 3, 4)
 * ```
 */
export function withCodecs<S extends ArrayStore>(store: S, options?: WithCodecsOptions): StoreWithCodecs<S> {
  const isStore = expectReadable("store", () => typeof (store as S | undefined)?.get === "function");
  if (!isStore) throw invalidArgument("store", "a store with a method get", describe(store));
  const read = readOptions(options, OPTIONS);
  new RangeReader(() => undefined, { maxGap: read.maxGap, maxRequestLength: read.maxRequestLength }); // Checks the limits.
  const shown = new ShownStore(store, read);
  return overridden(store as object, {
    get: shown.get.bind(shown),
    getRange: shown.getRange.bind(shown),
    has: "has" in store ? shown.has.bind(shown) : undefined,
    set: undefined,
    delete: undefined,
    clear: undefined, // A `Map` has it.
    byteLengthOf: undefined, // Of stored values.
  }) as StoreWithCodecs<S>;
}

/** A node of the hierarchy: an array that is shown, or anything else, whose keys are those of the store. */
type Node = ShownArray | undefined;

interface KnownNode {
  readonly source: string;
  /** Whether that is the `zarr.json` of the array, rather than a copy in a group's. */
  readonly isOwn: boolean;
  node: Awaitable<ShownArray>;
}

/** A chunk of an array that is shown. */
interface ShownChunk {
  readonly array: ShownArray;
  readonly coordinates: readonly number[];
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

class ShownStore {
  readonly #store: ArrayStore;
  readonly #options: WithCodecsOptions;
  /** By their paths, with a trailing slash; each with the text of its metadata. */
  readonly #nodes = new Map<string, KnownNode>();
  /** The nodes that are being looked for, and those that were not found. */
  readonly #finding = new Map<string, SharedRequest<Node>>();

  constructor(store: ArrayStore, options: WithCodecsOptions) {
    this.#store = store;
    this.#options = options;
  }

  async get(key: StoreKey, options?: object): Promise<Uint8Array | undefined> {
    if (isMetadata(key)) return this.#metadata(key, options);
    const found = this.#chunkOf(key, options);
    const chunk = isPromise(found) ? await found : found;
    if (chunk) return chunk.array.read(chunk.coordinates, options);
    return this.#store.get(key, options as never) as Uint8Array | undefined;
  }

  async getRange(key: StoreKey, range: RangeQuery, options?: object): Promise<Uint8Array | undefined> {
    const isShown = isMetadata(key) || (await this.#chunkOf(key, options)) !== undefined;
    if (!isShown && this.#store.getRange) {
      return this.#store.getRange(key, range, options as never) as Uint8Array | undefined;
    }
    const value = await this.get(key, options);
    return value && viewRange(value, range);
  }

  async has(key: StoreKey, options?: object): Promise<boolean> {
    const chunk = isMetadata(key) ? undefined : await this.#chunkOf(key, options);
    if (chunk) return chunk.array.has(chunk.coordinates, options);
    return (this.#store as unknown as { has(key: string, options?: object): boolean }).has(key, options);
  }

  /** Finds the chunk with a key that is shown; undefined for any other key. */
  #chunkOf(key: StoreKey, options: object | undefined): Awaitable<ShownChunk | undefined> {
    const chunk = readChunkKey(key);
    if (chunk === undefined) return undefined;
    const { path, coordinates } = chunk;
    return then(this.#nodes.get(path)?.node ?? this.#found(path, options), (array) =>
      array?.rank === coordinates.length ? { array, coordinates } : undefined,
    );
  }

  /** Finds the node at a path whose metadata was not read here, because it is in a cache. */
  #found(path: string, options: ReadOptions | undefined): Promise<Node> {
    const signal = options?.signal;
    signal?.throwIfAborted();
    const known = this.#finding.get(path);
    if (known) return known.wait(signal);
    // Not aborted, because others may wait for it.
    const finding = new SharedRequest(false, () => this.#find(path, { ...options, signal: undefined }));
    this.#finding.set(path, finding);
    finding.result.catch(() => this.#finding.delete(path));
    return finding.wait(signal);
  }

  async #find(path: string, options: object): Promise<Node> {
    await this.#metadata(`${path}${METADATA}` as StoreKey, options);
    // Its metadata may be only in the consolidated metadata of a group.
    for (const above of pathsAbove(path.slice(0, -1))) {
      const known = this.#nodes.get(path);
      if (known) return known.node;
      const text = (await this.#read(`${above}${METADATA}` as StoreKey, options)).text;
      for (const [name, source] of nodesIn(text)?.nodes ?? []) {
        if (pathIn(above, name) === path && isArray(parse(source))) return this.#array(path, source, false);
      }
    }
    return this.#nodes.get(path)?.node;
  }

  /** Reads a JSON document. Returns its text unless it is missing or not text, which the reader reports. */
  async #read(key: StoreKey, options: object | undefined): Promise<{ bytes?: Uint8Array; text?: string }> {
    const bytes = (await this.#store.get(key, options as never)) as Uint8Array | undefined;
    return bytes ? { bytes, text: decoder.decode(bytes) } : {};
  }

  /** Reads the metadata of a node as it is shown. */
  async #metadata(key: StoreKey, options: object | undefined): Promise<Uint8Array | undefined> {
    const { bytes, text } = await this.#read(key, options);
    if (text === undefined) return undefined;
    const shown = await this.#shown(pathOf(key), text, true);
    return shown === text ? bytes : encoder.encode(shown);
  }

  /**
   * Returns the text of metadata as it is shown.
   *
   * @param isOwn whether it is the `zarr.json` of the node, rather than a copy in a group's
   * @throws InvalidMetadataError
   */
  async #shown(path: string, text: string, isOwn: boolean): Promise<string> {
    if (isArray(parse(text))) return (await this.#array(path, text, isOwn)).text;
    const found = nodesIn(text);
    if (found === undefined) return text;
    const { members, consolidated, nodes } = found;
    consolidated.set("metadata", objectText(await this.#shownNodes(path, nodes)));
    members.set("consolidated_metadata", objectText(consolidated));
    return objectText(members);
  }

  /** Shows the nodes in consolidated metadata, but those that cannot be: opening one of them throws the error. */
  async #shownNodes(path: string, nodes: ReadonlyMap<string, string>): Promise<Map<string, string>> {
    const shown = new Map<string, string>();
    for (const [name, text] of nodes) {
      try {
        shown.set(name, await this.#shown(pathIn(path, name), text, false));
      } catch (error) {
        if (!(error instanceof InvalidMetadataError)) throw error;
      }
    }
    return shown;
  }

  /** Opens an array, again each time its `zarr.json` is read: a reader that opens the array again expects to see new chunks. */
  #array(path: string, source: string, isOwn: boolean): Awaitable<ShownArray> {
    const known = this.#nodes.get(path);
    if (!isOwn && known?.source === source) return known.node;
    const opening = this.#open(path, source);
    const entry: KnownNode = { source, isOwn, node: opening };
    if (known?.isOwn && !isOwn) return opening; // A copy may be out of date.
    this.#nodes.set(path, entry);
    opening.then(
      (node) => {
        entry.node = node;
      },
      () => {
        if (this.#nodes.get(path) === entry) this.#nodes.delete(path);
      },
    );
    return opening;
  }

  async #open(path: string, source: string): Promise<ShownArray> {
    const members = membersOf(source);
    const at = (path === "/" ? path : path.slice(0, -1)) as StoreKey;
    const { dataTypes = "zarrita", ...options } = this.#options;
    const load = async () => {
      const { init, showArray } = await import("../core.js");
      await init();
      return showArray(this.#store, at, members, options, dataTypes);
    };
    return plainArray(this.#store, at, members, load) ?? load();
  }
}

const isArray = (document: unknown): boolean => isObject(document) && document.node_type === "array";

/** Returns the path of a node in consolidated metadata, with a trailing slash. */
const pathIn = (group: string, name: string): string => `${group}${name.replace(/^\/+|\/+$/g, "")}/`;

/** Returns the nodes in the consolidated metadata of a group; undefined for any other text. */
function nodesIn(text: string | undefined) {
  const group = text && parse(text);
  if (!isObject(group) || !isObject(group.consolidated_metadata)) return undefined;
  if (!isObject(group.consolidated_metadata.metadata)) return undefined;
  const members = membersOf(text as string);
  const consolidated = membersOf(members.get("consolidated_metadata") as string);
  return { members, consolidated, nodes: membersOf(consolidated.get("metadata") as string) };
}
