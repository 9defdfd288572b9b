// The groups and arrays of a store, those that cannot be used included.

import { chunkLayout } from "zarr-codecs/verify";
import { declaredNames, UnlistedGroupError } from "./unlisted.js";

/**
 * @typedef {Record<string, any>} Json
 * @typedef {import("zarr-codecs/verify").StoreKey} StoreKey
 * @typedef {import("zarr-codecs/verify").StoreNode} StoreNode
 * @typedef {import("./stores.js").OpenedStore} OpenedStore
 */

/**
 * A group or an array; its `problem` is why it cannot be used. What is in a closed group has not been read. `chunkShape` is
 * that of inner chunks, where there are shards.
 *
 * @typedef {StoreNode & { problem?: string, isClosed?: boolean, chunkShape?: readonly number[] }} Node
 */

/** How many series of a file are looked for, where nothing says how many there are. */
const MOST_SERIES = 100;

/**
 * Reads the nodes of a store.
 *
 * @param {OpenedStore} store
 * @param {(count: number) => void} onProgress is called with the number of nodes that have been found
 * @param {string} [wanted] the path of an array in a group that nothing lists
 * @returns {Promise<Node[]>} sorted, the root first
 */
export async function readNodes(store, onProgress, wanted) {
  const root = await readNode(store, "/");
  if (root === undefined) {
    throw new Error("found no zarr.json, .zgroup or .zarray: this is not the root of a Zarr group or array");
  }
  if (root.problem) throw new Error(root.problem);
  const nodes = [
    root,
    ...(root.metadata.node_type === "array" ? [] : await readAll(store, root, onProgress, wanted)),
  ];
  const usable = nodes.filter(isUsable);
  const [bad] = nodes.filter(({ problem }) => problem);
  if (usable.length === 0) throw new Error(bad?.problem ?? "found no array in this group");
  return sorted(nodes);
}

/** Tells whether a node is an array that can be shown. @param {Node} node */
export const isUsable = ({ metadata, problem }) => metadata.node_type === "array" && problem === undefined;

/** Reads what is in a closed group, as far as its first array. @param {OpenedStore} store @param {string} path */
export async function expand(store, path) {
  const group = await readNode(store, /** @type {StoreKey} */ (path));
  if (group === undefined)
    return [{ ...closed(path), isClosed: false, problem: `${path.slice(1)} does not exist` }];
  return sorted([group, ...(await readChildren(store, group))]);
}

/** @param {Node[]} nodes */
const sorted = (nodes) => nodes.sort((a, b) => a.path.localeCompare(b.path, "en", { numeric: true }));

/**
 * @param {OpenedStore} store
 * @param {Node} root
 * @param {(count: number) => void} onProgress
 * @param {string} [wanted] path
 */
async function readAll(store, root, onProgress, wanted) {
  const consolidated = root.metadata.consolidated_metadata;
  if (isObject(consolidated) && isObject(consolidated.metadata)) {
    return Object.entries(consolidated.metadata).map(([path, metadata]) =>
      checked(/** @type {StoreKey} */ (`/${path}`), metadata, `consolidated_metadata.metadata["${path}"]`),
    );
  }
  if (!store.metadataKeys) {
    const children = await readChildren(store, root);
    if (children.length > 0) return children;
    const linked = await readLinked(store, "", onProgress);
    return linked.some(isUsable) ? linked : readNamed(store, root, wanted);
  }
  /** @type {Set<string>} */
  const paths = new Set();
  for await (const key of store.metadataKeys()) {
    if (!key.includes("/")) continue;
    paths.add(`/${key.slice(0, key.lastIndexOf("/"))}`);
    onProgress(paths.size);
  }
  return readEach(store, [...paths]);
}

/**
 * Reads what is in a group whose server links to it.
 *
 * @param {OpenedStore} store
 * @param {string} group
 * @param {(count: number) => void} onProgress
 * @param {{ count: number }} [found]
 * @returns {Promise<Node[]>}
 */
async function readLinked(store, group, onProgress, found = { count: 0 }) {
  // Most servers refuse to list a folder.
  const names = (await store.folders?.(group).catch(() => [])) ?? [];
  const nodes = await readEach(
    store,
    names.map((name) => `${group}/${name}`),
  );
  found.count += nodes.length;
  onProgress(found.count);
  const groups = nodes.filter(({ metadata, problem }) => metadata.node_type === "group" && !problem);
  const inner = await Promise.all(groups.map(({ path }) => readLinked(store, path, onProgress, found)));
  return [...nodes, ...inner.flat()];
}

/**
 * Reads the array or group that somebody names, and what is declared beside it.
 *
 * @param {OpenedStore} store
 * @param {Node} root
 * @param {string} [wanted] path
 * @throws {UnlistedGroupError} if that is no array
 */
async function readNamed(store, root, wanted) {
  const named = wanted === undefined ? [] : await expand(store, wanted);
  const group = wanted?.slice(0, wanted.lastIndexOf("/")) ?? "";
  const declared = [
    ...declaredNames(root.metadata),
    ...named.flatMap(({ metadata }) => declaredNames(metadata)),
  ];
  const paths = new Set(declared.map((name) => `${group}/${name}`));
  for (const { path } of named) paths.delete(path);
  const nodes = [...named, ...(await readEach(store, [...paths]))];
  const found = wanted === undefined ? nodes : named;
  if (!found.some(isUsable)) throw new UnlistedGroupError(wanted);
  return nodes;
}

/**
 * Reads the children that a group of OME-Zarr names: levels of an image, wells of a plate, images of a well, series of a
 * file. What may be many stays closed, except for the first.
 *
 * @param {OpenedStore} store
 * @param {Node} group
 * @returns {Promise<Node[]>}
 */
async function readChildren(store, group) {
  const ome = omeOf(group);
  const inGroup = (/** @type {unknown} */ path) => `${group.path === "/" ? "" : group.path}/${path}`;
  if (Array.isArray(ome.multiscales)) {
    const datasets = ome.multiscales.flatMap(({ datasets = [] }) => datasets);
    return readEach(
      store,
      datasets.map(({ path }) => inGroup(path)),
    );
  }
  const named = ome.plate?.wells ?? ome.well?.images;
  const paths = Array.isArray(named)
    ? named.map(({ path }) => inGroup(path))
    : await seriesOf(store, group, ome, inGroup);
  if (paths.length === 0) return [];
  const [first, ...others] = paths;
  return [...(await expand(store, first)), ...others.map(closed)];
}

/** @param {OpenedStore} store @param {Node} group @param {Json} ome @param {(path: string) => string} inGroup */
async function seriesOf(store, { metadata }, ome, inGroup) {
  const layout =
    ome["bioformats2raw.layout"] ?? /** @type {any} */ (metadata.attributes)?.["bioformats2raw.layout"];
  if (layout === undefined) return [];
  const [about] = await readEach(store, [inGroup("OME")]);
  const series = about && omeOf(about).series;
  if (Array.isArray(series)) return series.map((path) => inGroup(String(path)));
  /** @type {string[]} */
  const found = [];
  while (
    found.length < MOST_SERIES &&
    (await readNode(store, /** @type {StoreKey} */ (inGroup(String(found.length)))))
  ) {
    found.push(inGroup(String(found.length)));
  }
  return found;
}

/** @param {string} path @returns {Node} */
const closed = (path) => ({
  path: /** @type {StoreKey} */ (path),
  metadata: { node_type: "group" },
  isClosed: true,
});

/** @param {OpenedStore} store @param {string[]} paths */
async function readEach(store, paths) {
  const read = await Promise.all(
    paths.map((path) =>
      readNode(store, /** @type {StoreKey} */ (path)).catch((error) => ({
        ...closed(path),
        isClosed: false,
        problem: error.message,
      })),
    ),
  );
  return read.filter((node) => node !== undefined);
}

/** Reads one node; `undefined` where there is none. @param {OpenedStore} store @param {StoreKey} path */
async function readNode(store, path) {
  const key = /** @type {StoreKey} */ (path === "/" ? "/zarr.json" : `${path}/zarr.json`);
  const bytes = await store.get(key);
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  try {
    return checked(path, JSON.parse(text), key.slice(1));
  } catch (error) {
    // Some servers answer with the same page whatever they are asked for.
    const reason = /^\s*</.test(text)
      ? "is a web page: this is not the address of a store"
      : `is not valid JSON: ${error.message}`;
    return { ...closed(path), isClosed: false, problem: `${key.slice(1)} ${reason}` };
  }
}

/** Finds out whether a node can be used. @param {StoreKey} path @param {unknown} metadata @param {string} where @returns {Node} */
function checked(path, metadata, where) {
  const unusable = (/** @type {string} */ problem) => ({
    ...closed(path),
    isClosed: false,
    problem: `${where}${problem}`,
  });
  if (!isObject(metadata)) return unusable(" is not a JSON object");
  const { node_type: type } = metadata;
  if (type !== "array" && type !== "group") {
    return unusable(`: node_type: expected "array" or "group", got ${JSON.stringify(type)}`);
  }
  const node = { path, metadata: { ...metadata, node_type: /** @type {"array" | "group"} */ (type) } };
  if (type === "group") return node;
  if (metadata.data_type === undefined) return { ...node, problem: `${where}: data_type is missing` };
  try {
    return { ...node, chunkShape: chunkLayout(metadata).chunkShape };
  } catch (error) {
    return { ...node, problem: `${where}: ${error.message}` };
  }
}

/** @param {unknown} value @returns {value is Json} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns what OME-Zarr says about a node; version 0.4 says it among the attributes. @param {Node} node @returns {Json} */
export function omeOf({ metadata }) {
  const attributes = /** @type {any} */ (metadata.attributes) ?? {};
  return isObject(attributes.ome) ? attributes.ome : attributes;
}
