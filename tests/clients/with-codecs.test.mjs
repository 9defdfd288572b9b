// Published clients with their own copies of zarrita, in which nothing is registered: they are given a store that decodes.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadOmeZarrFromStore } from "@vivjs/loaders";
import { NgffImage } from "ome-zarr.js";
import { withCodecs } from "zarr-codecs";
import { assertPlane, flipBit, flipIndex, serveCells } from "./cells.mjs";
import { zarritaOf } from "./zarrita-of.mjs";

const intact = await serveCells();
const brokenChunk = await serveCells(flipBit);
const brokenIndex = await serveCells(flipIndex);

const CLIENTS = {
  "@vivjs/loaders": async (store, level, c) => {
    const { data } = await loadOmeZarrFromStore(store);
    return (await data[level].getRaster({ selection: { c, z: 1 } })).data;
  },
  "ome-zarr.js": async (store, level, c) => {
    const zarrita = await zarritaOf("ome-zarr.js");
    const array = await (await NgffImage.load(store)).openArray(String(level));
    return (await zarrita.get(array, [c, 1, null, null])).data;
  },
};

const isDamage = (error) => {
  const { code, key } = error.cause ?? error;
  assert.equal(code, "checksum_mismatch");
  assert.equal(key, "/2/c/1/0/0/0");
  return true;
};

for (const [name, planeOf] of Object.entries(CLIENTS)) {
  const { FetchStore } = await zarritaOf(name);
  describe(name, () => {
    const read = (url, level, channel) => planeOf(withCodecs(new FetchStore(url)), level, channel);

    test("right data stay right", async () => {
      for (const channel of [0, 1, 2]) assertPlane(await read(intact, 2, channel), 2, channel);
      assertPlane(await read(intact, 0, 1), 0, 1);
    });

    test("a flipped bit in a chunk", async () => {
      await assert.rejects(read(brokenChunk, 2, 1), isDamage);
      assertPlane(await read(brokenChunk, 2, 2), 2, 2);
    });

    test("a flipped bit in an index", async () => {
      await assert.rejects(read(brokenIndex, 2, 1), isDamage);
      assertPlane(await read(brokenIndex, 2, 2), 2, 2);
    });
  });

  test(`${name} alone returns wrong pixels`, async () => {
    const [right, wrong] = await Promise.all(
      [intact, brokenChunk].map((url) => planeOf(new FetchStore(url), 2, 1)),
    );
    assert.notDeepEqual(wrong, right);
  });
}
