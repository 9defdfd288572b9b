// The groups and arrays of a store, those that cannot be used included.

import { checkedNode, chunkLayout, consolidatedIn, namedBy, parseNode, pathIn } from "zarr-codecs/verify";
import { declaredNames, UnlistedGroupError } from "./unlisted.js";

/**
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

/** Reads what is in a closed group, as far as its first array. @param {OpenedStore} store @param {string} wanted path */
export async function expand(store, wanted) {
  const path = pathIn("/", wanted);
  const group = await readNode(store, path);
  if (group === undefined) return [unusable(path, `${path.slice(1)} does not exist`)];
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
  const consolidated = consolidatedIn(root.metadata);
  if (consolidated) {
    return Object.entries(consolidated).map(([name, metadata]) => {
      const where = `consolidated_metadata.metadata["${name}"]`;
      return checked(pathIn("/", name), where, () => checkedNode(metadata, where));
    });
  }
  if (!store.metadataKeys) {
    const children = await readChildren(store, root);
    if (children.length > 0) return children;
    const linked = await readLinked(store, "/", onProgress);
    return linked.some(isUsable) ? linked : readNamed(store, root, wanted);
  }
  /** @type {Set<StoreKey>} */
  const paths = new Set();
  for await (const key of store.metadataKeys()) {
    if (!key.includes("/")) continue;
    paths.add(/** @type {StoreKey} */ (`/${key.slice(0, key.lastIndexOf("/"))}`));
    onProgress(paths.size);
  }
  return readEach(store, [...paths]);
}

/**
 * Reads what is in a group whose server links to it.
 *
 * @param {OpenedStore} store
 * @param {StoreKey} group
 * @param {(count: number) => void} onProgress
 * @param {{ count: number }} [found]
 * @returns {Promise<Node[]>}
 */
async function readLinked(store, group, onProgress, found = { count: 0 }) {
  // Most servers refuse to list a folder.
  const names = (await store.folders?.(group === "/" ? "" : group).catch(() => [])) ?? [];
  const nodes = await readEach(
    store,
    names.map((name) => pathIn(group, name)),
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
  const group = pathIn("/", wanted === undefined ? "" : `${wanted}/..`);
  const declared = [
    ...declaredNames(root.metadata),
    ...named.flatMap(({ metadata }) => declaredNames(metadata)),
  ];
  const paths = new Set(declared.map((name) => pathIn(group, name)));
  for (const { path } of named) paths.delete(path);
  const nodes = [...named, ...(await readEach(store, [...paths]))];
  const found = wanted === undefined ? nodes : named;
  if (!found.some(isUsable)) throw new UnlistedGroupError(wanted);
  return nodes;
}

/**
 * Reads the children that a group of OME-Zarr names. What may be many groups stays closed, except for the first.
 *
 * @param {OpenedStore} store
 * @param {Node} group
 * @returns {Promise<Node[]>}
 */
async function readChildren(store, group) {
  const { arrays, groups, isNumbered } = namedBy(group.metadata);
  const levels = await readEach(store, pathsBelow(group.path, group.path, arrays));
  const named = pathsBelow(group.path, group.path, groups);
  const [first, ...others] = named.length === 0 && isNumbered ? await seriesOf(store, group.path) : named;
  if (first === undefined) return levels;
  return [...levels, ...(await expand(store, first)), ...others.map(closed)];
}

/** Finds the series of a file: those that are listed, or else those that are numbered. @param {OpenedStore} store @param {StoreKey} group */
async function seriesOf(store, group) {
  const about = pathIn(group, "OME");
  const [node] = await readEach(store, [about]);
  const listed = pathsBelow(group, about, node ? namedBy(node.metadata).groups : []);
  if (listed.length > 0) return listed;
  /** @type {StoreKey[]} */
  const found = [];
  for (let number = 0; number < MOST_SERIES; number += 1) {
    const path = pathIn(group, String(number));
    if ((await readNode(store, path)) === undefined) break;
    found.push(path);
  }
  return found;
}

/**
 * Returns what is named and below a group: whatever else is named could lead back to it.
 *
 * @param {StoreKey} group
 * @param {StoreKey} origin that the names are relative to
 * @param {readonly string[]} names
 */
function pathsBelow(group, origin, names) {
  const paths = names.map((name) => pathIn(origin, name));
  const above = group === "/" ? "/" : `${group}/`;
  return [...new Set(paths)].filter((path) => path.startsWith(above) && path !== above);
}

/** @param {StoreKey} path @returns {Node} */
const closed = (path) => ({ path, metadata: { node_type: "group" }, isClosed: true });

/** @param {StoreKey} path @param {string} problem @returns {Node} */
const unusable = (path, problem) => ({ path, metadata: { node_type: "group" }, problem });

/** @param {OpenedStore} store @param {StoreKey[]} paths */
async function readEach(store, paths) {
  const read = await Promise.all(
    paths.map((path) => readNode(store, path).catch((error) => unusable(path, error.message))),
  );
  return read.filter((node) => node !== undefined);
}

/** Reads one node; `undefined` where there is none. @param {OpenedStore} store @param {StoreKey} path */
async function readNode(store, path) {
  const key = pathIn(path, "zarr.json");
  const bytes = await store.get(key);
  if (bytes === undefined) return undefined;
  // Some servers answer with the same page whatever they are asked for.
  if (/^\s*</.test(new TextDecoder().decode(bytes))) {
    return unusable(path, `${key.slice(1)} is a web page: this is not the address of a store`);
  }
  return checked(path, key.slice(1), () => parseNode(path, bytes).metadata);
}

/**
 * Finds out whether a node can be used.
 *
 * @param {StoreKey} path
 * @param {string} where its metadata are, for messages
 * @param {() => Node["metadata"]} read
 * @returns {Node}
 */
function checked(path, where, read) {
  let metadata;
  try {
    metadata = read();
  } catch (error) {
    return unusable(path, error.message);
  }
  const node = { path, metadata };
  if (metadata.node_type === "group") return node;
  if (metadata.data_type === undefined) return { ...node, problem: `${where}: data_type is missing` };
  try {
    return { ...node, chunkShape: chunkLayout(metadata).chunkShape };
  } catch (error) {
    return { ...node, problem: `${where}: ${error.message}` };
  }
}
