// Stores written by three implementations are sound, with the proofs that their codecs allow.

import assert from "node:assert/strict";
import { test } from "node:test";
import { READERS, readVectors, storeOfFiles, verified } from "./store-helpers.mjs";

/** The files, with the number of arrays and chunks in each, so that a test of none cannot pass. */
const FILES = [
  "zarr-python.json",
  "tensorstore.json",
  "zarrs.json",
  "chains/zarr-python.json",
  "chains/tensorstore.json",
  "chains/zarrs.json",
  "chains/zarr-python-rectilinear.json",
  "chains/zarrs-rectilinear.json",
  "shards/zarr-python.json",
  "shards/tensorstore.json",
  "shards/zarrs.json",
  "types/zarr-python.json",
  "types/zarr-python-3.4.2.json",
  "types/tensorstore.json",
  "types/zarrs.json",
];

for (const file of FILES) {
  for (const [how, reading] of Object.entries(READERS)) {
    test(`${file}, read ${how}: all chunks are sound, and nothing is stray`, async () => {
      const store = storeOfFiles(file);
      const { arrays } = readVectors(file);
      const { results, summary } = await verified(reading(store));
      assert.deepEqual(results, []);
      assert.equal(summary.verdict, "sound");
      assert.equal(summary.nodes, arrays.length + 2);
      assert.equal(summary.states.sound, arrays.flatMap(({ chunks }) => chunks).length);
      assert.equal(summary.units, summary.states.sound + summary.states.missing);
      assert.equal(summary.done, summary.total);
      assert.ok(summary.complete && summary.bytes > 0);
    });
  }
}

/** What is proven of arrays, by their names. */
const PROOFS = [
  [/^(index-.*-crc32c|index-crc32c-twice)$/, "length"],
  [/^(nested-two-checksum|compressed-(gzip|crc32c-zstd|gzip-crc32c))$/, "checksum"],
  [/^compressed-(zstd|blosc)$/, "decoded"],
  [/^before-.*crc32c$/, "checksum"],
];

for (const writer of ["zarr-python", "tensorstore", "zarrs"]) {
  test(`the proof of shards by ${writer}: the least of inner chunks and index`, async () => {
    const { results } = await verified(storeOfFiles(`shards/${writer}.json`), { all: true });
    let seen = 0;
    for (const { array, state, proof, inner } of results) {
      const name = array.slice(array.indexOf("/") + 1);
      const [, expected] = PROOFS.find(([pattern]) => pattern.test(name)) ?? [];
      if (expected === undefined || state === "missing") continue;
      assert.equal(`${name} ${proof}`, `${name} ${expected}`);
      assert.equal(inner, undefined);
      seen += 1;
    }
    assert.ok(seen > 5, `${seen} shards`);
  });
}
