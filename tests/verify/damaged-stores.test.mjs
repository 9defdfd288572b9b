// Stores written by three implementations, damaged at known places: the results name exactly those.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DAMAGE_COUNT, damagedChunks } from "../js/chains.mjs";
import { SHARD_DAMAGE_COUNT } from "../js/shards.mjs";
import {
  addArray,
  ListedStore,
  placeOf,
  READERS,
  readVectors,
  storeOfFiles,
  verified,
} from "./store-helpers.mjs";

const files = new Map();
const readOnce = (folder) => (file) => {
  const path = `${folder}/${file}`;
  return files.get(path) ?? files.set(path, readVectors(path)).get(path);
};

/** Every damage of a file, each in a copy of the array that has it. */
function* damagedArrays(folder) {
  const read = readOnce(folder);
  for (const described of read("damaged.json")) {
    const { file, array: name, chunk } = described;
    const array = read(file).arrays.find((each) => each.name === name);
    for (const { where, damaged, expected, inner } of damagedChunks([described], read)) {
      const store = addArray(new ListedStore(), array);
      store.set(`/${name}/${chunk}`, damaged);
      yield { where, store, key: `${name}/${chunk}`, expected, inner };
    }
  }
}

const CODES = {
  ChecksumMismatchError: "checksum_mismatch",
  ChunkLengthError: "chunk_length",
  ExternalCodecError: "external_codec",
  InvalidElementError: "invalid_element",
};

test("every damage of a chunk is found, and nothing else", async () => {
  let count = 0;
  for (const { where, store, key, expected } of damagedArrays("chains")) {
    const { results, summary } = await verified(store);
    assert.deepEqual(
      results.map(({ key, state }) => `${key} ${state}`),
      [`${key} damaged`],
      where,
    );
    assert.ok(expected.map((name) => CODES[name]).includes(results[0].error.code), where);
    assert.equal(summary.verdict, "damaged");
    count += 1;
  }
  assert.equal(count, DAMAGE_COUNT);
});

for (const how of ["at once", "whole values", "into the same memory"]) {
  test(`every damage of a shard is found, and names its inner chunk or none, read ${how}`, async () => {
    let count = 0;
    for (const { where, store, key, inner } of damagedArrays("shards")) {
      const { results, summary } = await verified(READERS[how](store));
      assert.deepEqual(
        results.map(({ key, state }) => `${key} ${state}`),
        [`${key} damaged`],
        where,
      );
      const [{ inner: found, error }] = results;
      if (found && inner) assert.deepEqual(found, inner, where);
      // One that is cut off, by damage of the shard as a whole.
      else if (found) assert.equal(error.code, "chunk_length", where);
      // Damage in an index names the entry, where it is known.
      else if (inner)
        assert.match(error.message, new RegExp(`\\(${inner.join(", ")}\\)|entries|index`), where);
      assert.equal(summary.states.damaged, 1, where);
      count += 1;
    }
    assert.equal(count, SHARD_DAMAGE_COUNT);
  });
}

const FILES = ["zarr-python.json", "chains/tensorstore.json", "shards/zarrs.json", "shards/tensorstore.json"];

/** Changes the value of a key. */
const change = (store, key, by) =>
  store.set(`/${key}`, by(Uint8Array.from(Map.prototype.get.call(store, `/${key}`))));

const flip = (at) => (bytes) => bytes.fill(bytes.at(at) ^ 16, at, at + 1 || undefined);

/** Damages one store at many places. Returns what has to be found, and nothing else. */
function damaged(store) {
  change(store, "zarr-python/int16-little-crc32c-3d/c/0/0/0", flip(2));
  change(store, "zarr-python/uint8-1d/c/1", (bytes) => bytes.subarray(0, 5));
  change(store, "zarr-python/int32-big-1d/c/0", (bytes) => Uint8Array.of(...bytes, 0));
  change(store, "zarr-python/float64-big-crc32c-1d/c/1", () => new Uint8Array());
  change(store, "chains-tensorstore/gzip-9/c/0", flip(-6));
  store.delete("/chains-tensorstore/gzip-5/c/0");
  store.set("/chains-tensorstore/gzip-5/c/1000", new Uint8Array(3));
  store.set("/chains-tensorstore/gzip-5/d/0", new Uint8Array(3));
  store.set("/notes.txt", new Uint8Array(3));
  store.set("/gone/c/0/0", new Uint8Array(3));
  change(store, "shards-zarrs/compressed-gzip-crc32c/c/0/0/0", flip(0));
  change(store, "shards-zarrs/index-end-little-crc32c/c/0/0/0", flip(-5));
  change(store, "shards-zarrs/index-start-little-crc32c/c/0/0/0", (bytes) => bytes.subarray(0, -1));
  change(store, "shards-tensorstore/compressed-crc32c-zstd/c/0/0/0", (bytes) => bytes.subarray(1));
  store.set("/shards-tensorstore/edges/zarr.json", new TextEncoder().encode("{"));
  change(store, "shards-tensorstore/4d/zarr.json", (bytes) =>
    new TextEncoder().encode(new TextDecoder().decode(bytes).replace('"little"', '"middle"')),
  );
  return [
    "chains-tensorstore/gzip-5/c/1000 stray",
    "chains-tensorstore/gzip-5/d/0 stray",
    "chains-tensorstore/gzip-9/c/0 damaged checksum_mismatch",
    "gone/c/0/0 stray",
    "notes.txt stray",
    "shards-tensorstore/4d/zarr.json damaged invalid_metadata",
    "shards-tensorstore/compressed-crc32c-zstd/c/0/0/0 damaged invalid_element",
    "shards-tensorstore/edges/zarr.json damaged invalid_metadata",
    "shards-zarrs/compressed-gzip-crc32c/c/0/0/0 [0,0,0] damaged checksum_mismatch",
    "shards-zarrs/index-end-little-crc32c/c/0/0/0 damaged checksum_mismatch",
    "shards-zarrs/index-start-little-crc32c/c/0/0/0 [1,1,1] damaged chunk_length",
    "zarr-python/float64-big-crc32c-1d/c/1 damaged chunk_length",
    "zarr-python/int16-little-crc32c-3d/c/0/0/0 damaged checksum_mismatch",
    "zarr-python/int32-big-1d/c/0 damaged chunk_length",
    "zarr-python/uint8-1d/c/1 damaged chunk_length",
  ];
}

for (const [how, reading] of Object.entries(READERS)) {
  test(`a store with damage of every kind, read ${how}`, async () => {
    const store = storeOfFiles(...FILES);
    const expected = damaged(store);
    const { results, summary } = await verified(reading(store));
    assert.deepEqual(results.map(placeOf).sort(), expected);
    assert.equal(summary.verdict, "damaged");
    assert.deepEqual(summary.states, { ...summary.states, damaged: 11, stray: 4, unreadable: 0 });
    assert.ok(summary.states.missing > 0 && summary.states.sound > 500);
  });
}
