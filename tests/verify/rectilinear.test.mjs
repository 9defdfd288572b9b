// Arrays whose chunks have lengths of their own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createCodecChain } from "zarr-codecs";
import { arrayMetadata } from "./helpers.mjs";
import { ListedStore, placesOf, toBytes, verified } from "./store-helpers.mjs";

/** A store of one array of uint8, with these chunks. */
function storeOf(shape, chunk_shapes, chunks, codecs = ["bytes"]) {
  const chunk_grid = { name: "rectilinear", configuration: { kind: "inline", chunk_shapes } };
  const store = new ListedStore([["/zarr.json", toBytes(arrayMetadata({ shape, chunk_grid, codecs }))]]);
  for (const [key, bytes] of Object.entries(chunks)) store.set(`/c/${key}`, Uint8Array.from(bytes));
  return store;
}

const zeros = (length) => new Uint8Array(length);

/** Expects chunks of these lengths, and no others. */
async function expectLengths(shape, chunkShapes, lengths) {
  const whole = Object.fromEntries(Object.entries(lengths).map(([key, length]) => [key, zeros(length)]));
  const store = storeOf(shape, chunkShapes, whole);
  const { results, summary } = await verified(store, { all: true });
  assert.deepEqual(
    results.map(({ key, state, proof }) => `${key} ${state} ${proof}`).sort(),
    Object.keys(lengths).map((key) => `c/${key} sound length`),
  );
  assert.equal(summary.total, Object.keys(lengths).length);
  for (const [key, length] of Object.entries(lengths)) store.set(`/c/${key}`, zeros(length + 1));
  assert.deepEqual(
    (await verified(store)).results.map(({ key, error }) => [key, error.expected, error.actual]).sort(),
    Object.entries(lengths).map(([key, length]) => [`c/${key}`, length, length + 1]),
  );
}

test("chunks have the lengths that the grid lists, each as often as it says", async () => {
  await expectLengths([9], [[[2, 2], 3, 5]], { 0: 2, 1: 2, 2: 3, 3: 5 });
  await expectLengths([4], [[1, 3]], { 0: 1, 1: 3 });
  await expectLengths([5], [2], { 0: 2, 1: 2, 2: 2 });
  await expectLengths([3, 4], [[1, 2], 2], { "0/0": 2, "0/1": 2, "1/0": 4, "1/1": 4 });
});

test("chunks beyond the array are none of it", async () => {
  await expectLengths([5], [[[2, 9], 7]], { 0: 2, 1: 2, 2: 2 });
  const store = storeOf([5], [[[2, 9], 7]], { 0: zeros(2), 2: zeros(2), 3: zeros(2), 9: zeros(7) });
  assert.deepEqual(await placesOf(store, { missing: "warn" }), ["c/1 missing", "c/3 stray", "c/9 stray"]);
});

test("an array without elements has no chunks", async () => {
  const { summary } = await verified(storeOf([0], [[2]], {}));
  assert.deepEqual([summary.verdict, summary.total], ["sound", 0]);
});

const INDEX = [{ name: "bytes", configuration: { endian: "little" } }, "crc32c"];
const SHARDED = [
  { name: "sharding_indexed", configuration: { chunk_shape: [2], codecs: ["bytes"], index_codecs: INDEX } },
];

const shardOf = (...elements) =>
  createCodecChain({
    dataType: "uint8",
    shape: [elements.length],
    codecs: SHARDED,
    fillValue: 0,
  }).encode(Uint8Array.from(elements));

test("inner chunks that are missing are named, but not those beyond the array", async () => {
  const shards = { 0: shardOf(1, 1, 0, 0, 1, 1), 1: shardOf(1, 1, 0, 0), 2: shardOf(1, 0, 0, 0) };
  const store = storeOf([11], [[6, [4, 3]]], shards, SHARDED);
  assert.deepEqual(await placesOf(store, { missing: "warn" }), ["c/0 [1] missing", "c/1 [1] missing"]);
});

test("shards that inner chunks do not divide are damaged, and no others", async () => {
  const shards = { 0: shardOf(1, 1, 1, 1), 1: shardOf(1, 1), 2: shardOf(1, 1) };
  const store = storeOf([9], [[4, 3, 2]], shards, SHARDED);
  const { results, summary } = await verified(store);
  assert.deepEqual(
    results.map(({ key, state, proof, error }) => [key, state, proof, error.code]),
    [["c/1", "damaged", "none", "invalid_metadata"]],
  );
  assert.deepEqual([summary.states.sound, summary.chunks], [2, 3]);
});

test("chunks of a shape that their codecs do not allow are damaged, and no others", async () => {
  const reshape = { name: "reshape", configuration: { shape: [2, 2] } };
  const store = storeOf([5], [[4, 1]], { 0: zeros(4), 1: zeros(1) }, [reshape, "bytes"]);
  assert.deepEqual(await placesOf(store, { all: true }), ["c/0 sound", "c/1 damaged invalid_metadata"]);
});

test("a run that is aborted rejects with the reason", async () => {
  const store = storeOf([3], [[2, 1]], { 0: zeros(2), 1: zeros(1) });
  const controller = new AbortController();
  const reason = new Error("enough");
  store.get = function (key) {
    if (key === "/c/0") controller.abort(reason);
    return ListedStore.prototype.get.call(this, key);
  };
  await assert.rejects(verified(store, { signal: controller.signal }), reason);
});
