// Arrays as zarr-python compresses them by default, and with the compressors that users choose most: no reader needs an option.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openArray } from "zarr-codecs";
import { bytesOf, elementsOf } from "../array/helpers.mjs";
import { ListedStore, verified } from "../verify/store-helpers.mjs";
import { readStores, storeOf } from "../zarrita/stores.mjs";
import { VERSIONS } from "../zarrita/versions.mjs";

const contents = JSON.parse(readFileSync(new URL("default-stores.json", import.meta.url), "utf8"));
const COUNT = 15;

for (const [version, zarrita] of Object.entries(VERSIONS)) {
  test(`withCodecs, zarrita ${version}`, async () => {
    assert.deepEqual(await readStores(zarrita, contents), { read: COUNT, wrong: [] });
  });
}

test("openArray", async () => {
  const store = storeOf(contents);
  const arrays = Object.entries(contents.arrays);
  assert.equal(arrays.length, COUNT);
  for (const [name, { elements }] of arrays) {
    const expected = new Uint8Array(Buffer.from(elements, "base64"));
    const array = await openArray(store, name);
    const size = expected.length / (contents.shape[0] * contents.shape[1]);
    const read = async (at) => bytesOf(await array.getChunk(at));
    assert.deepEqual(await elementsOf(array, size, read), expected, name);
  }
});

test("verifyStore", async () => {
  const { results, summary } = await verified(new ListedStore(storeOf(contents)), { all: "inner" });
  assert.deepEqual([...new Set(results.map(({ state }) => state))], ["sound"]);
  assert.equal(summary.verdict, "sound");
  assert.ok(results.length > COUNT * 4, `${results.length}`);
});
