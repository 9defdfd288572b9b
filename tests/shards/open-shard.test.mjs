// `openShard`: the requests that it makes, and what happens to those that fail or are aborted.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import { codecChainForArray, createCodecChain } from "zarr-codecs";
import { elementsOf, flip, INDEX_LENGTH, metadataOf, openStore as openStoreOf } from "./stores.mjs";

/** tensorstore writes inner chunks in C order, without gaps. */
const openStore = () => openStoreOf("tensorstore");

/** A function that reads ranges of a shard, and the ranges that it was asked for. */
function sourceOf(store, key, change = (bytes) => bytes) {
  const ranges = [];
  const source = async (range, options) => {
    ranges.push(range);
    await new Promise((resolve) => setTimeout(resolve, 1));
    options?.signal?.throwIfAborted();
    return change(store.getRange(key, range), range);
  };
  return { source, ranges };
}

const chainOf = (store, name) => codecChainForArray(metadataOf(store, name));

describe("openShard", () => {
  test("one request for the index, at the end or the start", async () => {
    const store = openStore();
    for (const [name, range] of [
      ["end", { suffixLength: INDEX_LENGTH }],
      ["start", { offset: 0, length: INDEX_LENGTH }],
    ]) {
      const { source, ranges } = sourceOf(store, `/${name}/c/0/0`);
      await chainOf(store, name).openShard(source);
      assert.deepEqual(ranges, [range]);
    }
  });

  test("one request for each inner chunk, or for several that are close to each other", async () => {
    const store = openStore();
    const { source, ranges } = sourceOf(store, "/end/c/0/0");
    const shard = await chainOf(store, "end").openShard(source);
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
      const shard = await chainOf(store, "end").openShard(source, options);
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
      ...{ code: "invalid_argument", argument: "options.maxGap" },
      message: "options.maxGap: expected a number of at least 0, got -1",
    });
    await assert.rejects(read({ maxRequestLength: "1" }), { argument: "options.maxRequestLength" });
  });

  test("from bytes", async () => {
    const store = openStore();
    for (const name of ["end", "start", "missing"]) {
      const chain = chainOf(store, name);
      const key = `/${name}/c/0/0`;
      const fromBytes = await chain.openShard(store.get(key));
      const fromRanges = await chain.openShard(sourceOf(store, key).source);
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

  test("after a transpose, coordinates and inner chunks are those of the array", async () => {
    const store = openStore();
    const chain = chainOf(store, "transposed-outside");
    const bytes = store.get("/transposed-outside/c/0/0");
    const whole = chain.decode(bytes);
    const shard = await chain.openShard(bytes);
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

  test("after a transpose, of every data type", async () => {
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
      const shard = await chain.openShard(chain.encode(whole));
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

  test("a signal that is none is an error", async () => {
    const store = openStore();
    const bytes = store.get("/end/c/0/0");
    const shard = await chainOf(store, "end").openShard(bytes);
    for (const [signal, got] of [
      [5, "5"],
      [null, "null"],
      [{ aborted: false }, "an object"],
      [new AbortController(), "an AbortController"],
    ]) {
      const error = {
        name: "InvalidArgumentError",
        message: `options.signal: expected an AbortSignal, got ${got}`,
      };
      await assert.rejects(chainOf(store, "end").openShard(bytes, { signal }), error);
      await assert.rejects(shard.decode([0, 0], { signal }), error);
    }
  });

  test("missing inner chunks, and a missing shard", async () => {
    const store = openStore();
    const shard = await chainOf(store, "missing").openShard(sourceOf(store, "/missing/c/0/0").source);
    assert.equal(shard.has([1, 0]), false);
    assert.equal(shard.range([1, 0]), undefined);
    assert.equal(await shard.decode([1, 0]), undefined);
    assert.equal(shard.has([0, 1]), true);
    const none = await chainOf(store, "missing").openShard(() => undefined);
    assert.equal(none.has([0, 1]), false);
    assert.equal(await none.decode([0, 1]), undefined);
  });

  test("rejects coordinates outside the grid, and chains without shards", async () => {
    const store = openStore();
    const shard = await chainOf(store, "end").openShard(store.get("/end/c/0/0"));
    for (const at of [[0], [0, 3], [-1, 0], [0.5, 0], "00", [0, 0, 0]]) {
      assert.throws(() => shard.has(at), { code: "invalid_argument", argument: "coordinates" });
      await assert.rejects(shard.decode(at), { code: "invalid_argument" });
    }
    assert.throws(() => shard.has([0, 3]), {
      message: "coordinates: expected coordinates in a grid of [2, 3] inner chunks, got [0, 3]",
    });
    await assert.rejects(chainOf(openStoreOf("zarr-python"), "then-crc32c").openShard(new Uint8Array(300)), {
      code: "invalid_argument",
    });
    await assert.rejects(chainOf(store, "end").openShard(5), { argument: "source" });
    assert.throws(() => new shard.constructor(), { code: "invalid_argument", argument: "Shard" });
  });

  test("after a transpose, the option verify is that of the chunks", async () => {
    const store = openStore();
    const name = "transposed-outside";
    const key = `/${name}/c/0/0`;
    const at = [0, 0];
    const whole = await (await chainOf(store, name).openShard(store.get(key))).decode(at);
    flip(store, key, 0);
    const shard = await chainOf(store, name).openShard(store.get(key));
    await assert.rejects(shard.decode(at), { code: "checksum_mismatch", chunk: at });
    const unverified = await shard.decode(at, { verify: false });
    assert.deepEqual(unverified.shape, whole.shape);
    assert.notDeepEqual(unverified.data, whole.data);
  });

  test("damage to an index that is read by its suffix is said once to be there", async () => {
    const store = openStore();
    const key = "/end/c/0/0";
    flip(store, key, store.get(key).length - 1);
    await assert.rejects(chainOf(store, "end").openShard(sourceOf(store, key).source), ({ message }) =>
      message.startsWith(`shard index, last ${INDEX_LENGTH} bytes: chunk is corrupt: crc32c stored 0x`),
    );
  });

  test("answers of another length are errors with the range", async () => {
    const store = openStore();
    const key = "/end/c/0/0";
    const short = (bytes) => bytes.subarray(1);
    const { length } = store.get(key);
    await assert.rejects(chainOf(store, "end").openShard(sourceOf(store, key, short).source), {
      code: "chunk_length",
      range: { suffixLength: INDEX_LENGTH },
      message: `shard index, last ${INDEX_LENGTH} bytes: the source returned ${INDEX_LENGTH - 1} bytes, expected ${INDEX_LENGTH}`,
    });
    await assert.rejects(
      chainOf(store, "end").openShard(() => store.get(key)),
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
      const shard = await chainOf(store, "end").openShard(source);
      await assert.rejects(shard.decode([0, 1]), {
        ...{ code: "chunk_length", actual, expected: 16, chunk: [0, 1], range: { offset: 16, length: 16 } },
      });
    }
  });

  test("a shard that is shorter than its index", async () => {
    const store = openStore();
    for (const name of ["start", "end"]) {
      await assert.rejects(chainOf(store, name).openShard(new Uint8Array(20)), {
        ...{ code: "chunk_length", actual: 20, range: { offset: 0, length: 20 } },
      });
    }
  });

  test("aborting one call does not abort the request that another one shares", async () => {
    const store = openStore();
    const { source, ranges } = sourceOf(store, "/end/c/0/0");
    const shard = await chainOf(store, "end").openShard(source);
    const [first, second] = [new AbortController(), new AbortController()];
    const reads = [
      shard.decode([0, 0], { signal: first.signal }),
      shard.decode([0, 0], { signal: second.signal }),
      shard.decode([0, 1], { signal: second.signal }),
    ];
    await Promise.resolve();
    first.abort(new Error("no longer needed"));
    const [aborted, ...read] = await Promise.allSettled(reads);
    assert.equal(aborted.reason.message, "no longer needed");
    assert.deepEqual(
      read.map(({ status }) => status),
      ["fulfilled", "fulfilled"],
    );
    assert.equal(ranges.length, 2);
  });

  test("a signal aborts the calls that still wait after others of it have ended, and is let go with the last", async () => {
    const store = openStore();
    const pending = new Promise(() => {});
    const shard = await chainOf(store, "end").openShard(
      (range) => (range.offset > 0 ? pending : store.getRange("/end/c/0/0", range)),
      { maxGap: 0 },
    );
    const controller = new AbortController();
    const { signal } = controller;
    const reading = shard.decode([1, 2], { signal });
    await shard.decode([0, 0], { signal });
    assert.equal(getEventListeners(signal, "abort").length, 1);
    controller.abort();
    await assert.rejects(reading, { name: "AbortError" });
    const later = new AbortController();
    await shard.decode([0, 0], { signal: later.signal });
    assert.deepEqual(getEventListeners(later.signal, "abort"), []);
  });

  test("a call that is aborted at once makes no request", async () => {
    const store = openStore();
    const { source, ranges } = sourceOf(store, "/end/c/0/0");
    const shard = await chainOf(store, "end").openShard(source);
    const controller = new AbortController();
    const reading = shard.decode([0, 0], { signal: controller.signal });
    controller.abort();
    await assert.rejects(reading, { name: "AbortError" });
    assert.deepEqual(ranges, [{ suffixLength: INDEX_LENGTH }]);
  });

  test("a request is aborted when all calls have been, and made anew for the next", async () => {
    const store = openStore();
    let aborted = 0;
    const shard = await chainOf(store, "end").openShard((range, { signal }) => {
      if (!("offset" in range)) return store.getRange("/end/c/0/0", range);
      return new Promise((resolve, reject) => {
        if (aborted > 0) resolve(store.getRange("/end/c/0/0", range));
        signal.addEventListener("abort", () => {
          aborted += 1;
          reject(signal.reason);
        });
      });
    });
    const controllers = [new AbortController(), new AbortController()];
    const reads = controllers.map(({ signal }, x) => shard.decode([0, x], { signal }));
    const late = new AbortController();
    await new Promise((resolve) => setTimeout(resolve, 1));
    const settling = Promise.allSettled([...reads, shard.decode([0, 0], { signal: late.signal })]);
    for (const controller of controllers) controller.abort();
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.equal(aborted, 0);
    late.abort();
    const settled = await settling;
    assert.deepEqual(
      settled.map(({ reason }) => reason?.name),
      ["AbortError", "AbortError", "AbortError"],
    );
    assert.equal(aborted, 1);
    assert.ok(await shard.decode([0, 0]));
    await assert.rejects(shard.decode([0, 0], { signal: AbortSignal.abort() }), { name: "AbortError" });
  });
});
