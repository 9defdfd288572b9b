/** Arrays whose chunks need no decoding: little-endian numbers without other codecs. They are shown without loading Rust. */

import { keyIn, type StoreKey } from "../array/keys.js";
import { arrayLayout, storedShapeAt } from "../array/layout.js";
import { type ArrayStore, StoreReader } from "../array/store-reader.js";
import { then } from "../awaitable.js";
import { VIEWS } from "../generated/facts.js";
import { isEqual, type Json } from "../json.js";
import { countOf } from "../stride.js";
import { constructorOf, type TypedArray } from "../typed-array.js";
import { type JsonText, objectText } from "./json-text.js";
import { DEFAULT_KEYS, isInGrid, LITTLE, type ShownArray } from "./shown.js";

/** The members of the metadata of these arrays. */
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
];

/**
 * Shows an array if its metadata is of the simplest kind and certainly valid. Returns undefined for any other.
 *
 * @param load shows the array by the code for all others, which knows what is wrong with a chunk
 * @throws InvalidMetadataError
 */
export function plainArray(
  store: ArrayStore,
  path: StoreKey,
  members: JsonText,
  load: () => Promise<ShownArray>,
): ShownArray | undefined {
  const metadata: Json = JSON.parse(objectText(members));
  const name = metadata.data_type as string;
  const array = Object.hasOwn(VIEWS, name) ? VIEWS[name] : undefined;
  if (array === undefined || !isPlain(metadata, constructorOf(array).BYTES_PER_ELEMENT)) return undefined;
  const layout = arrayLayout(metadata);
  const zero = new (constructorOf(array))(1);
  if (!layout.isRegular || !isPlainFill(metadata.fill_value, zero)) return undefined;
  const { grid } = layout;
  const chunkShape = storedShapeAt(
    layout,
    grid.map(() => 0),
  );
  const byteLength = countOf(chunkShape) * zero.byteLength;
  const reader = new StoreReader(store);
  const read = (coordinates: readonly number[], options: object | undefined) =>
    then(reader.get(keyIn(path, layout.keys.encode(coordinates)), options), (bytes) => reader.kept(bytes));
  const changes = { chunk_key_encoding: DEFAULT_KEYS, codecs: [LITTLE] };
  const texts = Object.entries(changes).map(([name, value]) => [name, JSON.stringify(value)] as const);
  return {
    text: objectText(new Map([...members, ...texts])),
    rank: layout.shape.length,
    async read(coordinates, options) {
      if (!isInGrid(coordinates, grid)) return undefined;
      const bytes = await read(coordinates, options);
      if (bytes === undefined) return undefined;
      if (bytes.byteLength !== byteLength) return (await load()).read(coordinates, options);
      return bytes.byteOffset % zero.byteLength === 0 ? bytes : new Uint8Array(bytes);
    },
    async has(coordinates, options) {
      return isInGrid(coordinates, grid) && (await load()).has(coordinates, options);
    },
  };
}

/** Returns whether metadata has only well-known members, and chunks are nothing but little-endian elements. */
function isPlain(metadata: Json, itemSize: number): boolean {
  const { codecs, storage_transformers: transformers = [] } = metadata;
  return (
    metadata.zarr_format === 3 &&
    Object.keys(metadata).every((name) => MEMBERS.includes(name)) &&
    isEqual(transformers, []) &&
    (isEqual(codecs, [LITTLE]) || (itemSize === 1 && isEqual(codecs, [{ name: "bytes" }])))
  );
}

/** Returns whether a fill value is a number that any reader fills with. @param element of the data type */
function isPlainFill(fillValue: unknown, element: TypedArray): boolean {
  if (typeof fillValue !== "number" || Object.is(fillValue, -0)) return false;
  if (element instanceof Float32Array || element instanceof Float64Array) {
    return Number.isFinite(element.fill(fillValue)[0]);
  }
  if (!Number.isSafeInteger(fillValue)) return false;
  const filled = element as Int8Array;
  return (
    Number(filled.fill((typeof filled[0] === "bigint" ? BigInt(fillValue) : fillValue) as number)[0]) ===
    fillValue
  );
}
