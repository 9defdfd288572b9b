// One array of a store, with each inner chunk of its shards: what the page shows.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createCodecChain } from "zarr-codecs";
import { verifyStore } from "zarr-codecs/verify";
import { ListedStore, READERS, toBytes, verified } from "./store-helpers.mjs";

const LITTLE = { name: "bytes", configuration: { endian: "little" } };

/** Makes the metadata of an array of uint16 in shards of four inner chunks. */
const sharded = (codecs, indexCodecs) => ({
  zarr_format: 3,
  node_type: "array",
  shape: [6],
  data_type: "uint16",
  fill_value: 0,
  chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } },
  chunk_key_encoding: { name: "default" },
  codecs: [
    {
      name: "sharding_indexed",
      configuration: { chunk_shape: [1], codecs, index_codecs: indexCodecs, index_location: "end" },
    },
  ],
});

/** Makes a store of two arrays, of which the first has a missing and a missing-by-shape inner chunk. */
function makeStore(metadata) {
  const store = new ListedStore();
  store.set("/zarr.json", toBytes({ zarr_format: 3, node_type: "group" }));
  store.set("/other/zarr.json", toBytes("{"));
  store.set("/a/zarr.json", toBytes(metadata));
  const { codecs, fill_value: fillValue } = metadata;
  const chain = createCodecChain({ dataType: "uint16", shape: [4], codecs, fillValue });
  store.set("/a/c/0", chain.encode(Uint16Array.of(1, 2, 0, 4)));
  store.set("/a/c/1", chain.encode(Uint16Array.of(5, 6, 0, 0)));
  store.set("/stray", new Uint8Array(1));
  return store;
}

const WITH_CHECKSUMS = sharded([LITTLE, "crc32c"], [LITTLE, "crc32c"]);
const briefly = ({ key, inner = [], state, proof }) => `${key} [${inner}] ${state} ${proof}`;

for (const [name, reader] of Object.entries(READERS)) {
  test(`only one array is verified, and nothing else read: ${name}`, async () => {
    const store = makeStore(WITH_CHECKSUMS);
    const { results, summary } = await verified(reader(store), { array: "a", all: "inner", missing: "warn" });
    assert.deepEqual(results.map(briefly).sort(), [
      "a/c/0 [0] sound checksum",
      "a/c/0 [1] sound checksum",
      "a/c/0 [2] missing none",
      "a/c/0 [3] sound checksum",
      "a/c/1 [0] sound checksum",
      "a/c/1 [1] sound checksum",
    ]);
    assert.deepEqual([...new Set(store.requests)].sort(), ["/a/c/0", "/a/c/1", "/a/zarr.json"]);
    assert.equal(summary.total, 2);
    assert.equal(summary.states.stray, 0);
  });
}

test("an inner chunk is proven no better than the index that says where it is", async () => {
  const store = makeStore(sharded([LITTLE, "crc32c"], [LITTLE]));
  const { results } = await verified(store, { array: "a", all: "inner" });
  assert.deepEqual([...new Set(results.map(({ proof }) => proof))], ["decoded"]);
});

test("a checksum that the store has of a shard proves its inner chunks, also where others are missing", async () => {
  const store = makeStore(sharded([LITTLE], [LITTLE]));
  const { crc32c } = await import("zarr-codecs");
  let mistake = 0;
  store.checksumOf = (key) => ({ crc32c: (crc32c(Map.prototype.get.call(store, key)) ^ mistake) >>> 0 });
  const options = { array: "a", all: "inner", missing: "warn" };
  const { results } = await verified(store, options);
  const sound = results.filter(({ state }) => state === "sound");
  assert.equal(sound.length, 5);
  assert.ok(sound.every(({ proof }) => proof === "checksum"));
  mistake = 1;
  const { summary } = await verified(store, options);
  assert.equal(summary.states.damaged, 2);
});

test("an array that is not there, a group, and metadata that are wrong or unreadable", async () => {
  const store = makeStore(WITH_CHECKSUMS);
  await assert.rejects(verifyStore(store, { array: "b" }).next(), {
    code: "invalid_metadata",
    message: "b/zarr.json does not exist",
  });
  await assert.rejects(verifyStore(store, { array: "" }).next(), {
    message: "zarr.json is a group, not an array",
  });
  const { results } = await verified(store, { array: "other" });
  assert.deepEqual(results.map(briefly), ["other/zarr.json [] damaged none"]);
  store.get = () => {
    throw Object.assign(new Error("forbidden"), { status: 403 });
  };
  const { results: unreadable } = await verified(store, { array: "a", retries: 0 });
  assert.deepEqual(unreadable.map(briefly), ["a/zarr.json [] unreadable none"]);
});
