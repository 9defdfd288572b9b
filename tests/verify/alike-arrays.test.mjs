// Arrays whose chunks have the same form, of which codecs and layouts are shared.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createCodecChain } from "zarr-codecs";
import { arrayMetadata } from "./helpers.mjs";
import { GROUP, ListedStore, placesOf, toBytes } from "./store-helpers.mjs";

/** A store of two arrays with the same metadata, but for their shapes. */
const storeOf = (shapes, members) =>
  new ListedStore([
    ["/zarr.json", toBytes(GROUP)],
    ...shapes.map((shape, i) => [`/${i}/zarr.json`, toBytes(arrayMetadata({ ...members, shape }))]),
  ]);

const regular = (...chunk_shape) => ({ chunk_grid: { name: "regular", configuration: { chunk_shape } } });

test("each has the chunks of its own shape", async () => {
  const store = storeOf(
    [
      [2, 2],
      [2, 6],
      [4, 2],
    ],
    regular(2, 2),
  );
  for (const key of ["0/c/0/0", "1/c/0/0", "1/c/0/1", "1/c/0/2", "2/c/0/0", "2/c/1/0"])
    store.set(`/${key}`, new Uint8Array(4));
  assert.deepEqual(await placesOf(store, { all: true }), [
    "0/c/0/0 sound",
    "1/c/0/0 sound",
    "1/c/0/1 sound",
    "1/c/0/2 sound",
    "2/c/0/0 sound",
    "2/c/1/0 sound",
  ]);
});

test("each lacks only inner chunks with elements of its own", async () => {
  const little = { name: "bytes", configuration: { endian: "little" } };
  const configuration = { chunk_shape: [2], codecs: ["bytes"], index_codecs: [little] };
  const codecs = [{ name: "sharding_indexed", configuration }];
  const chain = createCodecChain({ dataType: "uint8", shape: [4], codecs, fillValue: 0 });
  const shard = chain.encode(Uint8Array.of(1, 1, 0, 0)); // The second inner chunk is empty.
  for (const shapes of [
    [[2], [3]],
    [[3], [2]],
  ]) {
    const store = storeOf(shapes, { ...regular(4), codecs });
    for (const i of [0, 1]) store.set(`/${i}/c/0`, shard);
    const longer = shapes.findIndex(([length]) => length === 3);
    assert.deepEqual(await placesOf(store, { missing: "warn" }), [`${longer}/c/0 [1] missing`]);
  }
});
