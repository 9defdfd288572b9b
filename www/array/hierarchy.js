// The groups and arrays of a store. Runs in workers.

import { keysOf } from "../store/stores.js";

/**
 * @typedef {{ path: string, metadata: Record<string, any> }} Node a group or an array; the path of the root is "/"
 */

/**
 * Finds all nodes: in consolidated metadata, by the keys of a store that can list them, or by what an OME-Zarr image
 * says of its levels.
 *
 * @returns {Promise<Node[]>} sorted by path
 */
export async function readHierarchy(store) {
  const metadata = await readMetadata(store, "/");
  if (metadata === undefined) throw new Error(await whyNoMetadata(store));
  const root = { path: "/", metadata };
  if (metadata.node_type === "array") return [root];
  const children = consolidated(metadata) ?? (await listed(store)) ?? (await levels(store, metadata));
  if (!children.some(({ metadata }) => metadata.node_type === "array")) {
    throw new Error("There is no array in this group.");
  }
  return [root, ...children.sort((a, b) => a.path.localeCompare(b.path, "en", { numeric: true }))];
}

/** The parsed zarr.json of a node; undefined where there is none. */
async function readMetadata(store, path) {
  const key = `${path === "/" ? "" : path}/zarr.json`;
  const bytes = await store.get(key);
  if (bytes === undefined) return undefined;
  let metadata;
  try {
    metadata = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new Error(`${key.slice(1)} is not JSON: ${error.message}`);
  }
  if (!["array", "group"].includes(metadata?.node_type)) {
    const got = JSON.stringify(metadata?.node_type) ?? "nothing";
    throw new Error(`${key.slice(1)}: node_type: expected "array" or "group", got ${got}`);
  }
  return metadata;
}

async function whyNoMetadata(store) {
  for (const key of [".zgroup", ".zarray"]) {
    const isVersion2 = (await store.get(`/${key}`)) !== undefined;
    if (isVersion2)
      return `This is a store of Zarr v2 (it has ${key}); the codecs here are those of Zarr v3.`;
  }
  return "There is no zarr.json here: this is not the root of a Zarr v3 group or array.";
}

function consolidated(metadata) {
  const nodes = metadata.consolidated_metadata?.metadata;
  return nodes && Object.entries(nodes).map(([path, metadata]) => ({ path: `/${path}`, metadata }));
}

async function listed(store) {
  const keys = await keysOf(store);
  const paths = keys
    ?.filter((key) => key.endsWith("/zarr.json"))
    .map((key) => `/${key.slice(0, -"/zarr.json".length)}`);
  return paths && read(store, paths);
}

async function levels(store, metadata) {
  const images = metadata.attributes?.ome?.multiscales ?? [];
  const children = await read(
    store,
    images.flatMap(({ datasets }) => datasets.map(({ path }) => `/${path}`)),
  );
  if (children.length > 0) return children;
  throw new Error(
    "This group has no consolidated metadata, so the arrays in it cannot be listed over the network. " +
      "Give the address of one of its arrays.",
  );
}

async function read(store, paths) {
  const nodes = await Promise.all(
    paths.map(async (path) => ({ path, metadata: await readMetadata(store, path) })),
  );
  return nodes.filter(({ metadata }) => metadata !== undefined);
}
