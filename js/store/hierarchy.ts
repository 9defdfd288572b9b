/** Finds the groups and arrays of a store. */

import { keyIn, METADATA, type StoreKey, withoutSlash } from "../array/keys.js";
import { type Awaitable, then } from "../awaitable.js";
import { InvalidMetadataError } from "../errors.js";
import type { Json } from "../json.js";
import { isDamage, readAgain } from "../shard/read-again.js";
import { checkedNode, consolidatedIn, type NodeMetadata, parseNode, pathIn, type StoreNode } from "./node.js";
import { namedBy } from "./ome.js";
import { UnreadableError } from "./unreadable-error.js";

/** Reads the values of a store. */
export interface NodeStore {
  get(key: StoreKey): Awaitable<Uint8Array | undefined>;
}

/** A node whose metadata are wrong or could not be read, or that is missing: then without an error. */
export interface NodeProblem {
  readonly path: StoreKey;
  /** Of this package, or of a store that cannot be read. */
  readonly error?: Error;
  /** The node whose metadata name one that is missing. */
  readonly namedBy?: StoreKey;
}

export interface Hierarchy {
  /** Sorted by path, the same way on every machine. */
  readonly nodes: readonly StoreNode[];
  readonly problems: readonly NodeProblem[];
  /** The nodes whose metadata were read in those of a group, their own not yet; and that group. */
  readonly unread: ReadonlyMap<StoreKey, StoreKey>;
}

/** Entries for the keys of a store. */
export type Listing<E extends { readonly key: string } = { readonly key: string }> =
  | AsyncIterable<E>
  | Iterable<E>;

/** How many nodes are read at once. */
const CONCURRENT = 16;

/**
 * Finds the nodes of a store: in consolidated metadata, among its keys, and those that the metadata of OME-Zarr name.
 *
 * @param listing the keys of the store, if it can list them
 */
export async function findNodes(store: NodeStore, listing: Listing | undefined): Promise<Hierarchy> {
  const search = new Search(store, listing !== undefined);
  search.add("/", "possible");
  for await (const { key } of listing ?? []) {
    const path = pathOfMetadata(key);
    if (path !== undefined) search.add(path, "possible");
  }
  return search.run();
}

/** Finds one array only. @throws InvalidMetadataError (there is none) */
export async function findArray(store: NodeStore, name: string): Promise<Hierarchy> {
  const path: StoreKey = `/${withoutSlash(name)}`;
  const unread = new Map<StoreKey, StoreKey>();
  const node = await readNodeOrProblem(store, path);
  if (node && !("metadata" in node)) return { nodes: [], problems: [node], unread };
  if (node?.metadata.node_type === "array") return { nodes: [node], problems: [], unread };
  const what = node ? "is a group, not an array" : "does not exist";
  throw new InvalidMetadataError(`${withoutSlash(keyIn(path, METADATA))} ${what}`, { path: "" });
}

/** Reads a node, or why it cannot be read; `undefined` where there is none. */
export async function readNodeOrProblem(
  store: NodeStore,
  path: StoreKey,
): Promise<StoreNode | NodeProblem | undefined> {
  try {
    return await readNode(store, path);
  } catch (error) {
    if (!(isDamage(error) || error instanceof UnreadableError)) throw error;
    return { path, error: error as Error };
  }
}

/**
 * Reads a node, again if its metadata are wrong; `undefined` where there is none.
 *
 * @throws InvalidMetadataError, UnreadableError, and what a store throws that checks what it reads
 */
async function readNode(store: NodeStore, path: StoreKey): Promise<StoreNode | undefined> {
  const read = () => then(store.get(keyIn(path, METADATA)), (bytes) => bytes && parseNode(path, bytes));
  try {
    // Not awaited before it is decoded: the next request may overwrite it.
    return await read();
  } catch (error) {
    if (!isDamage(error)) throw error;
    return readAgain(error, 1, read);
  }
}

/** Makes the error about a store without a node at its root. */
export async function missingRoot(store: NodeStore): Promise<InvalidMetadataError> {
  for (const name of [".zgroup", ".zarray"]) {
    if ((await store.get(`/${name}`)) === undefined) continue;
    const message = `expected a Zarr v3 store, got one of Zarr v2: it has ${name}`;
    return new InvalidMetadataError(message, { path: "" });
  }
  const message = "found no zarr.json: this is not the root of a Zarr v3 group or array";
  return new InvalidMetadataError(message, { path: "" });
}

function pathOfMetadata(key: string): StoreKey | undefined {
  const name = `/${withoutSlash(key)}`;
  if (!name.endsWith(`/${METADATA}`)) return undefined;
  return (name.slice(0, -METADATA.length - 1) || "/") as StoreKey;
}

/** A node to be read: that has to be there because another one names it, that may be, or the next of numbered ones. */
type Reason = "possible" | "numbered" | { readonly namedBy: StoreKey };

class Search {
  readonly #store: NodeStore;
  /** Whether nodes that nothing names are among the keys of the store. */
  readonly #isListed: boolean;
  readonly #nodes = new Map<StoreKey, StoreNode>();
  readonly #problems = new Map<StoreKey, NodeProblem>();
  /** The metadata of arrays, by their JSON. */
  readonly #arrays = new Map<string, NodeMetadata>();
  readonly #unread = new Map<StoreKey, StoreKey>();
  readonly #reasons = new Map<StoreKey, Reason>();
  readonly #queue: StoreKey[] = [];

  constructor(store: NodeStore, isListed: boolean) {
    this.#store = store;
    this.#isListed = isListed;
  }

  add(path: StoreKey, reason: Reason): void {
    const known = this.#reasons.get(path);
    if (known === undefined) this.#queue.push(path);
    if (known === undefined || typeof known === "string") this.#reasons.set(path, reason);
  }

  async run(): Promise<Hierarchy> {
    while (this.#queue.length > 0) {
      const paths = this.#queue.splice(0, CONCURRENT);
      await Promise.all(paths.map((path) => this.#visit(path)));
    }
    for (const [path, reason] of this.#reasons) this.#expect(path, reason);
    const isBefore = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
    return {
      nodes: [...this.#nodes.values()].sort(isBefore),
      problems: [...this.#problems.values()].sort(isBefore),
      unread: this.#unread,
    };
  }

  async #visit(path: StoreKey): Promise<void> {
    if (this.#nodes.has(path)) return;
    const node = await readNodeOrProblem(this.#store, path);
    if (node === undefined) return;
    if ("metadata" in node) this.#found(node);
    else this.#problems.set(path, node);
  }

  #found(node: StoreNode): void {
    const { path, metadata } = node;
    if (metadata.node_type === "array") {
      this.#nodes.set(path, { path, metadata: this.#shared(metadata) });
      return;
    }
    this.#nodes.set(path, node);
    const consolidated = consolidatedIn(metadata);
    if (consolidated) this.#consolidated(path, consolidated);
    const { declared, possible, isNumbered } = namedBy(metadata);
    for (const name of declared) this.add(pathIn(path, name), { namedBy: path });
    // Whatever else there is has been found already.
    if (this.#isListed || consolidated || this.#unread.has(path)) return;
    for (const name of possible) this.add(keyIn(path, name), "possible");
    if (isNumbered) this.add(keyIn(path, "0"), "numbered");
    if (this.#reasons.get(path) === "numbered") this.add(next(path), "numbered");
  }

  /** Returns the metadata of an array without attributes; those of arrays that are alike are one object. */
  #shared({ attributes: _, ...metadata }: NodeMetadata): NodeMetadata {
    const name = JSON.stringify(metadata);
    const known = this.#arrays.get(name) ?? (metadata as NodeMetadata);
    this.#arrays.set(name, known);
    return known;
  }

  #consolidated(group: StoreKey, nodes: Json): void {
    for (const [name, metadata] of Object.entries(nodes)) {
      const path = pathIn(group, name);
      if (this.#nodes.has(path)) continue;
      this.#reasons.set(path, { namedBy: group });
      try {
        const where = `${withoutSlash(keyIn(group, METADATA))}: consolidated_metadata.metadata["${name}"]`;
        const node = { path, metadata: checkedNode(metadata, where) };
        this.#unread.set(path, group);
        this.#found(node);
      } catch (error) {
        if (!(error instanceof InvalidMetadataError)) throw error;
        this.#problems.set(path, { path, error });
      }
    }
  }

  /** Notes a problem where a node that another one names is missing. */
  #expect(path: StoreKey, reason: Reason): void {
    if (typeof reason === "string" || this.#nodes.has(path) || this.#problems.has(path)) return;
    this.#problems.set(path, { path, ...reason });
  }
}

/** Returns the path after that of a numbered group. */
function next(path: StoreKey): StoreKey {
  const slash = path.lastIndexOf("/") + 1;
  return `${path.slice(0, slash)}${Number(path.slice(slash)) + 1}` as StoreKey;
}
