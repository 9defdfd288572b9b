/**
 * A store through which zarrita opens arrays whose data type it does not know, as the nearest thing that it knows.
 *
 * What zarrita reads of an array is its metadata, so that is where the types are translated: once, when `zarr.json` is
 * read. An axis more in the array is a number more in the keys of its chunks, which is taken away again.
 */

import { describe, InvalidArgumentError, InvalidMetadataError } from "./errors.js";
import { cOrderStride } from "./pipeline.js";
import { constructorOf } from "./typed-array.js";

/** The name under which `register` has the codec `bytes` of `float16` that gives and takes `float32`. */
export const FLOAT16_AS_FLOAT32 = "zarr-codecs.float16_as_float32";

/** What a store has that zarrita can read. */
export interface ReadableStore {
  get(key: `/${string}`, options?: never): unknown;
}

/** A function with the parameters of another one and a promise of its result. */
type Async<F> = F extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never;

/** A store as {@link withExtendedTypes} gives it: the same, read and written asynchronously. */
export type ExtendedStore<S> = Omit<S, "get" | "getRange" | "set"> & {
  [method in keyof S & ("get" | "getRange")]: Async<S[method]>;
} & {
  [method in keyof S & "set"]: S[method] extends (...args: infer A) => unknown
    ? (...args: A) => Promise<void>
    : never;
};

/** Part of the metadata of an array or of a group. */
type Json = Record<string, unknown>;

/** An array of zarrita's, as far as it is used here. */
interface ZarritaArray {
  readonly path: string;
  readonly chunks: readonly number[];
  getChunk(coordinates: number[], options?: unknown, memory?: { useSharedArrayBuffer?: boolean }): unknown;
}

/** How an array of a data type that zarrita does not know is shown to it. */
interface ShownAs {
  readonly dataType: "uint8" | "float32" | "float64";
  /** The length of the axis that is added last: the components or bytes of one element. */
  readonly axis?: number;
}

/** An array that was translated. */
interface ExtendedArray {
  /** The key of a chunk in the store, from the one that zarrita asks for; both without the array's path. */
  readonly keyOf: (key: string) => string;
  readonly dataType: ShownAs["dataType"];
  /** The components of the fill value, where they differ: that zarrita can not express. */
  readonly fill: readonly number[] | undefined;
}

/** Thrown for a missing chunk that zarrita could not fill. */
class MissingChunkError extends InvalidMetadataError {}

/**
 * Wraps a store, so that arrays of more data types can be opened from it.
 *
 * | `data_type` | opens as |
 * | --- | --- |
 * | `complex64`, `complex128` | `float32`, `float64` with a last axis more, of length 2: real and imaginary component |
 * | `r8`, `r16`, `r24`, ... | `uint8` with a last axis more: the bytes of an element |
 * | `float16`, where the host has no `Float16Array` | `float32`; needs codecs registered by `register` |
 *
 * An axis that is added is in one chunk, and its dimension has the name `null` where the others have names. Codecs and
 * data types in short-hand, or with a name alone where zarrita expects the other, are spelt as it expects. Nothing
 * else changes: metadata without any of this are passed on byte for byte.
 *
 * A fill value whose components differ (`[1, 2]`) takes zarrita 0.7 and an array without shards; otherwise opening the
 * array or reading a missing chunk throws an InvalidMetadataError.
 *
 * Of several extensions this is the innermost: caches and consolidated metadata go around it.
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
    throw new InvalidArgumentError("store", "a store with a method get", describe(store));
  }
  return new Extension(store as unknown as AnyStore).proxy as unknown as ExtendedStore<S>;
}

/** A store whose methods are called with what they are given. */
interface AnyStore {
  get(key: string, ...rest: unknown[]): unknown;
  getRange?(key: string, ...rest: unknown[]): unknown;
  set?(key: string, ...rest: unknown[]): unknown;
  readonly arrayExtensions?: readonly unknown[];
}

class Extension {
  readonly proxy: AnyStore;
  readonly #store: AnyStore;
  /** The arrays that were translated, by path with a slash at its end. */
  readonly #arrays = new Map<string, ExtendedArray>();

  constructor(store: AnyStore) {
    this.#store = store;
    const overrides: Record<PropertyKey, unknown> = {
      get: (key: string, ...rest: unknown[]) => this.#get(key, rest),
      arrayExtensions: [...(store.arrayExtensions ?? []), (array: ZarritaArray) => this.#extend(array)],
    };
    for (const name of ["getRange", "set"] as const) {
      if (store[name] === undefined) continue;
      overrides[name] = async (key: string, ...rest: unknown[]) =>
        store[name]?.(this.#locate(key).key, ...rest);
    }
    this.proxy = overridden(store, overrides);
  }

  async #get(asked: string, rest: unknown[]): Promise<unknown> {
    const { key, array } = this.#locate(asked);
    const bytes = await this.#store.get(key, ...rest);
    if (bytes instanceof Uint8Array) return isMetadata(asked) ? this.#translate(asked, bytes) : bytes;
    if (array?.fill && !isMetadata(asked)) {
      const expected = "equal components, or zarrita 0.7 or later to fill missing chunks";
      throw new MissingChunkError(`fill_value: expected ${expected}, got [${array.fill.join(", ")}]`, {
        path: "fill_value",
      });
    }
    return bytes;
  }

  /** The key in the store, and the array it is of if that was translated. */
  #locate(key: string): { key: string; array?: ExtendedArray } {
    for (const [path, array] of this.#arrays) {
      if (!key.startsWith(path) || isMetadata(key)) continue;
      return { key: path + array.keyOf(key.slice(path.length)), array };
    }
    return { key };
  }

  /** The contents of a `zarr.json` as zarrita gets to see them. */
  #translate(key: string, bytes: Uint8Array): Uint8Array {
    const path = key.slice(0, -"zarr.json".length);
    let document: unknown;
    try {
      document = JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      return bytes; // zarrita says what is wrong with it.
    }
    const translated = isObject(document) ? this.#node(path, document) : document;
    return translated === document ? bytes : new TextEncoder().encode(JSON.stringify(translated));
  }

  /** The metadata of an array or a group: as they are, where nothing has to change. */
  #node(path: string, metadata: Json): Json {
    if (metadata.node_type === "array") {
      const { shown, array } = translateArray(metadata);
      if (array) this.#arrays.set(path, array);
      else this.#arrays.delete(path);
      return shown;
    }
    const consolidated = metadata.consolidated_metadata;
    if (!isObject(consolidated) || !isObject(consolidated.metadata)) return metadata;
    const nodes = consolidated.metadata;
    let isSame = true;
    const translated = Object.entries(nodes).map(([name, node]) => {
      const shown = isObject(node) ? this.#node(`${path}${name}/`, node) : node;
      isSame &&= shown === node;
      return [name, shown];
    });
    if (isSame) return metadata;
    return {
      ...metadata,
      consolidated_metadata: { ...consolidated, metadata: Object.fromEntries(translated) },
    };
  }

  /** An array with its missing chunks filled, where zarrita can not do it. zarrita 0.7 calls this. */
  #extend(array: ZarritaArray): ZarritaArray {
    const path = array.path.endsWith("/") ? array.path : `${array.path}/`;
    const extended = this.#arrays.get(path);
    if (extended?.fill === undefined) return array;
    const getChunk: ZarritaArray["getChunk"] = async (coordinates, options, memory) => {
      try {
        return await array.getChunk(coordinates, options, memory);
      } catch (error) {
        if (!(error instanceof MissingChunkError)) throw error;
        return filledChunk(extended, array.chunks, memory?.useSharedArrayBuffer === true);
      }
    };
    return overridden(array, { getChunk });
  }
}

const isMetadata = (key: string) => key.endsWith("/zarr.json");

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object with other members in front of its own; methods are called on the object itself. */
function overridden<T extends object>(object: T, overrides: Record<PropertyKey, unknown>): T {
  return new Proxy(object, {
    get(target, name) {
      if (Object.hasOwn(overrides, name)) return overrides[name];
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
    has: (target, name) => Object.hasOwn(overrides, name) || Reflect.has(target, name),
  });
}

/** The metadata of an array as zarrita gets to see them, and what to remember of it. */
function translateArray(metadata: Json): { shown: Json; array?: ExtendedArray } {
  const dataType = nameAlone(metadata.data_type);
  const shownAs = showAs(dataType);
  const codecs = spelledOut(metadata.codecs);
  if (shownAs === undefined || !isRegular(metadata)) {
    const isSame = dataType === metadata.data_type && codecs === metadata.codecs;
    return { shown: isSame ? metadata : { ...metadata, data_type: dataType, codecs } };
  }
  const components = fillComponents(metadata.fill_value, shownAs);
  const fill = components?.every((value) => Object.is(value, components[0])) ? undefined : components;
  if (fill && isSharded(codecs)) {
    throw new InvalidMetadataError(
      `fill_value: expected equal components for an array with shards, got [${fill.join(", ")}]`,
      { path: "fill_value" },
    );
  }
  const shown = {
    ...metadata,
    data_type: shownAs.dataType,
    codecs: shownAs.axis ? withAxis(codecs, shownAs.axis) : asFloat32(codecs),
    fill_value: jsonNumber(components?.[0]),
    ...(shownAs.axis && moreAxes(metadata, shownAs.axis)),
  };
  const keyOf = shownAs.axis ? keyWithoutAxis(metadata) : (key: string) => key;
  return { shown, array: { keyOf, dataType: shownAs.dataType, fill } };
}

/** How zarrita is shown a data type; undefined for those that it knows, or that nobody does. */
function showAs(dataType: unknown): ShownAs | undefined {
  if (dataType === "complex64") return { dataType: "float32", axis: 2 };
  if (dataType === "complex128") return { dataType: "float64", axis: 2 };
  if (dataType === "float16" && !("Float16Array" in globalThis)) return { dataType: "float32" };
  const bits = typeof dataType === "string" ? Number(/^r([1-9]\d*)$/.exec(dataType)?.[1]) : Number.NaN;
  return bits % 8 === 0 ? { dataType: "uint8", axis: bits / 8 } : undefined;
}

/** The name of an extension that is an object without configuration; anything else as it is. */
function nameAlone(extension: unknown): unknown {
  if (!isObject(extension)) return extension;
  const { name, configuration } = extension;
  const isBare =
    configuration === undefined || (isObject(configuration) && Object.keys(configuration).length === 0);
  return isBare ? name : extension;
}

/** Codecs as objects, those of shards too; the list itself where they are that already. */
function spelledOut(codecs: unknown): unknown {
  return mapCodecs(codecs, (codec) => {
    if (typeof codec === "string") return { name: codec };
    return mapShard(codec, spelledOut, spelledOut);
  });
}

/** Codecs for one axis more, which they leave last. */
function withAxis(codecs: unknown, length: number): unknown {
  return mapCodecs(codecs, (codec) => {
    if (!isObject(codec) || !isObject(codec.configuration)) return codec;
    const { configuration } = codec;
    if (codec.name === "transpose" && Array.isArray(configuration.order)) {
      const { order } = configuration;
      return { ...codec, configuration: { ...configuration, order: [...order, order.length] } };
    }
    const inner = mapShard(codec, (codecs) => withAxis(codecs, length));
    if (inner === codec && codec.name !== "sharding_indexed") return codec;
    const chunkShape = [...(configuration.chunk_shape as number[]), length];
    return {
      ...codec,
      configuration: { ...(inner as { configuration: Json }).configuration, chunk_shape: chunkShape },
    };
  });
}

/** Codecs that decode `float16` to `float32`. */
function asFloat32(codecs: unknown): unknown {
  return mapCodecs(codecs, (codec) => {
    if (!isObject(codec)) return codec;
    if (codec.name === "bytes" || codec.name === "endian") return { ...codec, name: FLOAT16_AS_FLOAT32 };
    return mapShard(codec, asFloat32);
  });
}

/** A shard's codec with its lists of codecs changed; another codec as it is. */
function mapShard(
  codec: unknown,
  ofChunks: (codecs: unknown) => unknown,
  ofIndex: (codecs: unknown) => unknown = (codecs) => codecs,
): unknown {
  if (!isSharding(codec)) return codec;
  const { codecs, index_codecs } = codec.configuration;
  const changed = { codecs: ofChunks(codecs), index_codecs: ofIndex(index_codecs) };
  if (changed.codecs === codecs && changed.index_codecs === index_codecs) return codec;
  return { ...codec, configuration: { ...codec.configuration, ...changed } };
}

/** A list of codecs with each changed; the list itself where none is, or where it is no list. */
function mapCodecs(codecs: unknown, change: (codec: unknown) => unknown): unknown {
  if (!Array.isArray(codecs)) return codecs;
  const changed = codecs.map(change);
  return changed.every((codec, i) => codec === codecs[i]) ? codecs : changed;
}

function isSharding(codec: unknown): codec is { name: string; configuration: Json } {
  return isObject(codec) && codec.name === "sharding_indexed" && isObject(codec.configuration);
}

const isSharded = (codecs: unknown) => Array.isArray(codecs) && codecs.some(isSharding);

function isRegular({ chunk_grid: grid, shape }: Json): boolean {
  return (
    isObject(grid) &&
    isObject(grid.configuration) &&
    [shape, grid.configuration.chunk_shape].every(Array.isArray)
  );
}

/** The members that name axes, with one axis more. */
function moreAxes({ shape, chunk_grid: grid, dimension_names: names }: Json, length: number): Json {
  const { configuration, ...others } = grid as { configuration: { chunk_shape: number[] } };
  const chunk_shape = [...configuration.chunk_shape, length];
  return {
    shape: [...(shape as number[]), length],
    chunk_grid: { ...others, configuration: { ...configuration, chunk_shape } },
    ...(Array.isArray(names) && { dimension_names: [...names, null] }),
  };
}

/** What takes the added axis from the key of a chunk. */
function keyWithoutAxis({ chunk_key_encoding: encoding, shape }: Json): (key: string) => string {
  const { name, configuration } = isObject(encoding)
    ? encoding
    : { name: encoding, configuration: undefined };
  const isV2 = name === "v2";
  // In the encoding of Zarr v2, 0-d arrays have the key of 1-d ones.
  if (isV2 && (shape as number[]).length === 0) return (key) => key;
  const separator = isObject(configuration) ? configuration.separator : undefined;
  const end = `${separator ?? (isV2 ? "." : "/")}0`;
  return (key) => (key.endsWith(end) ? key.slice(0, -end.length) : key);
}

/** The components of a fill value; undefined where there is none. */
function fillComponents(fill: unknown, { dataType, axis }: ShownAs): number[] | undefined {
  if (fill === undefined || fill === null) return undefined;
  const components = axis === undefined ? [fill] : typeof fill === "string" ? base64Bytes(fill) : fill;
  const numbers = Array.isArray(components)
    ? components.map((value) => componentValue(value, dataType, axis))
    : [];
  if (numbers.length === (axis ?? 1) && !numbers.includes(undefined)) return numbers as number[];
  const expected = axis === undefined ? "a number" : `an array of ${axis} components`;
  throw new InvalidMetadataError(`fill_value: expected ${expected}, got ${describe(fill)}`, {
    path: "fill_value",
  });
}

/** The bytes of raw bits in base64, as tensorstore writes them. */
function base64Bytes(text: string): number[] | undefined {
  try {
    return Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

const SPECIAL: Record<string, number> = { NaN: Number.NaN, Infinity: Infinity, "-Infinity": -Infinity };

/** A component of a fill value: a number, the name of one that JSON lacks, or its bits in hexadecimal. */
function componentValue(
  value: unknown,
  dataType: ShownAs["dataType"],
  axis: number | undefined,
): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || dataType === "uint8") return undefined;
  if (Object.hasOwn(SPECIAL, value)) return SPECIAL[value];
  const size = axis === undefined ? 2 : dataType === "float32" ? 4 : 8;
  if (!/^0x[\da-f]+$/i.test(value) || value.length !== 2 + 2 * size) return undefined;
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(value) << BigInt(64 - 8 * size));
  return size === 8 ? view.getFloat64(0) : size === 4 ? view.getFloat32(0) : halfValue(view.getUint16(0));
}

/** The value of a binary16, from its bits. */
function halfValue(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity;
  return sign * (exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24);
}

/** A number as Zarr metadata write it. */
function jsonNumber(value: number | undefined): unknown {
  if (value === undefined) return null;
  return Number.isFinite(value) ? value : String(value);
}

const ARRAYS = { uint8: "Uint8Array", float32: "Float32Array", float64: "Float64Array" } as const;

/** A chunk of nothing but the fill value. */
function filledChunk({ dataType, fill = [] }: ExtendedArray, shape: readonly number[], shared: boolean) {
  const ArrayType = constructorOf(ARRAYS[dataType]);
  const length = shape.reduce((product, n) => product * n, 1);
  const byteLength = length * ArrayType.BYTES_PER_ELEMENT;
  const data = new ArrayType(shared ? new SharedArrayBuffer(byteLength) : new ArrayBuffer(byteLength));
  for (let i = 0; i < length; i += fill.length) (data as Float64Array).set(fill, i);
  return { data, shape: [...shape], stride: cOrderStride(shape) };
}
