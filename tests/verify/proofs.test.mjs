// What is proven of chunks, what is required, and checksums that the store has.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { crc32, gzipSync } from "node:zlib";
import { crc32c, createCodecChain } from "zarr-codecs";
import { arrayMetadata } from "./helpers.mjs";
import {
  addArray,
  GROUP,
  ListedStore,
  placeOf,
  placesOf,
  readVectors,
  toBytes,
  verified,
} from "./store-helpers.mjs";

const LITTLE = { name: "bytes", configuration: { endian: "little" } };

/** A store of one array of four elements in two chunks. */
function storeOf(members, ...chunks) {
  const store = new ListedStore([["/zarr.json", toBytes(arrayMetadata(members))]]);
  for (const [i, chunk] of chunks.entries()) if (chunk) store.set(`/c/${i}`, chunk);
  return store;
}

const withChecksum = (bytes) =>
  createCodecChain({ dataType: "uint8", shape: [bytes.length], codecs: ["bytes", "crc32c"] }).encode(bytes);

const proofsOf = async (store, options) =>
  (await verified(store, { all: true, codecs: undefined, ...options })).results.map(
    ({ state, proof }) => `${state} ${proof}`,
  );

const bytes = Uint8Array.of(1, 2);

describe("data types and codecs that nobody knows", () => {
  const unknown = { data_type: "uint2048", codecs: [LITTLE] };

  test("are present, if there are bytes", async () => {
    const store = storeOf(unknown, bytes, new Uint8Array());
    assert.deepEqual(await proofsOf(storeOf(unknown, bytes, bytes)), ["sound present", "sound present"]);
    assert.deepEqual(await placesOf(store), ["c/1 damaged chunk_length"]);
  });

  test("are verified by a checksum at their end", async () => {
    for (const codecs of [
      [LITTLE, "crc32c"],
      ["jpegxl", "crc32c"],
      ["jpegxl", "lzma", "crc32c"],
    ]) {
      const members = { data_type: codecs[0] === LITTLE ? "uint2048" : "uint8", codecs };
      const chunk = withChecksum(bytes);
      const store = storeOf(members, chunk, chunk.with(0, 7));
      assert.deepEqual(await placesOf(store), ["c/1 damaged checksum_mismatch"]);
      assert.deepEqual((await proofsOf(storeOf(members, chunk))).sort(), ["missing none", "sound checksum"]);
    }
  });

  test("are decoded as far as codecs are known", async () => {
    const members = { data_type: "string", codecs: ["vlen-utf8", "gzip"] };
    const chunk = gzipSync(bytes);
    assert.deepEqual(await proofsOf(storeOf(members, chunk, chunk)), ["sound checksum", "sound checksum"]);
    const broken = Uint8Array.from(chunk).fill(9, -8, -7);
    assert.deepEqual(await placesOf(storeOf(members, chunk, broken), { codecs: undefined }), [
      "c/1 damaged checksum_mismatch",
    ]);
  });

  test("in shards leave the index, and the lengths", async () => {
    const configuration = { chunk_shape: [1], codecs: ["jpegxl"], index_codecs: [LITTLE, "crc32c"] };
    const index = withChecksum(new Uint8Array(BigUint64Array.of(0n, 3n, 3n, 4n).buffer));
    const shard = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, ...index);
    const members = { codecs: [{ name: "sharding_indexed", configuration }] };
    assert.deepEqual(await proofsOf(storeOf(members, shard, shard)), ["sound present", "sound present"]);
    const store = storeOf(members, shard, shard.with(10, 9));
    assert.deepEqual(await placesOf(store), ["c/1 damaged checksum_mismatch"]);
  });
});

test("a codec that this package rejects is a fault of the metadata, unless others could have it", async () => {
  assert.deepEqual(
    await placesOf(storeOf({ codecs: [{ name: "bytes", configuration: { endian: 7 } }] }, bytes)),
    ["zarr.json damaged invalid_metadata"],
  );
  assert.deepEqual(await proofsOf(storeOf({ codecs: ["bytes", "lzma"] }, bytes, bytes)), [
    "sound present",
    "sound present",
  ]);
});

describe("zstd", () => {
  const arrays = readVectors("chains/zarr-python.json").arrays;
  const proofOf = async (name) => {
    const store = addArray(
      new ListedStore(),
      arrays.find((array) => array.name === name),
    );
    return [...new Set((await verified(store, { all: true })).results.map(({ proof }) => proof))];
  };

  test("frames with a checksum prove it; those without are decoded", async () => {
    assert.deepEqual(await proofOf("zstd--5-checksum"), ["checksum"]);
    assert.deepEqual(await proofOf("zstd-19-checksum"), ["checksum"]);
    assert.deepEqual(await proofOf("zstd--5"), ["decoded"]);
  });
});

describe("the option require", () => {
  const members = { codecs: ["bytes"] };

  test("marks what proves less, and the verdict says so", async () => {
    const { results, summary } = await verified(storeOf(members, bytes, bytes), { require: "checksum" });
    assert.deepEqual(
      results.map(({ key, state, proof, insufficient }) => [key, state, proof, insufficient]).sort(),
      [
        ["c/0", "sound", "length", true],
        ["c/1", "sound", "length", true],
      ],
    );
    assert.deepEqual([summary.verdict, summary.insufficient, summary.states.sound], ["insufficient", 2, 2]);
    assert.equal((await verified(storeOf(members, bytes), { require: "length" })).summary.verdict, "sound");
  });

  test("marks shards as a whole, beside their damage", async () => {
    const array = readVectors("shards/zarrs.json").arrays.find(({ name }) => name === "index-end-little");
    const store = addArray(new ListedStore(), array);
    assert.deepEqual(await placesOf(store, { require: "decoded" }), [
      `${array.name}/${array.chunks[0].key} sound insufficient`,
    ]);
    const { summary } = await verified(store, { require: "decoded" });
    assert.deepEqual([summary.insufficient, summary.proofs.length], [1, 1]);
  });
});

describe("the option missing", () => {
  test("says what missing chunks mean", async () => {
    const verdictOf = async (missing) => {
      const { results, summary } = await verified(storeOf({}, bytes), { missing });
      assert.equal(summary.states.missing, 1);
      return [summary.verdict, ...results.map(({ key, insufficient = false }) => `${key} ${insufficient}`)];
    };
    assert.deepEqual(await verdictOf(undefined), ["sound"]);
    assert.deepEqual(await verdictOf("allow"), ["sound"]);
    assert.deepEqual(await verdictOf("warn"), ["sound", "c/1 false"]);
    assert.deepEqual(await verdictOf("fail"), ["insufficient", "c/1 true"]);
  });

  /** The inner chunks of shards by other implementations whose elements are all fill value, in which they are left out. */
  const LEFT_OUT = {
    sparse: [0, 1, 2, 3].flatMap((row) => [1, 2, 3].map((column) => `${row},${column}`)),
    "nested-two": ["0,0", "1,1,0,1"],
    "transposed-outside": ["0,0,1"],
  };

  for (const [name, inner] of Object.entries(LEFT_OUT)) {
    test(`names the inner chunks that are missing in the shard ${name}`, async () => {
      const array = readVectors("shards/tensorstore.json").arrays.find((each) => each.name === name);
      const store = addArray(new ListedStore(), array);
      const key = `${name}/${array.chunks[0].key}`;
      const places = inner.map((at) => `${key} [${at}] missing insufficient`);
      assert.deepEqual(await placesOf(store, { missing: "fail" }), places);
      const { results, summary } = await verified(store, { missing: "warn" });
      assert.deepEqual(
        results.map(placeOf),
        inner.map((at) => `${key} [${at}] missing`),
      );
      assert.deepEqual([summary.states.missing, summary.states.sound], [1, 0]);
      assert.deepEqual(await placesOf(store), []);
    });
  }

  test("does not name those beyond the array", async () => {
    const configuration = { chunk_shape: [1], codecs: ["bytes"], index_codecs: [LITTLE, "crc32c"] };
    const codecs = [{ name: "sharding_indexed", configuration }];
    const chain = createCodecChain({ dataType: "uint8", shape: [4], codecs, fillValue: 0 });
    const chunk_grid = { name: "regular", configuration: { chunk_shape: [4] } };
    const store = storeOf(
      { shape: [7], chunk_grid, codecs },
      ...[
        [1, 2, 3, 4],
        [5, 0, 6, 0],
      ].map((elements) => chain.encode(Uint8Array.from(elements))),
    );
    assert.deepEqual(await placesOf(store, { missing: "warn" }), ["c/1 [1] missing"]);
  });
});

describe("checksums that the store has", () => {
  const chunk = Uint8Array.of(7, 8);
  const sums = (value) => ({ crc32c: crc32c(value) });
  const zipSums = (value) => ({ crc32: crc32(value) });

  for (const [what, sumsOf, checksumOf] of [
    ["CRC-32C", sums, sums],
    ["a promise of it", sums, async (value) => sums(value)],
    ["CRC-32", zipSums, zipSums],
  ]) {
    test(`${what}: raises the proof, and reveals damage that nothing else does`, async () => {
      const store = storeOf({}, chunk, chunk);
      store.checksumOf = () => checksumOf(chunk);
      assert.deepEqual(await proofsOf(store), ["sound checksum", "sound checksum"]);
      store.set("/c/1", chunk.with(0, 6));
      const { results } = await verified(store);
      assert.deepEqual(results.map(placeOf), ["c/1 damaged checksum_mismatch"]);
      const { stored, computed } = results[0].error;
      const [[expected], [actual]] = [chunk, chunk.with(0, 6)].map((value) => Object.values(sumsOf(value)));
      assert.deepEqual([stored, computed], [expected, actual]);
    });
  }

  test("are not asked for where the codecs prove as much, nor of missing chunks", async () => {
    const store = storeOf({ codecs: ["bytes", "crc32c"] }, withChecksum(chunk));
    store.checksumOf = () => assert.fail("asked");
    assert.deepEqual((await proofsOf(store)).sort(), ["missing none", "sound checksum"]);
  });

  test("of shards are compared with all of their bytes", async () => {
    const array = readVectors("shards/zarrs.json").arrays.find(({ name }) => name === "index-end-little");
    const store = addArray(new ListedStore(), array);
    const key = `/${array.name}/${array.chunks[0].key}`;
    const shard = Uint8Array.from(store.get(key));
    for (const checksumOf of [sums, zipSums]) {
      store.checksumOf = () => checksumOf(shard);
      store.set(key, shard);
      assert.deepEqual(await proofsOf(store), ["sound checksum"]);
      store.set(key, shard.with(0, shard[0] ^ 1));
      assert.deepEqual(await placesOf(store), [`${key.slice(1)} damaged checksum_mismatch`]);
    }
  });

  test("of shards that are damaged are not asked for", async () => {
    const configuration = { chunk_shape: [1], codecs: ["bytes"], index_codecs: [LITTLE] };
    const codecs = [{ name: "sharding_indexed", configuration }];
    const chain = createCodecChain({ dataType: "bool", shape: [2], codecs, fillValue: false });
    const shard = chain.encode(Uint8Array.of(1, 1)).fill(2, 0, 1);
    const store = storeOf({ shape: [2], data_type: "bool", fill_value: false, codecs }, shard);
    store.checksumOf = () => assert.fail("asked");
    assert.deepEqual(await placesOf(store), ["c/0 [0] damaged invalid_element"]);
  });

  test("that cannot be asked for leave the chunk unreadable", async () => {
    const store = storeOf({}, chunk);
    store.checksumOf = () => {
      throw Object.assign(new Error("no"), { status: 500 });
    };
    assert.deepEqual(await placesOf(store, { retries: 0 }), ["c/0 unreadable unreadable"]);
  });
});

test("invalid options are errors", async () => {
  for (const [options, message] of [
    [{ part: { index: 2, count: 2 } }, "options.part.index: expected an integer below 2, got 2"],
    [{ part: { index: 0, count: 0 } }, "options.part.count: expected an integer of at least 1, got 0"],
    [{ part: { index: -1, count: 2 } }, "options.part.index: expected an integer of at least 0, got -1"],
    [{ sample: { percent: 0 } }, "options.sample.percent: expected a number above 0, at most 100, got 0"],
    [{ sample: { percent: 101 } }, "options.sample.percent: expected a number above 0, at most 100, got 101"],
    [
      { sample: { percent: 1, seed: 0.5 } },
      /^options\.sample\.seed: expected an integer of at least -9\d+, got 0\.5/,
    ],
    [{ concurrency: 0 }, "options.concurrency: expected an integer of at least 1, got 0"],
    [{ retries: -1 }, "options.retries: expected an integer of at least 0, got -1"],
    [{ timeout: "1" }, 'options.timeout: expected an integer of at least 1, got "1"'],
    [{ require: "none" }, /^options\.require: expected "checksum", "decoded", "length" or "present"/],
    [{ require: "all" }, /^options\.require: /],
    [{ missing: "ignore" }, /^options\.missing: expected "allow", "warn" or "fail"/],
    [{ parts: 1 }, /^options\.parts: unknown option/],
  ]) {
    await assert.rejects(verified(storeOf({}), options), { code: "invalid_argument", message });
  }
});

test("the metadata of a group alone are sound", async () => {
  const { results, summary } = await verified(new Map([["/zarr.json", toBytes(GROUP)]]));
  assert.deepEqual([results, summary.verdict, summary.nodes], [[], "sound", 1]);
});
