// Encodes the elements of the shards' vectors with zarr-codecs, for read_back.py to read with other implementations:
//
//     node write_shard_stores.mjs <folder>

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadCodecChain } from "zarr-codecs";
import { ENCODERS } from "../js/chain-helpers.mjs";
import { chainChunksOf } from "../js/chains.mjs";
import { readVectors } from "../js/helpers.mjs";
import { SHARD_COUNTS } from "../js/shards.mjs";

function write(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node write_shard_stores.mjs <folder>");
  process.exit(2);
}
for (const file of Object.keys(SHARD_COUNTS)) {
  const vectors = readVectors(`shards/${file}`);
  const storeOf = (name) => join(folder, file.replace(/\.json$/, ""), name);
  for (const { name, metadata } of vectors.arrays) {
    write(join(storeOf(name), "zarr.json"), JSON.stringify(metadata));
  }
  for (const { name, key, metadata, components } of chainChunksOf(vectors)) {
    const chain = await loadCodecChain(metadata, { codecs: ENCODERS, float16: "bits" });
    write(join(storeOf(name), key), await chain.encode(components));
  }
  console.log(`${file}: ${vectors.arrays.length} stores`);
}
