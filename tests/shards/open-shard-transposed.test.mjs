// `openShard` where shards or their inner chunks are transposed.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain, openShard } from "zarr-codecs";
import { chainOf, elementsOf, flip, openStore as openStoreOf } from "./stores.mjs";

/** tensorstore writes inner chunks in C order, without gaps. */
const openStore = () => openStoreOf("tensorstore");

describe("openShard and transposes", () => {
  test("coordinates and inner chunks are those of the array", async () => {
    const store = openStore();
    const chain = chainOf(store, "transposed-outside");
    const bytes = store.get("/transposed-outside/c/0/0");
    const whole = chain.decode(bytes);
    const shard = await openShard(chain, bytes);
    assert.deepEqual(
      [shard.gridShape, shard.chunkShape],
      [
        [2, 3],
        [2, 3],
      ],
    );
    for (const [y, x] of [
      [0, 0],
      [1, 2],
    ]) {
      const expected = [0, 1, 2, 9, 10, 11].map((i) => whole.data[y * 18 + x * 3 + i]);
      const chunk = await shard.decode([y, x]);
      assert.deepEqual(
        { ...chunk, data: [...chunk.data] },
        { data: expected, shape: [2, 3], stride: [3, 1] },
      );
      const strided = await shard.decode([y, x], { strided: true });
      assert.deepEqual(
        [strided.shape, strided.stride],
        [
          [2, 3],
          [1, 2],
        ],
      );
      assert.deepEqual(elementsOf(strided), expected);
      const out = new Uint16Array(6);
      assert.equal((await shard.decode([y, x], { out })).data, out);
      assert.deepEqual([...out], expected);
    }
    const [index] = [...Array(6).keys()].map((i) => shard.range([Math.floor(i / 3), i % 3]).offset);
    assert.equal(index, 0);
    assert.equal(shard.range([1, 0]).offset, 16); // The next one in the shard, whose first dimension is x.
  });

  test("of every data type", async () => {
    const little = { name: "bytes", configuration: { endian: "little" } };
    const times = { unit: "s", scale_factor: 1 };
    const fields = [
      { name: "a", data_type: "int16" },
      { name: "b", data_type: "float64" },
    ];
    for (const [dataType, fillValue, options] of [
      ["bfloat16", 0],
      ["bfloat16", 0, { smallFloats: "bits" }],
      ["complex_float16", [0, 0]],
      ["complex_float16", [0, 0], { float16: "bits" }],
      ["float8_e5m2", 0, { strided: true }],
      ["uint4", 0],
      ["r24", [0, 0, 0]],
      ["complex128", [0, 0], { strided: true }],
      [{ name: "numpy.datetime64", configuration: times }, "NaT"],
      [{ name: "fixed_length_utf32", configuration: { length_bytes: 8 } }, ""],
      [
        { name: "struct", configuration: { fields } },
        { a: 0, b: 0 },
      ],
    ]) {
      const configuration = { chunk_shape: [3, 2], codecs: [little], index_codecs: [little] };
      // Before the shards, and in them.
      const transpose = { name: "transpose", configuration: { order: [1, 0] } };
      configuration.codecs = [transpose, little];
      const codecs = [transpose, { name: "sharding_indexed", configuration }];
      const metadata = { dataType, shape: [4, 6], fillValue };
      const plain = createCodecChain({ ...metadata, codecs: [little] }, options);
      const bytes = Uint8Array.from({ length: plain.encodedByteLength }, (_, i) =>
        i % 4 === 3 ? 0 : i % 48,
      );
      const whole = plain.decode(bytes);
      const chain = createCodecChain({ ...metadata, codecs }, options);
      const shard = await openShard(chain, chain.encode(whole));
      const chunk = await shard.decode([1, 1]);
      assert.deepEqual(chunk.stride, options?.strided ? [1, 2] : [3, 1]);
      const components = whole.data.length / 24;
      const numbers = (data, at) => [...data.subarray(at * components, (at + 1) * components)];
      for (let y = 0; y < 2; y++) {
        for (let x = 0; x < 3; x++) {
          const at = y * chunk.stride[0] + x * chunk.stride[1];
          assert.deepEqual(numbers(chunk.data, at), numbers(whole.data, (2 + y) * 6 + 3 + x));
        }
      }
      const out = chunk.data.slice().fill(chunk.data[1]);
      assert.equal((await shard.decode([1, 1], { out })).data, out);
      assert.deepEqual(out, chunk.data);
      if (dataType.name === "struct") assert.equal(chunk.field("a")[0], whole.field("a")[15]);
      if (dataType.name === "fixed_length_utf32") assert.equal(chunk.strings()[0], whole.strings()[15]);
    }
  });

  test("a transpose in the shard alone is left to the option strided", async () => {
    const store = openStore();
    const chain = chainOf(store, "transposed-inside");
    const bytes = store.get("/transposed-inside/c/0/0");
    const shard = await openShard(chain, bytes);
    const { data: whole, stride } = chain.decode(bytes);
    const expected = [0, 1, 2].flatMap((x) => [0, 1].map((y) => whole[y * stride[0] + x]));
    const chunk = await shard.decode([0, 0], { strided: true });
    assert.deepEqual(
      [chunk.shape, chunk.stride],
      [
        [2, 3],
        [1, 2],
      ],
    );
    assert.deepEqual([...chunk.data], expected);
  });

  test("the option verify is that of the chunks", async () => {
    const store = openStore();
    const name = "transposed-outside";
    const key = `/${name}/c/0/0`;
    const at = [0, 0];
    const whole = await (await openShard(chainOf(store, name), store.get(key))).decode(at);
    flip(store, key, 0);
    const shard = await openShard(chainOf(store, name), store.get(key));
    await assert.rejects(shard.decode(at), { code: "checksum_mismatch", chunk: at });
    const unverified = await shard.decode(at, { verify: false });
    assert.deepEqual(unverified.shape, whole.shape);
    assert.notDeepEqual(unverified.data, whole.data);
  });
});
