/** Finds the groups and arrays of a store. */

import { InvalidMetadataError } from "zarr-codecs";
import { isObject, type Json, unexpected } from "./metadata.js";
import { keyIn, type Store, type StoreKey } from "./store.js";

/** The parsed `zarr.json` of a group or an array, of which nothing else has been checked. */
export type NodeMetadata = Json & { readonly node_type: "array" | "group" };

/** A group or an array. */
export interface StoreNode {
  /** The path of the root is `/`. */
  readonly path: StoreKey;
  readonly metadata: NodeMetadata;
}

export interface HierarchyOptions {
  /** Lists the keys of the store, or returns `undefined` where the store cannot. */
  readonly listKeys?: () => Promise<Iterable<string> | undefined>;
}

/**
 * Finds the nodes of a store: in consolidated metadata, else among its keys, else among the levels that an OME-Zarr image
 * names.
 *
 * @returns the nodes, sorted by path, the root first
 * @throws InvalidMetadataError
 */
export async function readHierarchy(store: Store, { listKeys }: HierarchyOptions = {}): Promise<StoreNode[]> {
  const root = await readNode(store, "/");
  if (root === undefined) throw await missingRoot(store);
  if (root.metadata.node_type === "array") return [root];
  const children =
    consolidatedNodes(root.metadata) ??
    (await listedNodes(store, await listKeys?.())) ??
    (await imageLevels(store, root.metadata));
  if (children === undefined) {
    throw new InvalidMetadataError(
      "zarr.json: expected consolidated metadata, without which the arrays of this group cannot be listed here; " +
        "open one of its arrays instead",
      { path: "consolidated_metadata" },
    );
  }
  return [root, ...children.sort((a, b) => a.path.localeCompare(b.path, "en", { numeric: true }))];
}

/** Reads one node; `undefined` where there is none. */
async function readNode(store: Store, path: StoreKey): Promise<StoreNode | undefined> {
  const key = keyIn(path, "zarr.json");
  const bytes = await store.get(key);
  return bytes && { path, metadata: checked(parse(bytes, key.slice(1)), key.slice(1)) };
}

function parse(bytes: Uint8Array, key: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InvalidMetadataError(`${key} is not valid JSON: ${reason}`, { path: "" }, { cause });
  }
}

function checked(metadata: unknown, where: string): NodeMetadata {
  if (!isObject(metadata)) throw new InvalidMetadataError(`${where} is not a JSON object`, { path: "" });
  const { node_type: type } = metadata;
  if (type === "array" || type === "group") return { ...metadata, node_type: type };
  const { message, path } = unexpected("node_type", '"array" or "group"', type);
  throw new InvalidMetadataError(`${where}: ${message}`, { path });
}

async function missingRoot(store: Store): Promise<InvalidMetadataError> {
  for (const key of [".zgroup", ".zarray"] as const) {
    if ((await store.get(`/${key}`)) === undefined) continue;
    return new InvalidMetadataError(`expected a Zarr v3 store, got one of Zarr v2: it has ${key}`, {
      path: "",
    });
  }
  return new InvalidMetadataError("found no zarr.json: this is not the root of a Zarr v3 group or array", {
    path: "",
  });
}

function consolidatedNodes({ consolidated_metadata: consolidated }: Json): StoreNode[] | undefined {
  if (!isObject(consolidated) || !isObject(consolidated.metadata)) return undefined;
  return Object.entries(consolidated.metadata).map(([path, metadata]) => ({
    path: `/${path}`,
    metadata: checked(metadata, `zarr.json: consolidated_metadata.metadata["${path}"]`),
  }));
}

async function listedNodes(
  store: Store,
  keys: Iterable<string> | undefined,
): Promise<StoreNode[] | undefined> {
  if (keys === undefined) return undefined;
  const suffix = "/zarr.json";
  const paths = Array.from(keys, (key) => keyIn("/", key.replace(/^\//, "")))
    .filter((key) => key.endsWith(suffix) && key !== suffix)
    .map((key) => key.slice(0, -suffix.length) as StoreKey);
  return readNodes(store, paths);
}

async function imageLevels(store: Store, { attributes }: Json): Promise<StoreNode[] | undefined> {
  const ome = isObject(attributes) && isObject(attributes.ome) ? attributes.ome : {};
  const datasets = objectsIn(ome.multiscales).flatMap(({ datasets }) => objectsIn(datasets));
  const levels = await readNodes(
    store,
    datasets.map(({ path }) => keyIn("/", String(path))),
  );
  return levels.length > 0 ? levels : undefined;
}

const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

async function readNodes(store: Store, paths: readonly StoreKey[]): Promise<StoreNode[]> {
  const nodes = await Promise.all(paths.map((path) => readNode(store, path)));
  return nodes.filter((node) => node !== undefined);
}
