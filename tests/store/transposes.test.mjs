// Several transposes of an array, of which zarrita by itself applies only one.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { crc32c, withCodecs } from "zarr-codecs";
import { LITTLE as little } from "../array/helpers.mjs";
import { arrayMetadata, elementsOf, storeWith } from "../zarrita/stores.mjs";
import { VERSIONS } from "../zarrita/versions.mjs";
import { grid } from "./helpers.mjs";

const SHAPE = [2, 3, 4];
const ORDERS = [
  [2, 0, 1],
  [1, 0, 2],
];
const TRANSPOSES = ORDERS.map((order) => ({ name: "transpose", configuration: { order } }));

/** The numbers from 0 in C order. */
const VALUES = Array.from({ length: 24 }, (_, i) => i);

/** The same in the stored order, found element by element. */
const STORED = (() => {
  const apply = (order, items) => order.map((axis) => items[axis]);
  const storedShape = ORDERS.reduce((shape, order) => apply(order, shape), SHAPE);
  const stored = [];
  for (const value of VALUES) {
    const at = [Math.floor(value / 12), Math.floor(value / 4) % 3, value % 4];
    const [x, y, z] = ORDERS.reduce((coordinates, order) => apply(order, coordinates), at);
    stored[(x * storedShape[1] + y) * storedShape[2] + z] = value;
  }
  return stored;
})();

/** A shard of one inner chunk, with its index at the end. */
function shardOf(chunk) {
  const shard = new Uint8Array(chunk.length + 20);
  shard.set(chunk);
  const view = new DataView(shard.buffer, chunk.length);
  view.setBigUint64(8, BigInt(chunk.length), true);
  view.setUint32(16, crc32c(shard.subarray(chunk.length, -4)), true);
  return shard;
}

const sharding = (chunk_shape, codecs) => ({
  name: "sharding_indexed",
  configuration: { chunk_shape, codecs, index_codecs: [little, { name: "crc32c" }] },
});

function storeOf(dataType, codecs, chunk, others) {
  const metadata = arrayMetadata({ dataType, shape: SHAPE, chunk_grid: grid(...SHAPE), codecs, ...others });
  return storeWith(metadata, { "/c/0/0/0": chunk });
}

for (const [version, zarrita] of Object.entries(VERSIONS)) {
  describe(`zarrita ${version}`, () => {
    const read = async (store) => {
      const array = await zarrita.open.v3(withCodecs(store), { kind: "array" });
      return elementsOf(await zarrita.get(array)).map(Number);
    };
    const plain = new Uint8Array(Uint16Array.from(STORED).buffer);

    test("of chunks", async () => {
      const codecs = [...TRANSPOSES, little];
      assert.deepEqual(await read(storeOf("uint16", codecs, plain)), VALUES);
      const pairs = new Uint8Array(Float32Array.from(STORED.flatMap((n) => [n, -n])).buffer);
      const complex = storeOf("complex64", codecs, pairs, { fill_value: [0, 0] });
      assert.deepEqual(
        await read(complex),
        VALUES.flatMap((n) => [n, -n]),
      );
    });

    test("before shards, in them, and both", async () => {
      const [first, second] = TRANSPOSES;
      for (const codecs of [
        [first, second, sharding([2, 4, 3], [little])],
        [first, sharding([4, 2, 3], [second, little])],
        [sharding(SHAPE, [first, second, little])],
      ]) {
        assert.deepEqual(await read(storeOf("uint16", codecs, shardOf(plain))), VALUES);
      }
    });
  });
}
