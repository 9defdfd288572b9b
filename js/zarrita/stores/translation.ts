/**
 * Metadata as zarrita is shown them, and back.
 *
 * Whatever is shown otherwise than it is stored carries what is stored (the member {@link ORIGINAL}), so that it can be
 * written back wherever it has been: through caches, by another instance, with other attributes.
 */

import { describe, InvalidMetadataError } from "../../errors.js";
import type { DataType, TypedArray } from "../../typed-array.js";
import { keyWithoutAxis, spelledOutEncoding } from "./chunk-keys.js";
import { asFloat32, expectPublicNames, isSharded, spelledOut, withAxis } from "./codecs.js";
import { filledChunk, isExpressible, readFillValue, shownFillValue } from "./fill-value.js";
import { invalid, isEqual, isObject, type Json, parse, stringify } from "./json.js";

/** An array with an axis added. */
export interface ExtendedArray {
  /** The key of a chunk in the store, from the one that zarrita asks for; both without the array's path. */
  readonly keyOf: (key: string) => string;
  /** The fill value, where zarrita cannot express it. */
  readonly fill: InexpressibleFill | undefined;
}

/** A fill value that zarrita cannot express. */
interface InexpressibleFill {
  /** What to say about a missing chunk that zarrita has to fill. */
  readonly message: string;
  readonly path: string;
  /** Makes a chunk of nothing but the fill value. */
  chunk(shape: readonly number[], shared: boolean): ReturnType<typeof filledChunk>;
}

/** Told of each array in a document: by its path with a slash at its end, and how its keys change, if they do. */
type OnArray = (path: string, array: ExtendedArray | undefined) => void;

/** How an array of a data type that zarrita does not know is shown to it. */
interface ShownAs {
  readonly dataType: "uint8" | "int64" | "float32" | "float64";
  /** The data type that the codecs store. */
  readonly storedAs: DataType;
  /** The length of the axis that is added last: the components or bytes of one element. */
  readonly axis?: number;
}

/** The member with which a document that is shown carries what is stored. Never written into a store. */
const ORIGINAL = "zarr-codecs.original";

const carrying = (original: Json) => ({
  [ORIGINAL]: { must_understand: false, metadata: stringify(original) },
});

/** The members of an array's metadata that may be shown otherwise. */
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
 * The metadata of an array or a group as zarrita is shown them: the same object where nothing has to change.
 *
 * @throws InvalidMetadataError
 */
export async function show(path: string, metadata: Json, onArray: OnArray): Promise<Json> {
  if (metadata.node_type !== "array") return showGroup(path, metadata, onArray);
  const { shown, array } = await showArray(metadata);
  onArray(path, array);
  return shown;
}

/** A group with its consolidated metadata. Nodes that cannot be shown are left out: opening one then says why. */
async function showGroup(path: string, metadata: Json, onArray: OnArray): Promise<Json> {
  const omitted: Json = {};
  const shown = await mapNodes(metadata, async (name, node) => {
    const relative = name.replace(/^\/+|\/+$/g, "");
    try {
      return await show(relative === "" ? path : `${path}${relative}/`, node, onArray);
    } catch (error) {
      if (!(error instanceof InvalidMetadataError)) throw error;
      omitted[name] = node;
      return undefined;
    }
  });
  return Object.keys(omitted).length > 0 ? { ...shown, ...carrying(omitted) } : shown;
}

/** A group with each node of its consolidated metadata changed, or left out; the same object where none is. */
async function mapNodes(
  metadata: Json,
  change: (name: string, node: Json) => Promise<Json | undefined>,
): Promise<Json> {
  const consolidated = metadata.consolidated_metadata;
  if (!isObject(consolidated) || !isObject(consolidated.metadata)) return metadata;
  const nodes = Object.entries(consolidated.metadata);
  const changed = await Promise.all(
    nodes.map(async ([name, node]) => [name, isObject(node) ? await change(name, node) : node] as const),
  );
  if (changed.every(([, node], i) => node === nodes[i]?.[1])) return metadata;
  const kept = Object.fromEntries(changed.filter(([, node]) => node !== undefined));
  return { ...metadata, consolidated_metadata: { ...consolidated, metadata: kept } };
}

/** The metadata of an array as zarrita is shown them, and how its keys change. */
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

/** The name of a data type that zarrita may know; it knows none with a configuration. */
function dataTypeName(dataType: unknown): string {
  if (typeof dataType === "string") return dataType;
  const { name, configuration } = isObject(dataType) ? dataType : ({} as Json);
  const isBare = configuration === undefined || isEqual(configuration, {});
  if (typeof name === "string" && (isBare || TIMES.includes(name))) return name;
  throw invalid(
    "data_type",
    `a data type without configuration, ${TIMES.join(" or ")}`,
    typeof name === "string" ? `${describe(name)} with a configuration` : describe(dataType),
  );
}

const TIMES = ["numpy.datetime64", "numpy.timedelta64"];

/** How zarrita is shown a data type; undefined for those that it knows, or that nobody does. */
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

/** What changes in the metadata of an array whose data type is shown as another. */
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
      ? undefined // zarrita writes null for none, and fills with 0, but for integers of 64 bits.
      : await readFillValue(name, storedAs, fill_value);
  const none = dataType === "int64" ? 0 : null;
  const changes = {
    ...expanded,
    data_type: dataType,
    codecs: changed,
    fill_value: components === undefined ? none : shownFillValue(components),
  };
  if (axis === undefined) return { changes };
  const isShown = components === undefined || isExpressible(components);
  const fill = isShown ? undefined : inexpressible(components, isSharded(codecs));
  return { changes, array: { keyOf: keyWithoutAxis(metadata), fill } };
}

/** A fill value that zarrita cannot express. In shards it cannot be told which inner chunks are missing. */
function inexpressible(components: TypedArray, isInShards: boolean): InexpressibleFill {
  const where = isInShards ? "in an array with shards" : "to fill a missing chunk with zarrita before 0.7";
  const expected = `equal components, and no payload in a NaN, ${where}`;
  const error = invalid("fill_value", expected, `[${components.join(", ")}]`);
  if (isInShards) throw error;
  const { message, path } = error;
  return { message, path, chunk: (shape, shared) => filledChunk(components, shape, shared) };
}

/** The members that name axes, with one axis more. */
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
  throw invalid(path, "an array of integers", value === undefined ? "nothing" : describe(value));
}

/**
 * The metadata to store for those that zarrita was shown, changed or not, or for others: the same object where nothing
 * has to change. Takes back what {@link show} did, so that nothing of it is ever stored.
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
  throw invalid(ORIGINAL, "what was read", describe(carried));
}

/**
 * The metadata of an array as it is stored. Of what is shown otherwise, the lengths and names of axes may have been
 * changed, the added axis aside: they are also what a program changes that resizes an array.
 */
async function restoreArray(written: Json, original: Json): Promise<Json> {
  const untouched = Object.entries(written).filter(([name]) => !TRANSLATED.includes(name));
  const restored: Json = { ...Object.fromEntries(untouched), ...original };
  const { axis } = showAs(dataTypeName(original.data_type)) ?? {};
  const axes: Json = { shape: axis, dimension_names: axis === undefined ? undefined : null };
  for (const [name, added] of Object.entries(axes)) {
    const lengths = written[name];
    if (added === undefined) restored[name] = lengths;
    else if (Array.isArray(lengths) && lengths.at(-1) === added) restored[name] = lengths.slice(0, -1);
  }
  const { shown } = await showArray(restored);
  const changed = TRANSLATED.find((name) => !isEqual(shown[name], written[name]));
  if (changed === undefined) return restored;
  const expected = "what was read, since a change of it cannot be translated back";
  throw invalid(changed, expected, `another value for ${describe(original.data_type)}`);
}
