/** The groups and arrays of a store that can be shown. */

import { InvalidMetadataError } from "../errors.js";
import { findNodes, missingRoot, type NodeProblem, type StoreNode } from "./hierarchy.js";
import { isObject } from "./metadata.js";
import { Requests } from "./requests.js";
import type { VerifiableStore } from "./types.js";

export interface HierarchyOptions {
  /** Lists the keys of the store, or returns `undefined` where the store cannot. */
  readonly listKeys?: () => Promise<Iterable<string> | undefined>;
}

/** Requests fail at once: whoever looks at a store can repeat them. */
const LIMITS = { timeout: 60_000, retries: 0 };

/**
 * Finds the nodes of a store: in consolidated metadata, among its keys, and those that the metadata of OME-Zarr name. Nodes whose
 * metadata are wrong are left out.
 *
 * @returns the nodes, sorted by path, the root first
 * @throws InvalidMetadataError where there is no node, or the root is wrong, or none of its children can be found
 */
export async function readHierarchy(
  store: VerifiableStore,
  { listKeys }: HierarchyOptions = {},
): Promise<StoreNode[]> {
  const keys = await listKeys?.();
  const requests = new Requests(store, LIMITS);
  const listing = keys && Array.from(keys, (key) => ({ key }));
  const { nodes, problems } = await findNodes(requests, listing);
  const root = nodes.find(({ path }) => path === "/");
  if (root === undefined) throw problems.find(isRoot)?.error ?? (await missingRoot(requests));
  const arrays = nodes.filter(({ metadata }) => metadata.node_type === "array");
  if (arrays.length === 0) throw firstError(problems) ?? expectChildren(root, keys !== undefined);
  return [root, ...nodes.filter((node) => node !== root).sort(byPath)];
}

const isRoot = ({ path }: NodeProblem): boolean => path === "/";

const byPath = (a: StoreNode, b: StoreNode): number => a.path.localeCompare(b.path, "en", { numeric: true });

const firstError = (problems: readonly NodeProblem[]): Error | undefined =>
  problems.find(({ error }) => error !== undefined)?.error;

/** Makes the error about a group of which it is not known what is in it. */
function expectChildren({ metadata }: StoreNode, isListed: boolean): InvalidMetadataError {
  const isKnown = isListed || isObject(metadata.consolidated_metadata);
  const message = isKnown
    ? "found no array in this group"
    : "zarr.json: expected consolidated metadata, without which the arrays of this group cannot be listed here; " +
      "open one of its arrays instead";
  return new InvalidMetadataError(message, { path: isKnown ? "" : "consolidated_metadata" });
}
