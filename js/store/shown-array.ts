/** An array as `withCodecs` shows it: plain little-endian bytes, one chunk for each of the smallest chunks. */

import type { ArrayReader } from "../array/array-reader.js";
import type { StoreKey } from "../array/keys.js";
import { unexpected } from "../array/read-metadata.js";
import type { ArrayStore } from "../array/store-reader.js";
import { isEqual, type Json } from "../json.js";
import type { CodecMetadata, NamedConfiguration } from "../metadata.js";
import { countOf } from "../stride.js";
import { fillOf, isExactInJson, isExpressedBy, repeated, textOf } from "./fill-value.js";
import { type JsonText, membersOf, objectText } from "./json-text.js";
import { type OpenArrayOptions, openArray } from "./open-array.js";
import { DEFAULT_KEYS, isInGrid, LITTLE, type ShownArray } from "./shown.js";
import { asBytes, nameOf, type ShownType, shownTypeOf } from "./shown-type.js";

/** Which data types are shown: those of zarrita, or those that are stored. */
export type DataTypes = "zarrita" | "stored";

/** The members of an array's metadata that need not be marked as not having to be understood. */
const MEMBERS = [
  "zarr_format",
  "node_type",
  "shape",
  "data_type",
  "chunk_grid",
  "chunk_key_encoding",
  "fill_value",
  "codecs",
  "attributes",
  "dimension_names",
  "storage_transformers",
  "consolidated_metadata",
];

/**
 * Shows an array.
 *
 * @param members of its `zarr.json`
 * @throws InvalidMetadataError
 */
export async function showArray(
  store: ArrayStore,
  path: StoreKey,
  members: JsonText,
  options: OpenArrayOptions,
  dataTypes: DataTypes,
): Promise<ShownArray> {
  const metadata = JSON.parse(objectText(members)) as Json;
  expectUnderstood(metadata);
  const reader = await openArray(store, path, { ...options, metadata });
  const remaining = await reader.remaining();
  const isWhole = remaining.length === 0;
  const type = isWhole ? shownTypeOf(reader.dataType) : undefined;
  const shown = dataTypes === "zarrita" ? type : undefined;
  const filled = isWhole && type ? filledChunk(reader, members, shown, type) : undefined;
  const rank = reader.shape.length;
  /** Returns the coordinates of a chunk that is in the grid: those that are shown, without the added axis. */
  const chunkAt = (shownAt: readonly number[]) => {
    const coordinates = shownAt.length > rank ? shownAt.slice(0, rank) : shownAt;
    return (shownAt[rank] ?? 0) === 0 && isInGrid(coordinates, reader.gridShape) ? coordinates : undefined;
  };
  return {
    text: shownText(members, reader, isWhole ? [LITTLE] : remaining, shown, dataTypes, filled?.text),
    rank: shown?.axis ? rank + 1 : rank,
    async read(coordinates, readOptions) {
      const chunk = chunkAt(coordinates);
      if (chunk === undefined) return undefined;
      const bytes = await reader.getBytes(chunk, readOptions);
      if (bytes === undefined) return filled?.chunk?.(chunk);
      return shown ? asBytes(shown.show(bytes)) : bytes;
    },
    async has(coordinates, readOptions) {
      const chunk = chunkAt(coordinates);
      if (chunk === undefined) return false;
      return filled?.chunk !== undefined || reader.has(chunk, readOptions);
    },
  };
}

/** @throws InvalidMetadataError (something that nobody here understands) */
function expectUnderstood(metadata: Json): void {
  const { storage_transformers: transformers = [] } = metadata;
  if (!isEqual(transformers, []))
    throw unexpected("storage_transformers", "none (not supported)", transformers);
  for (const [name, value] of Object.entries(metadata)) {
    if (MEMBERS.includes(name)) continue;
    if ((value as { must_understand?: unknown } | null)?.must_understand === false) continue;
    throw unexpected(name, 'a known member, or an object with "must_understand": false', value);
  }
}

/** Returns the source text of metadata with the members that differ. */
function shownText(
  members: JsonText,
  reader: ArrayReader,
  codecs: readonly CodecMetadata[],
  shown: ShownType | undefined,
  dataTypes: DataTypes,
  fillValue: string | undefined,
): string {
  const changed = new Map(members);
  const set = (name: string, value: unknown) => changed.set(name, JSON.stringify(value));
  const { chunkShape } = reader;
  if (chunkShape === undefined && dataTypes === "zarrita") {
    throw unexpected("chunk_grid.name", '"regular", which is all that zarrita reads', "rectilinear");
  }
  const axis = shown?.axis ? [shown.axis.length] : [];
  if (chunkShape) {
    set("chunk_grid", { name: "regular", configuration: { chunk_shape: [...chunkShape, ...axis] } });
  }
  set("chunk_key_encoding", DEFAULT_KEYS);
  set("codecs", codecs.map(spelledOut));
  if (fillValue !== undefined) changed.set("fill_value", fillValue);
  if (dataTypes === "stored") return objectText(changed);
  if (shown) set("data_type", shown.name);
  if (shown && nameOf(reader.dataType).startsWith("numpy.")) {
    // The unit, which the shown integers lack.
    const attributes = membersOf(members.get("attributes") ?? "{}");
    attributes.set("zarr-codecs.data_type", members.get("data_type") as string);
    changed.set("attributes", objectText(attributes));
  }
  if (shown?.axis) {
    set("shape", [...reader.shape, shown.axis.length]);
    const names = reader.metadata.dimension_names;
    if (Array.isArray(names)) set("dimension_names", [...names, unusedName(shown.axis.name, names)]);
  }
  return objectText(changed);
}

/** Returns a codec as an object, the only form that zarrita reads, and the codecs in its configuration as well. */
function spelledOut(codec: CodecMetadata): NamedConfiguration {
  if (typeof codec === "string") return { name: codec };
  const configuration = Object.entries(codec.configuration ?? {}).map(([name, value]) => [
    name,
    /codecs$/.test(name) && Array.isArray(value) ? value.map(spelledOut) : value,
  ]);
  return codec.configuration ? { ...codec, configuration: Object.fromEntries(configuration) } : codec;
}

/** Returns a name that is not among others. */
function unusedName(name: string, others: readonly unknown[]): string {
  let unused = name;
  for (let i = 2; others.includes(unused); i++) unused = `${name}_${i}`;
  return unused;
}

/** How a fill value is shown. */
interface Filled {
  /** Its source text; undefined if the metadata has none. */
  readonly text?: string | undefined;
  /** Makes a chunk that is not stored; undefined if readers fill it with the right elements themselves. */
  readonly chunk?: (coordinates: readonly number[]) => Uint8Array;
}

function filledChunk(
  reader: ArrayReader,
  members: JsonText,
  shown: ShownType | undefined,
  type: ShownType,
): Filled {
  const source = members.get("fill_value");
  if (source === undefined || source === "null") {
    // zarrita fills with 0 if the fill value is null, except for 64-bit integers.
    return { text: shown ? (isLong(shown) ? "0" : "null") : source };
  }
  const element = fillOf(reader.dataType, source);
  const components = type.show(element);
  const isKept = shown === undefined || (shown.name === reader.dataType && /^[-\dtf]/.test(source));
  const text = isKept ? source : textOf(components, type.name);
  if (shown ? isExpressedBy(text, components) : isExactInJson(text)) return { text };
  const filling = shown ? asBytes(components) : element;
  return { text, chunk: (coordinates) => repeated(filling, countOf(reader.shapeAt(coordinates))) };
}

const isLong = ({ name }: ShownType) => name === "int64" || name === "uint64";
