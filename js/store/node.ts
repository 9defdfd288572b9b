/** Reads the metadata of groups and arrays. */

import { keyIn, METADATA, type StoreKey, withoutSlash } from "../array/keys.js";
import { unexpected } from "../array/read-metadata.js";
import { InvalidMetadataError } from "../errors.js";
import { isObject, type Json } from "../json.js";

/** The parsed `zarr.json` of a group or an array, of which nothing else has been checked. */
export type NodeMetadata = Json & { readonly node_type: "array" | "group" };

/** A group or an array. */
export interface StoreNode {
  /** The path of the root is `/`. */
  readonly path: StoreKey;
  readonly metadata: NodeMetadata;
}

/** Parses the `zarr.json` of a node. @throws InvalidMetadataError */
export function parseNode(path: StoreKey, bytes: Uint8Array): StoreNode {
  const name = withoutSlash(keyIn(path, METADATA));
  return { path, metadata: checkedNode(parseJson(bytes, name), name) };
}

function parseJson(bytes: Uint8Array, key: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InvalidMetadataError(`${key} is not valid JSON: ${reason}`, { path: "" }, { cause });
  }
}

/** Checks that metadata is a node's. @param where it was found, for messages @throws InvalidMetadataError */
export function checkedNode(metadata: unknown, where: string): NodeMetadata {
  if (!isObject(metadata)) throw new InvalidMetadataError(`${where} is not a JSON object`, { path: "" });
  const { node_type: type, zarr_format: format = 3 } = metadata;
  const wrong = (path: string, expected: string, actual: unknown) =>
    new InvalidMetadataError(`${where}: ${unexpected(path, expected, actual).message}`, { path });
  if (format !== 3) throw wrong("zarr_format", "3", format);
  if (type !== "array" && type !== "group") throw wrong("node_type", '"array" or "group"', type);
  return { ...metadata, node_type: type };
}

/** Returns the nodes in the consolidated metadata of a group by their names; undefined if it has none. */
export function consolidatedIn({ consolidated_metadata: consolidated }: Json): Json | undefined {
  return isObject(consolidated) && isObject(consolidated.metadata) ? consolidated.metadata : undefined;
}

/** Returns a path relative to a group. */
export function pathIn(group: StoreKey, name: string): StoreKey {
  const names = group.split("/");
  for (const part of name.split("/")) {
    if (part === "..") names.pop();
    else if (part !== "." && part !== "") names.push(part);
  }
  return `/${names.filter((part) => part !== "").join("/")}`;
}
