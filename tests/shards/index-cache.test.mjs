// How many indexes of shards withShards keeps.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withShards } from "zarr-codecs/zarrita";

const LITTLE = { name: "bytes", configuration: { endian: "little" } };

/** Wraps a store with an array whose shards have this many inner chunks, all missing. Returns a function that counts requests for one. */
function openShards(entries) {
  const configuration = { chunk_shape: [1], codecs: [LITTLE], index_codecs: [LITTLE] };
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [4 * entries],
    data_type: "uint8",
    fill_value: 0,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [entries] } },
    chunk_key_encoding: { name: "default" },
    codecs: [{ name: "sharding_indexed", configuration }],
  };
  const index = new Uint8Array(16 * entries).fill(0xff);
  let requests = 0;
  const store = withShards({
    get: () => new TextEncoder().encode(JSON.stringify(metadata)),
    getRange() {
      requests += 1;
      return index;
    },
  });
  return async (shard) => {
    requests = 0;
    assert.equal(await store.get(`/c/${shard * entries + 1}`), undefined);
    return requests;
  };
}

test("those of the shards that were opened last, as far as they are not too long", async () => {
  const read = openShards(2 ** 21);
  assert.deepEqual([await read(0), await read(1)], [1, 1]);
  assert.deepEqual([await read(0), await read(1)], [0, 0]);
  assert.equal(await read(2), 1);
  assert.deepEqual([await read(1), await read(2)], [0, 0]);
  assert.equal(await read(0), 1);
});

test("one, however long it is", async () => {
  const read = openShards(2 ** 22 + 1);
  assert.deepEqual([await read(0), await read(0)], [1, 0]);
});
