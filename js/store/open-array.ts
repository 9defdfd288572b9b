/** Opens the arrays of a store. */

import { ArrayReader, OPENED } from "../array/array-reader.js";
import { keyIn, METADATA, type StoreKey, withoutSlash } from "../array/keys.js";
import { type ArrayLayout, arrayLayout, storedShapeAt } from "../array/layout.js";
import { isUnderstood } from "../array/partial-chain.js";
import { type ArrayStore, StoreReader } from "../array/store-reader.js";
import { StoredForms } from "../array/stored-form.js";
import { type LoadOptions, loadCodecChain } from "../chain/load.js";
import { describe, InvalidMetadataError, invalidArgument } from "../errors.js";
import { expectReadable } from "../expect.js";
import { fillComponents } from "../fill-value.js";
import type { Json } from "../json.js";
import type { ArrayMetadata } from "../metadata.js";
import { type Allowed, CHAIN_OPTIONS, type ChainOptions, readOptions } from "../options.js";
import { expectSignal } from "../shard/abort.js";
import { COALESCE_OPTIONS, type CoalesceOptions, RangeReader } from "../shard/range-reader.js";
import type { ReadOptions } from "../shard/ranges.js";
import { countOf } from "../stride.js";
import { init } from "../wasm/instance.js";
import { checkedNode, type NodeMetadata, parseNode } from "./node.js";

/** Options of {@link openArray}. */
export interface OpenArrayOptions
  extends ChainOptions,
    Pick<LoadOptions, "codecs">,
    CoalesceOptions,
    ReadOptions {
  /** The metadata of the array, if it has been read already, such as from the consolidated metadata of a group. */
  readonly metadata?: ArrayMetadata | Json | undefined;
}

const OPTIONS: Allowed<OpenArrayOptions> = {
  ...CHAIN_OPTIONS,
  ...COALESCE_OPTIONS,
  codecs: undefined,
  signal: undefined,
  metadata: undefined,
};

/**
 * Opens an array of a store.
 *
 * If nobody provides a codec of the array, or its data type is unknown, it is opened all the same: chunks can be located, checked
 * and read as far as codecs are known.
 *
 * @param store a store as zarrita takes it: an object with `get` and, to read shards in part, `getRange`; or a `Map` of bytes
 * @param path of the array in the store
 * @throws InvalidMetadataError, InvalidArgumentError, and what the store throws
 * @example
 * ```ts
 * import { createCodecChain, openArray } from "zarr-codecs";
 *
 * const codecs = ["bytes", "crc32c"];
 * const metadata = {
 *   zarr_format: 3,
 *   node_type: "array",
 *   shape: [3],
 *   data_type: "uint8",
 *   chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
 *   chunk_key_encoding: { name: "default" },
 *   fill_value: 9,
 *   codecs,
 * };
 * const chunk = createCodecChain({ dataType: "uint8", shape: [2], codecs }).encode(Uint8Array.of(1, 2));
 * const store = new Map([
 *   ["/temperature/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))],
 *   ["/temperature/c/0", chunk],
 * ]);
 *
 * const array = await openArray(store, "temperature");
 * array.gridShape; // => [2]
 * (await array.getChunk([0])).data; // => Uint8Array.of(1, 2)
 * (await array.getChunk([1])).data; // => Uint8Array.of(9, 9)
 * ```
 */
export async function openArray(
  store: ArrayStore,
  path = "",
  options?: OpenArrayOptions,
): Promise<ArrayReader> {
  const { signal, metadata, maxGap, maxRequestLength, ...chain } = readOptions(options, OPTIONS);
  expectSignal(signal);
  expectStore(store);
  if (typeof path !== "string") throw invalidArgument("path", "the path of an array", describe(path));
  const limits = { maxGap, maxRequestLength };
  new RangeReader(() => undefined, limits); // Checks the limits.
  const at: StoreKey = `/${path
    .split("/")
    .filter((name) => name !== "")
    .join("/")}`;
  const reader = new StoreReader(store);
  const node = metadata === undefined ? await readArray(reader, at, { signal }) : checkedArray(at, metadata);
  await init();
  const layout = arrayLayout(node);
  const { forms, layout: shared } = await formsOf(store, node, layout, chain);
  return new ArrayReader(OPENED, { store: reader, path: at, metadata: node, layout: shared, forms, limits });
}

function expectStore(store: unknown): void {
  const isStore = expectReadable("store", () => typeof (store as ArrayStore | undefined)?.get === "function");
  if (!isStore) throw invalidArgument("store", "a store with a method get", describe(store));
}

async function readArray(store: StoreReader, path: StoreKey, options: ReadOptions): Promise<NodeMetadata> {
  const key = keyIn(path, METADATA);
  const bytes = await store.get(key, options);
  if (bytes !== undefined) return checkedArray(path, parseNode(path, bytes).metadata);
  const isVersion2 = (await store.get(keyIn(path, ".zarray"), options)) !== undefined;
  const message = isVersion2
    ? `expected an array of Zarr v3, got one of Zarr v2: ${withoutSlash(keyIn(path, ".zarray"))} exists`
    : `${withoutSlash(key)} does not exist`;
  throw new InvalidMetadataError(message, { path: "" });
}

function checkedArray(path: StoreKey, metadata: unknown): NodeMetadata {
  const name = withoutSlash(keyIn(path, METADATA));
  const node = checkedNode(metadata, name);
  if (node.node_type === "array") return node;
  throw new InvalidMetadataError(`${name} is a group, not an array`, { path: "node_type" });
}

/** What arrays have in common that differ in nothing but their attributes and their lengths. */
interface Shared {
  readonly forms: StoredForms;
  readonly layout: ArrayLayout;
  readonly registry: LoadOptions["codecs"];
  readonly verify: LoadOptions["verify"];
}

/** Keeps numbers apart in JSON: those that it lacks, and -0. */
const distinctNumber = (_: string, value: unknown): unknown =>
  typeof value === "number" && (Object.is(value, -0) || !Number.isFinite(value))
    ? { number: Object.is(value, -0) ? "-0" : String(value) }
    : value;

/** The number of arrays of a store that differ, of which that is kept. */
const MOST_SHARED = 1024;

/** By the store, and by metadata and options: a store may have 100,000 arrays that are alike. */
const SHARED = new WeakMap<ArrayStore, Map<string, Shared>>();

/** Returns the forms of an array's stored values. Checks its metadata. @throws InvalidMetadataError */
async function formsOf(
  store: ArrayStore,
  metadata: NodeMetadata,
  layout: ArrayLayout,
  options: LoadOptions,
): Promise<Pick<Shared, "forms" | "layout">> {
  const { attributes: _, ...others } = metadata;
  const { codecs: registry, verify, ...plain } = options;
  const name = JSON.stringify([{ ...others, shape: layout.shape.length }, plain], distinctNumber);
  const known = SHARED.get(store) ?? new Map<string, Shared>();
  SHARED.set(store, known);
  const like = known.get(name);
  if (like && like.registry === registry && like.verify === verify) {
    const isSame = layout.shape.every((length, axis) => length === like.layout.shape[axis]);
    return { forms: like.forms, layout: isSame ? like.layout : { ...layout, codecs: like.layout.codecs } };
  }
  const forms = new StoredForms(layout, options);
  await expectChain(metadata as unknown as ArrayMetadata, layout, options);
  if (countOf(layout.grid) === 0) return { forms, layout };
  forms.of(firstShape(layout));
  if (known.size === MOST_SHARED) known.clear();
  known.set(name, { forms, layout, registry, verify });
  return { forms, layout };
}

const firstShape = (layout: ArrayLayout): number[] =>
  storedShapeAt(
    layout,
    layout.grid.map(() => 0),
  );

/** Checks the metadata of an array as a whole, if everything in it is known. @throws InvalidMetadataError */
async function expectChain(
  metadata: ArrayMetadata,
  layout: ArrayLayout,
  options: LoadOptions,
): Promise<void> {
  try {
    const chunkShape = layout.isRegular ? undefined : firstShape(layout);
    await loadCodecChain(metadata, { ...options, chunkShape });
    expectFillValue(layout);
  } catch (error) {
    if (!(error instanceof InvalidMetadataError) || isUnderstood(layout, options.codecs)) throw error;
  }
}

/** Checks the fill value, which chains read for shards only. @throws InvalidMetadataError */
function expectFillValue({ dataType, fillValue }: ArrayLayout): void {
  // Rust has memory for metadata of bounded size: neither for fill values of any length nor, below, for elements of any length.
  if (JSON.stringify(fillValue ?? null).length > LONGEST_FILL_VALUE) return;
  try {
    fillComponents(dataType, fillValue);
  } catch (error) {
    if (!(error instanceof InvalidMetadataError) || error.path !== "data_type") throw error;
  }
}

/** In characters of JSON. */
const LONGEST_FILL_VALUE = 1000;
