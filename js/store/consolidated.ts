/** Consolidated metadata: the nodes in the metadata of a group. */

import { InvalidMetadataError } from "../errors.js";
import { isObject, type Json } from "../json.js";

/** Changes or omits each node in consolidated metadata. Returns the same object if nothing changes. */
export async function mapNodes(
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
  // JSON omits undefined members.
  return { ...metadata, consolidated_metadata: { ...consolidated, metadata: Object.fromEntries(changed) } };
}

/**
 * Translates the nodes in the consolidated metadata of a group. Omits those that cannot be opened, so that opening one throws
 * the error, and returns them too.
 *
 * @param show translates the metadata of the node at a path (with a trailing slash)
 */
export async function showNodes(
  path: string,
  metadata: Json,
  show: (path: string, node: Json) => Promise<Json>,
): Promise<{ shown: Json; omitted: Json }> {
  const omitted: [string, Json][] = [];
  const shown = await mapNodes(metadata, async (name, node) => {
    const relative = name.replace(/^\/+|\/+$/g, "");
    try {
      return await show(`${path}${relative}/`, node);
    } catch (error) {
      if (!(error instanceof InvalidMetadataError)) throw error;
      omitted.push([name, node]);
      return undefined;
    }
  });
  return { shown, omitted: Object.fromEntries(omitted) };
}
