/**
 * Translates metadata to the form that zarrita reads, and back.
 *
 * A translated document carries the stored one (the member {@link ORIGINAL}), so that it can be translated back whatever its
 * source: a cache, another instance, or a copy with other attributes.
 */

import { invalidMetadata } from "../../errors.js";
import type { DataType, TypedArray } from "../../typed-array.js";
import { keyWithoutAxis, spelledOutEncoding } from "./chunk-keys.js";
import { asFloat32, expectPublicNames, isSharded, spelledOut, withAxis } from "./codecs.js";
import { mapNodes, showNodes } from "./consolidated.js";
import { filledChunk, isExpressible, readFillValue, shownFillValue } from "./fill-value.js";
import { isEqual, isObject, type Json, named, parse, stringify } from "./json.js";
import type { OnArray as OnArrayOf } from "./nodes.js";

/** An array with an axis added. */
export interface ExtendedArray {
  /** Returns the key of a chunk in the store for the one that zarrita requests, both without the array's path. */
  readonly keyOf: (key: string) => string;
  /** The fill value, where zarrita cannot express it. */
  readonly fill: InexpressibleFill | undefined;
}

/** A fill value that zarrita cannot express. */
interface InexpressibleFill {
  /** The error message for a missing chunk that zarrita has to fill. */
  readonly message: string;
  readonly path: string;
  /** Creates a chunk that is all fill value. */
  chunk(shape: readonly number[], shared: boolean): ReturnType<typeof filledChunk>;
}

/** Called with the translation of each array that has an added axis. */
type OnArray = OnArrayOf<ExtendedArray>;

/** The substitute for a data type that zarrita does not support. */
interface ShownAs {
  readonly dataType: "uint8" | "int64" | "float32" | "float64";
  /** The data type that the codecs store. */
  readonly storedAs: DataType;
  /** The length of the axis that is added last: the components or bytes of one element. */
  readonly axis?: number;
}

/** The member of a translated document that holds the stored one. Never written to a store. */
const ORIGINAL = "zarr-codecs.original";

const carrying = (original: Json) => ({
  [ORIGINAL]: { must_understand: false, metadata: stringify(original) },
});

/** The members of an array's metadata that are translated. */
const TRANSLATED = [
  "data_type",
  "shape",
  "chunk_grid",
  "chunk_key_encoding",
  "codecs",
  "fill_value",
  "dimension_names",
];

const pick = (object: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(object, name)).map((name) => [name, object[name]]));

/**
 * Translates the metadata of an array or a group to the form that zarrita reads. Returns the same object if nothing changes.
 *
 * @throws InvalidMetadataError
 */
export async function show(path: string, metadata: Json, onArray: OnArray): Promise<Json> {
  if (metadata.node_type !== "array") return showGroup(path, metadata, onArray);
  const { shown, array } = await showArray(metadata);
  onArray(path, array);
  return shown;
}

/** Translates consolidated metadata. Omits nodes that zarrita cannot open, so that opening one throws the error. */
async function showGroup(path: string, metadata: Json, onArray: OnArray): Promise<Json> {
  const { shown, omitted } = await showNodes(path, metadata, (path, node) => show(path, node, onArray));
  return Object.keys(omitted).length > 0 ? { ...shown, ...carrying(omitted) } : shown;
}

/** Translates the metadata of an array. */
async function showArray(metadata: Json): Promise<{ shown: Json; array?: ExtendedArray | undefined }> {
  const spelled: Json = {
    ...metadata,
    data_type: dataTypeName(metadata.data_type),
    chunk_key_encoding: spelledOutEncoding(metadata.chunk_key_encoding),
    codecs: spelledOut(metadata.codecs),
  };
  const shownAs = showAs(spelled.data_type as string);
  const { changes, array } = shownAs ? await extend(spelled, shownAs) : { changes: {} };
  const shown = { ...spelled, ...changes };
  if (TRANSLATED.every((name) => shown[name] === metadata[name])) return { shown: metadata };
  return { shown: { ...shown, ...carrying(pick(metadata, TRANSLATED)) }, array };
}

/** Reads the name of a data type. Of those with a configuration, only {@link TIMES} can be translated. */
function dataTypeName(dataType: unknown): string {
  if (typeof dataType === "string") return dataType;
  const { name, configuration } = isObject(dataType) ? dataType : ({} as Json);
  const isBare = configuration === undefined || isEqual(configuration, {});
  if (typeof name === "string" && (isBare || TIMES.includes(name))) return name;
  throw invalidMetadata(
    "data_type",
    `a data type without configuration, ${TIMES.join(" or ")}`,
    typeof name === "string" ? `${named(name)} with a configuration` : named(dataType),
  );
}

const TIMES = ["numpy.datetime64", "numpy.timedelta64"];

/** Returns the substitute for a data type; undefined for those that zarrita supports, and for unknown ones. */
function showAs(dataType: string): ShownAs | undefined {
  if (dataType === "complex64") return { dataType: "float32", storedAs: dataType, axis: 2 };
  if (dataType === "complex128") return { dataType: "float64", storedAs: dataType, axis: 2 };
  if (TIMES.includes(dataType)) return { dataType: "int64", storedAs: "int64" };
  if (dataType === "float16" && !("Float16Array" in globalThis)) {
    return { dataType: "float32", storedAs: dataType };
  }
  const bits = Number(/^r([1-9]\d*)$/.exec(dataType)?.[1]);
  return bits % 8 === 0 ? { dataType: "uint8", storedAs: `r${bits}`, axis: bits / 8 } : undefined;
}

/** Returns the changes to the metadata of an array whose data type is substituted. */
async function extend(
  metadata: Json,
  { dataType, storedAs, axis }: ShownAs,
): Promise<{ changes: Json; array?: ExtendedArray }> {
  const { codecs, fill_value } = metadata;
  const name = metadata.data_type as string;
  const expanded = axis === undefined ? {} : moreAxes(metadata, axis);
  const changed =
    axis !== undefined
      ? withAxis(codecs, name, (metadata.shape as unknown[]).length, axis)
      : name === "float16"
        ? asFloat32(codecs)
        : codecs;
  const components =
    fill_value === null || fill_value === undefined
      ? undefined // zarrita writes null for none. It fills with 0, except for 64-bit integers.
      : await readFillValue(name, storedAs, fill_value);
  const none = dataType === "int64" ? 0 : null;
  const changes = {
    ...expanded,
    data_type: dataType,
    codecs: changed,
    fill_value: components === undefined ? none : shownFillValue(components),
  };
  if (axis === undefined) return { changes };
  const canExpress = components === undefined || isExpressible(components);
  const fill = canExpress ? undefined : inexpressible(components, isSharded(codecs));
  return { changes, array: { keyOf: keyWithoutAxis(metadata), fill } };
}

/** Describes a fill value that zarrita cannot express. Throws in shards, whose missing inner chunks the store cannot see. */
function inexpressible(components: TypedArray, isInShards: boolean): InexpressibleFill {
  const where = isInShards ? "in an array with shards" : "to fill a missing chunk with zarrita before 0.7";
  const expected = `equal components without NaN payloads ${where}`;
  const error = invalidMetadata("fill_value", expected, `[${components.join(", ")}]`);
  if (isInShards) throw error;
  const { message, path } = error;
  return { message, path, chunk: (shape, shared) => filledChunk(components, shape, shared) };
}

/** Adds an axis of this length to the members that describe axes. */
function moreAxes({ shape, chunk_grid, dimension_names }: Json, length: number): Json {
  const grid = isObject(chunk_grid) ? chunk_grid : {};
  const configuration = isObject(grid.configuration) ? grid.configuration : {};
  const chunkShape = expectLengths(configuration.chunk_shape, "chunk_grid.configuration.chunk_shape");
  return {
    shape: [...expectLengths(shape, "shape"), length],
    chunk_grid: { ...grid, configuration: { ...configuration, chunk_shape: [...chunkShape, length] } },
    ...(Array.isArray(dimension_names) && { dimension_names: [...dimension_names, null] }),
  };
}

function expectLengths(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw invalidMetadata(path, "an array of integers", named(value));
}

/**
 * Translates metadata back to the stored form, also if it was changed since it was read. Returns the same object if it was
 * not translated.
 *
 * @throws InvalidMetadataError
 */
export async function restore(metadata: Json): Promise<Json> {
  const { [ORIGINAL]: carried, ...others } = metadata;
  const original = carried === undefined ? undefined : readOriginal(carried);
  if (metadata.node_type === "array") {
    if (original !== undefined) return restoreArray(others, original);
    expectPublicNames(metadata.codecs);
    return metadata;
  }
  const restored = await mapNodes(original ? others : metadata, (_, node) => restore(node));
  const consolidated = restored.consolidated_metadata;
  if (original === undefined || !isObject(consolidated)) return restored;
  const nodes = { ...original, ...(consolidated.metadata as Json) };
  return { ...restored, consolidated_metadata: { ...consolidated, metadata: nodes } };
}

function readOriginal(carried: unknown): Json {
  const text = isObject(carried) ? carried.metadata : undefined;
  const original = typeof text === "string" ? parse(text) : undefined;
  if (isObject(original)) return original;
  throw invalidMetadata(ORIGINAL, "the value that was read", named(carried));
}

/**
 * Translates the metadata of an array back. Of the translated members, only `shape` and `dimension_names` may have changed
 * (to resize an array or to name its axes), except for the added axis.
 */
async function restoreArray(written: Json, original: Json): Promise<Json> {
  const restored: Json = { ...written };
  for (const name of TRANSLATED) restored[name] = original[name]; // JSON omits undefined members.
  const { axis } = showAs(dataTypeName(original.data_type)) ?? {};
  const rank = Array.isArray(original.shape) ? original.shape.length : 0;
  for (const [name, added] of [["shape", axis] as const, ["dimension_names", null] as const]) {
    const axes = written[name];
    if (axis === undefined) restored[name] = axes;
    else if (Array.isArray(axes) && axes.length === rank + 1 && axes[rank] === added) {
      restored[name] = axes.slice(0, rank);
    }
  }
  expectPublicNames(restored.codecs);
  const { shown } = await showArray(restored);
  const changed = TRANSLATED.find((name) => !isEqual(shown[name], written[name]));
  if (changed === undefined) return restored;
  const expected = "the value that was read, because a change to it cannot be translated back";
  throw invalidMetadata(changed, expected, named(written[changed]));
}
