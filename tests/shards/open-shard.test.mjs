// `openShard`: the requests that it makes, and what happens to those that fail.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain, openShard, Shard } from "zarr-codecs";
import { chainOf, flip, INDEX_LENGTH, metadataOf, openStore as openStoreOf, sourceOf } from "./stores.mjs";

/** tensorstore writes inner chunks in C order, without gaps. */
const openStore = () => openStoreOf("tensorstore");

describe("openShard", () => {
  test("one request for the index, at the end or the start", async () => {
    const store = openStore();
    for (const [name, range] of [
      ["end", { suffixLength: INDEX_LENGTH }],
      ["start", { offset: 0, length: INDEX_LENGTH }],
    ]) {
      const { source, ranges } = sourceOf(store, `/${name}/c/0/0`);
      await openShard(chainOf(store, name), source);
      assert.deepEqual(ranges, [range]);
    }
  });

  test("one request for each inner chunk, or for several that are close to each other", async () => {
    const store = openStore();
    const { source, ranges } = sourceOf(store, "/end/c/0/0");
    const shard = await openShard(chainOf(store, "end"), source);
    const whole = chainOf(store, "end").decode(store.get("/end/c/0/0"));
    const at = (y, x) => whole.data[y * 9 + x];
    const chunk = await shard.decode([1, 2]);
    assert.deepEqual([...chunk.data], [at(2, 6), at(2, 7), at(2, 8), at(3, 6), at(3, 7), at(3, 8)]);
    assert.deepEqual(chunk.shape, [2, 3]);
    assert.deepEqual(ranges.slice(1), [shard.range([1, 2])]);
    await Promise.all([shard.decode([0, 0]), shard.decode([0, 2]), shard.decode([0, 0])]);
    assert.deepEqual(ranges.slice(2), [{ offset: 0, length: 48 }]); // With the one between them.
  });

  test("the limits of coalescing are options", async () => {
    const store = openStore();
    const FIRST = [
      [0, 0],
      [0, 1],
      [1, 0],
    ];
    const read = async (options, chunks = FIRST) => {
      const { source, ranges } = sourceOf(store, "/end/c/0/0");
      const shard = await openShard(chainOf(store, "end"), source, options);
      await Promise.all(chunks.map((at) => shard.decode(at)));
      return ranges.slice(1);
    };
    const [a, b, d] = [0, 16, 48].map((offset) => ({ offset, length: 16 }));
    assert.deepEqual(await read({}), [{ offset: 0, length: 64 }]);
    assert.deepEqual(await read({ maxGap: 16 }), [{ offset: 0, length: 64 }]);
    assert.deepEqual(await read({ maxGap: 15 }), [{ offset: 0, length: 32 }, d]);
    assert.deepEqual(await read({ maxRequestLength: 32 }), [{ offset: 0, length: 32 }, d]);
    assert.deepEqual(await read({ maxRequestLength: 32 }, FIRST.slice(1)), [b, d]);
    assert.deepEqual(await read({ maxRequestLength: 48 }, FIRST.slice(1)), [{ offset: 16, length: 48 }]);
    assert.deepEqual(await read({ maxRequestLength: 31 }), [a, b, d]);
    await assert.rejects(read({ maxGap: -1 }), {
      code: "invalid_argument",
      argument: "options.maxGap",
      message: "options.maxGap: expected a number of at least 0, got -1",
    });
    await assert.rejects(read({ maxRequestLength: "1" }), { argument: "options.maxRequestLength" });
  });

  test("from bytes", async () => {
    const store = openStore();
    for (const name of ["end", "start", "missing"]) {
      const chain = chainOf(store, name);
      const key = `/${name}/c/0/0`;
      const fromBytes = await openShard(chain, store.get(key));
      const fromRanges = await openShard(chain, sourceOf(store, key).source);
      for (const at of [
        [0, 0],
        [0, 1],
        [1, 2],
      ]) {
        assert.deepEqual(fromBytes.range(at), fromRanges.range(at));
        assert.deepEqual(await fromBytes.decode(at), await fromRanges.decode(at));
      }
    }
  });

  test("missing inner chunks, and a missing shard", async () => {
    const store = openStore();
    const shard = await openShard(chainOf(store, "missing"), sourceOf(store, "/missing/c/0/0").source);
    assert.equal(shard.has([1, 0]), false);
    assert.equal(shard.range([1, 0]), undefined);
    assert.equal(await shard.decode([1, 0]), undefined);
    assert.equal(shard.has([0, 1]), true);
    const none = await openShard(chainOf(store, "missing"), () => undefined);
    assert.equal(none.has([0, 1]), false);
    assert.equal(await none.decode([0, 1]), undefined);
  });

  test("rejects coordinates outside the grid, and chains without shards", async () => {
    const store = openStore();
    const shard = await openShard(chainOf(store, "end"), store.get("/end/c/0/0"));
    for (const at of [[0], [0, 3], [-1, 0], [0.5, 0], "00", 5, null, Int32Array.of(0, 0), [0, 0, 0]]) {
      assert.throws(() => shard.has(at), { code: "invalid_argument", argument: "coordinates" });
      await assert.rejects(shard.decode(at), { code: "invalid_argument" });
    }
    assert.throws(() => shard.has([0, 3]), {
      message: "coordinates: expected coordinates in a grid of [2, 3] inner chunks, got [0, 3]",
    });
    await assert.rejects(openShard(chainOf(store, "end"), 5), { argument: "source" });
    const { data_type: dataType, codecs } = metadataOf(store, "end");
    const reshape = { name: "reshape", configuration: { shape: [4, 9] } };
    const metadata = { dataType, shape: [36], fillValue: 0 };
    for (const [chain, names] of [
      [chainOf(openStoreOf("zarr-python"), "then-crc32c"), "sharding_indexed, crc32c"],
      [createCodecChain({ ...metadata, codecs: [reshape, ...codecs] }), "reshape, sharding_indexed"],
      [createCodecChain({ ...metadata, dataType: "uint8", codecs: ["bytes"] }), "bytes"],
    ]) {
      await assert.rejects(openShard(chain, new Uint8Array(300)), {
        code: "invalid_argument",
        argument: "openShard",
        message: `openShard needs sharding_indexed, alone or after transpose, got ${names}: decode the shard as a whole`,
      });
    }
  });

  test("is what creates shards", async () => {
    const store = openStore();
    const shard = await openShard(chainOf(store, "end"), store.get("/end/c/0/0"));
    assert.throws(() => new Shard(), {
      code: "invalid_argument",
      argument: "Shard",
      message: "Shard cannot be constructed: use openShard",
    });
    assert.ok(shard instanceof Shard);
  });

  test("damage to an index that is read by its suffix is said once to be there", async () => {
    const store = openStore();
    const key = "/end/c/0/0";
    flip(store, key, store.get(key).length - 1);
    await assert.rejects(openShard(chainOf(store, "end"), sourceOf(store, key).source), ({ message }) =>
      message.startsWith(
        `shard index, last ${INDEX_LENGTH} bytes of the file: shard index is corrupt: crc32c stored 0x`,
      ),
    );
  });

  test("answers of another length are errors with the range", async () => {
    const store = openStore();
    const key = "/end/c/0/0";
    const short = (bytes) => bytes.subarray(1);
    const { length } = store.get(key);
    await assert.rejects(openShard(chainOf(store, "end"), sourceOf(store, key, short).source), {
      code: "chunk_length",
      range: { suffixLength: INDEX_LENGTH },
      message: `shard index, last ${INDEX_LENGTH} bytes of the file: the source returned ${INDEX_LENGTH - 1} bytes, expected ${INDEX_LENGTH}`,
    });
    await assert.rejects(
      openShard(chainOf(store, "end"), () => store.get(key)),
      {
        code: "chunk_length",
        actual: length,
      },
    );
    for (const [change, actual] of [
      [short, 15],
      [() => undefined, 0],
      [() => store.get(key), length],
    ]) {
      const { source } = sourceOf(store, key, (bytes, range) => ("offset" in range ? change(bytes) : bytes));
      const shard = await openShard(chainOf(store, "end"), source);
      await assert.rejects(shard.decode([0, 1]), {
        code: "chunk_length",
        actual,
        expected: 16,
        chunk: [0, 1],
        range: { offset: 16, length: 16 },
      });
    }
  });

  test("a shard that is shorter than its index", async () => {
    const store = openStore();
    for (const name of ["start", "end"]) {
      await assert.rejects(openShard(chainOf(store, name), new Uint8Array(20)), {
        code: "chunk_length",
        actual: 20,
        range: { offset: 0, length: 20 },
      });
    }
  });
});
