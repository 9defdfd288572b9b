/**
 * Translates metadata to the form that zarrita reads, and back.
 *
 * A translated document carries the stored one (the member {@link ORIGINAL}), so that it can be translated back whatever its
 * source: a cache, another instance, or a copy with other attributes.
 */

import { describeList, type InvalidMetadataError, invalidMetadata } from "../../errors.js";
import { OTHER_TYPES } from "../../generated/facts.js";
import {
  asObject,
  expectLengths,
  isEqual,
  isObject,
  type Json,
  named,
  parse,
  stringify,
} from "../../json.js";
import { mapNodes } from "../../store/consolidated.js";
import type { TypedArray } from "../../typed-array.js";
import { keyWithoutAxis, spelledOutEncoding } from "./chunk-keys.js";
import { expectPublicNames, isSharded, shownCodecs, spelledOut } from "./codecs.js";
import { isExpressible, readFillValue, shownFillValue } from "./fill-value.js";

/** An array with an axis added. */
export interface ExtendedArray {
  /** Returns the key of a chunk in the store for the one that zarrita requests, both without the array's path. */
  readonly keyOf: (key: string) => string;
  /** The fill value, where zarrita cannot express it. */
  readonly fill: InexpressibleFill | undefined;
}

/** A fill value that zarrita cannot express. */
interface InexpressibleFill {
  /** About a missing chunk that zarrita has to fill. */
  readonly error: InvalidMetadataError;
  /** The components of one element. */
  readonly components: TypedArray;
}

/** A data type that zarrita does not support, and its configuration, if it has one. */
interface OtherType {
  readonly name: string;
  /** See {@link OTHER_TYPES}. */
  readonly flags: string;
  readonly dataType: string | { name: string };
}

/** The attribute that holds the data type of an array of times, whose unit the shown integers lack. */
const DATA_TYPE = "zarr-codecs.data_type";

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
  Object.fromEntries(names.map((name) => [name, object[name]])); // JSON omits undefined members.

/** Translates the metadata of a group: adds the nodes that `shown` lacks in their stored form. */
export const showGroup = (_: Json, shown: Json, omitted: Json): Json =>
  Object.keys(omitted).length > 0 ? { ...shown, ...carrying(omitted) } : shown;

/**
 * Translates the metadata of an array to the form that zarrita reads. Returns the same object if nothing changes.
 *
 * @throws InvalidMetadataError
 */
export async function showArray(metadata: Json): Promise<{ shown: Json; array?: ExtendedArray | undefined }> {
  const other = otherType(metadata.data_type);
  const spelled: Json = {
    ...metadata,
    data_type: other,
    chunk_key_encoding: spelledOutEncoding(metadata.chunk_key_encoding),
    codecs: spelledOut(metadata.codecs),
  };
  const extended = typeof other === "string" ? undefined : await extend(spelled, other);
  const shown: Json = { ...spelled, ...extended?.changes };
  if (TRANSLATED.every((name) => shown[name] === metadata[name])) return { shown: metadata };
  return { shown: { ...shown, ...carrying(pick(metadata, TRANSLATED)) }, array: extended?.array };
}

/** Reads a data type: the name of one that zarrita supports or that is unknown, or another one. */
function otherType(dataType: unknown): string | OtherType {
  const isName = typeof dataType === "string";
  const { name, configuration } = isName ? ({ name: dataType } as Json) : asObject(dataType);
  const flags = typeof name === "string" ? flagsOf(name) : undefined;
  const isBare = configuration === undefined || isEqual(configuration, {});
  if (typeof name === "string" && (isBare || flags?.includes("p"))) {
    return flags === undefined ? name : { name, flags, dataType: dataType as OtherType["dataType"] };
  }
  const configured = Object.keys(OTHER_TYPES).filter((name) => flagsOf(name)?.includes("p"));
  throw invalidMetadata(
    "data_type",
    `a data type without configuration or one of ${configured.join(", ")}`,
    typeof name === "string" ? `${named(name)} with a configuration` : named(dataType),
  );
}

/** Returns the flags of a data type that zarrita does not support, see {@link OTHER_TYPES}. */
function flagsOf(name: string): string | undefined {
  if (name === "float16" && "Float16Array" in globalThis) return undefined;
  if (/^r[1-9]\d*$/.test(name) && Number(name.slice(1)) % 8 === 0) return "a";
  return Object.hasOwn(OTHER_TYPES, name) ? OTHER_TYPES[name] : undefined;
}

/** Returns the changes to the metadata of an array whose data type is substituted. */
async function extend(
  metadata: Json,
  { name, flags, dataType }: OtherType,
): Promise<{ changes: Json; array?: ExtendedArray }> {
  const { codecs, fill_value, shape } = metadata;
  const hasAxis = flags.includes("a");
  const components = await readFillValue(dataType, fill_value);
  const axis = hasAxis ? components.length : undefined;
  const expanded = axis === undefined ? {} : moreAxes(metadata, axis);
  const conversion = flags.includes("c")
    ? { data_type: flags.includes("p") ? dataType : name, has_axis: hasAxis }
    : undefined;
  const isChanged = axis !== undefined || conversion !== undefined;
  const rank = Array.isArray(shape) ? shape.length : 0;
  // zarrita's name for the data type that it creates such an array for.
  const shownType = components.constructor.name.replace(/^Big|Array$/g, "").toLowerCase();
  // zarrita writes null for none. It fills with 0, except for 64-bit integers.
  const hasFill = fill_value !== null && fill_value !== undefined;
  const none = shownType === "int64" ? 0 : null;
  const changes: Json = {
    ...expanded,
    data_type: shownType,
    codecs: isChanged ? shownCodecs(codecs, { name, rank, axis, conversion }) : codecs,
    fill_value: hasFill ? shownFillValue(components) : none,
    ...(flags === "p" && { attributes: { ...(metadata.attributes as object), [DATA_TYPE]: dataType } }),
  };
  if (axis === undefined) return { changes };
  const canExpress = !hasFill || isExpressible(components);
  const fill = canExpress ? undefined : inexpressible(components, isSharded(codecs));
  return { changes, array: { keyOf: keyWithoutAxis(metadata), fill } };
}

/** Describes a fill value that zarrita cannot express. Throws in shards, whose missing inner chunks the store cannot see. */
function inexpressible(components: TypedArray, isInShards: boolean): InexpressibleFill {
  const where = isInShards ? "in an array with shards" : "to fill a missing chunk with zarrita before 0.7";
  const expected = `equal components without NaN payloads ${where}`;
  const error = invalidMetadata("fill_value", expected, describeList([...components]));
  if (isInShards) throw error;
  return { error, components };
}

/** Adds an axis of this length to the members that describe axes. */
function moreAxes({ shape, chunk_grid, dimension_names }: Json, length: number): Json {
  const grid = asObject(chunk_grid);
  const configuration = asObject(grid.configuration);
  const chunkShape = expectLengths(configuration.chunk_shape, "chunk_grid.configuration.chunk_shape");
  return {
    shape: [...expectLengths(shape, "shape"), length],
    chunk_grid: { ...grid, configuration: { ...configuration, chunk_shape: [...chunkShape, length] } },
    ...(Array.isArray(dimension_names) && { dimension_names: [...dimension_names, null] }),
  };
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
  const original = isObject(carried) ? parse(carried.metadata as string) : undefined;
  if (isObject(original)) return original;
  throw invalidMetadata(ORIGINAL, "the value that was read", named(carried));
}

/**
 * Translates the metadata of an array back. Of the translated members, only `shape` and `dimension_names` may have changed
 * (to resize an array or to name its axes), except for the added axis.
 */
async function restoreArray(written: Json, original: Json): Promise<Json> {
  const restored: Json = { ...written, ...pick(original, TRANSLATED) };
  const { [DATA_TYPE]: _, ...attributes } = asObject(written.attributes);
  if (isObject(written.attributes)) restored.attributes = attributes;
  const { shown: before } = await showArray({ ...restored, shape: original.shape });
  const rank = Array.isArray(original.shape) ? original.shape.length : 0;
  const axis = Array.isArray(before.shape) ? before.shape[rank] : undefined;
  for (const name of ["shape", "dimension_names"]) {
    const axes = written[name];
    if (axis === undefined) restored[name] = axes;
    else if (Array.isArray(axes) && axes.length === rank + 1) restored[name] = axes.slice(0, rank);
  }
  expectPublicNames(restored.codecs);
  const { shown } = await showArray(restored);
  const changed = TRANSLATED.find((name) => !isEqual(shown[name], written[name]));
  if (changed === undefined) return restored;
  const expected = "the value that was read, because a change to it cannot be translated back";
  throw invalidMetadata(changed, expected, named(written[changed]));
}
