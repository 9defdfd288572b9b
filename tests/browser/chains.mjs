// Runs in the page: checks chains with codecs of others, zarrita's and the host's. Returns what it saw.

import {
  ChecksumMismatchError,
  ChunkLengthError,
  ExternalCodecError,
  InvalidElementError,
  loadCodecChain,
} from "zarr-codecs";
import * as zarrita from "zarrita";
import { chainChunksOf, consistsOf, DEFLATE, damagedChunks } from "/js/chains.mjs";
import { sameBytes } from "/js/vectors.mjs";
import { readStores } from "/zarrita/stores.mjs";

const { registry } = zarrita;

const CLASSES = { ChecksumMismatchError, ChunkLengthError, ExternalCodecError, InvalidElementError };

const read = async (file) => (await fetch(`/vectors/chains/${file}`)).json();

/** Decodes every chunk of a file with zarrita's codecs and without, and encodes it to what decodes to the same. */
export async function checkChunks(file) {
  const vectors = await read(file);
  const seen = { arrays: vectors.arrays.length, zarrita: 0, alone: 0, wrong: [] };
  const compare = (what, actual, expected) => {
    if (!sameBytes(actual, expected)) seen.wrong.push(what);
  };
  for (const { where, metadata, options, encoded, components } of chainChunksOf(vectors)) {
    const chain = await loadCodecChain(metadata, { ...options, codecs: registry });
    compare(`${where}, zarrita's`, (await chain.decode(encoded)).data, components);
    seen.zarrita += 1;
    const alone = await loadCodecChain(metadata, options);
    compare(`${where}, alone`, (await alone.decode(encoded)).data, components);
    seen.alone += 1;
    if (!consistsOf(metadata, DEFLATE)) continue;
    const again = await alone.encode(components);
    compare(`${where}, encoded`, (await alone.decode(again)).data, components);
    compare(`${where}, encoded, zarrita's`, (await chain.decode(again)).data, components);
  }
  return seen;
}

/** Reads the arrays of a file through `withCodecs`, without options. */
export const checkStores = async (file) => readStores(zarrita, await (await fetch(file)).json());

const readShards = (file) => read(`../shards/${file}`);

/** Decodes every shard of a file, and encodes it to what decodes to the same. */
export async function checkShards(file) {
  const vectors = await readShards(file);
  const seen = { arrays: vectors.arrays.length, shards: 0, wrong: [] };
  for (const { where, metadata, encoded, components } of chainChunksOf(vectors)) {
    const chain = await loadCodecChain(metadata, { codecs: registry, float16: "bits" });
    if (!sameBytes((await chain.decode(encoded)).data, components)) seen.wrong.push(where);
    const again = await chain.encode(components);
    if (!sameBytes((await chain.decode(again)).data, components)) seen.wrong.push(`${where}, encoded`);
    seen.shards += 1;
  }
  return seen;
}

/** Decodes every damaged shard. */
export async function checkDamagedShards(names) {
  const files = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readShards(name)])),
  );
  const seen = { shards: 0, wrong: [] };
  const described = await readShards("damaged.json");
  const chunks = damagedChunks(described, (file) => files[file]);
  for (const { where, metadata, damaged, expected, inner } of chunks) {
    const chain = await loadCodecChain(metadata);
    const error = await chain.decode(damaged).catch((error) => error);
    const isExpected = expected.some((name) => error instanceof CLASSES[name]);
    // An error about an index is not one about a chunk: it names the inner chunk of the entry.
    const named = `inner chunk (${inner?.join(", ")}) `;
    const isPlaced =
      inner === undefined || String(error.chunk) === String(inner) || error.message.includes(named);
    if (!isExpected || !isPlaced) seen.wrong.push(`${where}: ${error?.message ?? "no error"}`);
    seen.shards += 1;
  }
  return seen;
}

/** Decodes every damaged chunk. */
export async function checkDamages(names) {
  const files = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await read(name)])));
  const seen = { zarrita: 0, alone: 0, wrong: [] };
  const described = await read("damaged.json");
  for (const { where, metadata, damaged, expected } of damagedChunks(described, (file) => files[file])) {
    const check = async (provider, options) => {
      const chain = await loadCodecChain(metadata, options);
      const error = await chain.decode(damaged).then(
        () => undefined,
        (error) => error,
      );
      const isExpected = expected.some((name) => error instanceof CLASSES[name]);
      if (!isExpected) seen.wrong.push(`${where}, ${provider}: ${error?.message ?? "no error"}`);
      seen[provider] += 1;
    };
    await check("zarrita", { codecs: registry });
    await check("alone", {});
  }
  return seen;
}
