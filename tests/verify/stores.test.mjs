// Stores as zarr-python and tensorstore wrote them: every chunk is found and sound.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { metadataOf, openFolder, resultsOf, summaryOf, verify, WRITTEN } from "./helpers.mjs";

const { cells } = JSON.parse(readFileSync(new URL("../page/expected.json", import.meta.url), "utf8"));

/** The metadata of an array of a store on disk. */
const readMetadata = async (store, path) =>
  JSON.parse(new TextDecoder().decode(await store.get(`${path}/zarr.json`)));

test("the shards of an image: each chunk has a checksum where zarr-python stored one, or is missing", async () => {
  const store = openFolder("cells.ome.zarr");
  const metadata = await readMetadata(store, "/0");
  const results = await resultsOf(store, "/0", metadata);
  const { grid, shard } = verify.chunkLayout(metadata);
  const proofs = new Array(cells[0].checksums.length).fill("not visited");
  for (const { chunk, inner, proof } of results) {
    const position = chunk.map((at, axis) => at * shard.grid[axis] + inner[axis]);
    proofs[verify.ravel(position, grid)] = proof;
  }
  const expected = cells[0].checksums.map((checksum) => (checksum === null ? "none" : "checksum"));
  assert.deepEqual(proofs, expected);
});

test("the proof of each array of the sample store is what its codecs allow", async () => {
  const store = openFolder("sample.zarr");
  const found = {};
  const { consolidated_metadata: consolidated } = await readMetadata(store, "");
  const arrays = Object.entries(consolidated.metadata).filter(([, { node_type: type }]) => type === "array");
  for (const [name, metadata] of arrays) {
    const path = `/${name}`;
    const results = await resultsOf(store, path, metadata);
    found[path] = [...new Set(results.map(({ state, proof }) => `${state} ${proof}`)), results.length];
  }
  assert.deepEqual(found, {
    "/counts": ["sound checksum", 12],
    "/elevation": ["sound length", 9],
    "/land_mask": ["sound length", 4],
    "/precipitation": ["sound checksum", 6],
    "/pressure": ["sound checksum", 3],
    "/spectrum": ["sound checksum", 6],
    "/temperature": ["sound checksum", 9],
    "/time": ["sound length", 3],
  });
});

const PROOFS = {
  plain: "length",
  big: "length",
  checksum: "checksum",
  "big-checksum": "checksum",
  compressed: "checksum",
  transposed: "checksum",
  sharded: "checksum",
};

for (const [number, writer] of ["zarr-python", "tensorstore"].entries()) {
  const store = WRITTEN[number];
  const arrays = [...store.keys()]
    .filter((key) => key.endsWith("/zarr.json"))
    .map((key) => key.slice(0, -10));

  test(`${writer}: every array, in every data type, plain, compressed, transposed and in shards`, async () => {
    for (const array of arrays.filter((array) => !array.endsWith("-missing"))) {
      const [, kind] = /^\/[a-z]+\d*-(.+)$/.exec(array);
      const results = await resultsOf(store, array);
      assert.equal(results.length, 6, array);
      for (const { state, proof } of results) {
        assert.equal(`${state} ${proof}`, `sound ${PROOFS[kind]}`, array);
      }
    }
  });

  test(`${writer}: chunks of which nothing is stored are missing`, async () => {
    const results = await resultsOf(store, "/complex64-missing");
    const missing = results.filter(({ state }) => state === "missing").map(({ key }) => key);
    const keys = results.map(({ key }) => key);
    assert.deepEqual(
      missing,
      keys.filter((key) => !store.has(`/complex64-missing/${key}`)),
    );
    assert.ok(missing.length > 0 && missing.length < 6);
  });
}

test("each chunk of a shard is verified", async () => {
  const [store] = WRITTEN;
  const results = await resultsOf(store, "/int16-sharded", metadataOf(store, "/int16-sharded"));
  assert.deepEqual(results.map(summaryOf), [
    "c/0/0 [0,0] sound checksum",
    "c/0/0 [0,1] sound checksum",
    "c/0/0 [1,0] sound checksum",
    "c/0/0 [1,1] sound checksum",
    "c/1/0 [0,0] sound checksum",
    "c/1/0 [0,1] sound checksum",
  ]);
});

test("a store that reads no ranges is read as a whole", async () => {
  const [store] = WRITTEN;
  const whole = new Map(store);
  const metadata = metadataOf(store, "/int16-sharded");
  const summaries = async (store) => (await resultsOf(store, "/int16-sharded", metadata)).map(summaryOf);
  assert.deepEqual(await summaries(whole), await summaries(store));
});
