/** `zarr-codecs inspect`: the arrays of a store, their codec chains, and which damage each codec can notice. */

import { isZarrCodecError, loadCodecChain } from "zarr-codecs";
import { type AxisGrid, readChunkGrid } from "../js/array/chunk-grid.js";
import { keyIn, type StoreKey, withoutSlash } from "../js/array/keys.js";
import { readLengths } from "../js/array/read-metadata.js";
import { findNodes, readNodeOrProblem } from "../js/store/hierarchy.js";
import { countOf } from "../js/stride.js";
import { type Codec, codecText, configurationOf, noticeOf } from "./notices.js";
import { parse } from "./options.js";
import { count, formatBytes, formatNumber, paint } from "./reports/text.js";
import { isMetadata, METADATA } from "./stores/keys.js";
import { openStore } from "./stores/open.js";
import { type OpenedStore, type StoreEntry, StoreError } from "./stores/store.js";
import { UsageError } from "./usage.js";

type Json = Readonly<Record<string, unknown>>;

/** What a listing says of an array. */
interface Usage {
  objects: number;
  bytes: number;
}

/** Runs the command. Returns its exit status. */
export async function inspect(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args, { anonymous: { type: "boolean" } });
  const [location, array] = positionals;
  if (location === undefined || positionals.length > 2)
    throw new UsageError("expected a store, and perhaps an array");
  const store = await openStore(location, values);
  try {
    await show(store, array === undefined ? undefined : array.replace(/^\/+|\/+$/g, ""));
    return 0;
  } finally {
    store.close?.();
  }
}

async function show(store: OpenedStore, wanted: string | undefined): Promise<void> {
  const { nodes, usage } = await findNodesIn(store, wanted);
  if (nodes.size === 0) {
    throw new StoreError(
      `${store.name}: found no ${wanted ? `${wanted}/` : ""}${METADATA}, so no Zarr v3 array or group`,
    );
  }
  const arrays = [...nodes].filter(([, { node_type }]) => node_type === "array");
  console.log(`${paint(process.stdout, "bold", store.name)}  ${count(arrays.length, "array")}`);
  for (const [path, metadata] of arrays.sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))) {
    console.log(`\n${paint(process.stdout, "bold", path || "/")}`);
    for (const [label, text] of await describeArray(metadata, usage.get(path))) {
      console.log(`  ${label.padEnd(9)} ${text}`);
    }
  }
}

/** Finds the nodes of a store, or the one at a path. Says which of them cannot be read. */
async function findNodesIn(store: OpenedStore, wanted: string | undefined) {
  const nodes = new Map<string, Json>();
  const usage = new Map<string, Usage>();
  const others: StoreEntry[] = [];
  const found = wanted === undefined ? await findNodes(store, metadataIn(store, others)) : undefined;
  const named = wanted === undefined ? undefined : await readNodeOrProblem(store, `/${wanted}`);
  for (const node of found ? [...found.problems, ...found.nodes] : [named]) {
    if (node === undefined) continue;
    const path = withoutSlash(node.path);
    if ("metadata" in node) nodes.set(path, node.metadata);
    else if (node.error) console.log(problemText(node.path, node.error));
  }
  if (found === undefined) for await (const _ of metadataIn(store, others) ?? []);
  for (const { key, byteLength } of others) addUsage(usage, nodes, key, byteLength);
  return { nodes, usage };
}

/** Lists the keys of metadata, if the store can list keys. Adds all other entries to a list. */
function metadataIn(store: OpenedStore, others: StoreEntry[]): AsyncIterable<StoreEntry> | undefined {
  if (store.list === undefined) return undefined;
  const entries = store.list();
  return (async function* () {
    for await (const entry of entries) {
      if (isMetadata(entry.key)) yield entry;
      else others.push(entry);
    }
  })();
}

function problemText(path: StoreKey, { message }: Error): string {
  const key = withoutSlash(keyIn(path, METADATA));
  return message.startsWith(key) ? message : `${key} cannot be read: ${message}`;
}

/** Counts an object for the array that it is below. */
function addUsage(usage: Map<string, Usage>, nodes: Map<string, Json>, key: string, byteLength = 0): void {
  for (let slash = key.lastIndexOf("/"); ; slash = key.lastIndexOf("/", slash - 1)) {
    const path = slash < 0 ? "" : key.slice(0, slash);
    if (nodes.get(path)?.node_type === "array") {
      const known = usage.get(path) ?? { objects: 0, bytes: 0 };
      known.objects++;
      known.bytes += byteLength;
      usage.set(path, known);
      return;
    }
    if (slash <= 0) return;
  }
}

async function describeArray(metadata: Json, usage: Usage | undefined): Promise<[string, string][]> {
  const {
    shape,
    data_type,
    codecs: chain,
  } = metadata as { shape?: number[]; data_type?: unknown; codecs?: Codec[] };
  const { text, firstShape } = describeGrid(metadata);
  const lines: [string, string][] = [
    ["type", `${typeName(data_type)} [${shape?.join(", ")}]`],
    ["chunks", text],
  ];
  if (usage) lines.push(["stored", usageText(usage)]);
  lines.push(...(await chainLines(metadata, firstShape)));
  for (const codec of Array.isArray(chain) ? chain : []) lines.push(...codecLines(codec, ""));
  return lines;
}

/** Describes the division of an array into chunks. Where these differ in shape, returns that of the first one too. */
function describeGrid({ shape, chunk_grid }: Json): { text: string; firstShape?: number[] } {
  const { name } = Object(chunk_grid) as { name?: string };
  let axes: readonly AxisGrid[];
  try {
    axes = readChunkGrid(chunk_grid, readLengths(shape, "shape", 0));
  } catch {
    return { text: String(name ?? "none") }; // The chain is resolved with the grid, and says what is wrong.
  }
  const number = `${formatNumber(countOf(axes.map(({ count }) => count)))} of them`;
  // Along an axis of length 0, a rectilinear grid has no chunk.
  const isRectilinear = name === "rectilinear";
  const firstShape = axes.map((axis) => (isRectilinear && axis.count === 0 ? 1 : axis.lengthAt(0)));
  const first = `[${firstShape.join(", ")}]`;
  return isRectilinear
    ? { text: `rectilinear, the first ${first}, ${number}`, firstShape }
    : { text: `${first}, ${number}` };
}

const typeName = (type: unknown): string =>
  typeof type === "string"
    ? type
    : String((type as { name?: string } | undefined)?.name ?? JSON.stringify(type));

const usageText = ({ objects, bytes }: Usage): string =>
  `${count(objects, "object")}${bytes > 0 ? `, ${formatBytes(bytes)}` : ""}`;

const lengthText = (byteLength: number | undefined): string =>
  byteLength === undefined ? "any length" : formatBytes(byteLength);

/** Checks the chain with the metadata of the array, and with the shape of a chunk where they do not tell it. */
async function chainLines(metadata: Json, chunkShape: number[] | undefined): Promise<[string, string][]> {
  try {
    const { decodedByteLength, encodedByteLength } = await loadCodecChain(metadata as never, {
      ...(chunkShape && { chunkShape }),
    });
    const text = `${lengthText(decodedByteLength)} decoded, ${lengthText(encodedByteLength)} encoded`;
    return [[chunkShape ? "the first" : "a chunk", text]];
  } catch (error) {
    if (!isZarrCodecError(error)) throw error;
    const unknown = error.code === "invalid_metadata" ? unknownNameIn(metadata, error.path) : undefined;
    return unknown === undefined
      ? [["invalid", error.message]]
      : [["unknown", `${unknown}, so chunks are verified only as far as their codecs are known`]];
  }
}

/** Returns what is not wrong but unknown, if that is what an error is about: the name of a data type or of a codec. */
function unknownNameIn(metadata: Json, path: string): string | undefined {
  const names = path.split(/[.[\]]+/).filter((name) => name !== "");
  const value = names.reduce<unknown>((json, name) => Object(json)[name], metadata);
  if (typeof value !== "string") return undefined;
  if (/^data_type(\.name)?$/.test(path)) return `data type ${value}`;
  return /\bcodecs\[\d+\](\.name)?$/.test(path) ? `codec ${value}` : undefined;
}

function codecLines(codec: Codec, indent: string): [string, string][] {
  const { inner, index } = nestedIn(codec);
  return [
    [indent ? "" : "codec", `${indent}${codecText(codec)}: ${noticeOf(codec)}`],
    ...(index.length > 0
      ? [["", `${indent}  index: ${index.map(codecText).join(", ")}`] as [string, string]]
      : []),
    ...inner.flatMap((nested) =>
      codecLines(nested, `${indent}  inner: `.replace("inner:   inner:", "  inner:")),
    ),
  ];
}

function nestedIn(codec: Codec): { inner: Codec[]; index: Codec[] } {
  const { codecs: inner, index_codecs: index } = configurationOf(codec);
  return { inner: Array.isArray(inner) ? inner : [], index: Array.isArray(index) ? index : [] };
}
