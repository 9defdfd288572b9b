// Damaged arrays: which error each chunk gets, and which place the error names.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { createCodecChain, openArray, openShard } from "zarr-codecs";
import { errorOf, flip, LITTLE, openStore, sharding, shardOf, storeWith } from "./helpers.mjs";

const COVERED = ["bytes", "crc32c"];
const regular = (length) => ({ name: "regular", configuration: { chunk_shape: [length] } });

/** A store of one shard of four chunks of two elements, stored one after another. */
function shardedStore(codecs = COVERED, members = {}) {
  const sharded = [sharding([2], codecs, members)];
  const chain = createCodecChain({ dataType: "uint8", shape: [8], codecs: sharded, fillValue: 0 });
  const shard = chain.encode(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
  return storeWith({ shape: [8], chunk_grid: regular(8), codecs: sharded }, { "/c/0": shard });
}

describe("a damaged inner chunk", () => {
  test("fails only the reads of that chunk, which name it once", async () => {
    for (const writer of ["tensorstore", "zarrs"]) {
      for (const name of ["end", "start", "nested", "transposed-outside", "zstd", "gzip"]) {
        const store = openStore(writer);
        const chunk = [1, 2];
        const { key, range } = await (await openArray(store, name)).locate(chunk);
        flip(store, key, range.offset + range.length - 6);
        const array = await openArray(store, name);
        const [damaged, ...others] = await Promise.allSettled(
          [chunk, [0, 0], [1, 1], [3, 4]].map((at) => array.getChunk(at)),
        );
        const error = damaged.reason;
        assert.deepEqual([error.key, error.chunk, error.range], [key, chunk, range], `${writer} ${name}`);
        const place = `${key}, chunk (1, 2), bytes ${range.offset} to ${range.offset + range.length - 1} of the file: `;
        assert.ok(error.message.startsWith(place), error.message);
        assert.equal(error.message.match(/chunk \(\d/g).length, 1, error.message);
        assert.ok(error.stack.includes(error.message));
        assert.deepEqual(
          others.map(({ status }) => status),
          ["fulfilled", "fulfilled", "fulfilled"],
        );
      }
    }
  });

  test("is an error of its own for each caller", async () => {
    const store = shardedStore();
    flip(store, "/c/0", 0);
    const array = await openArray(store);
    const errors = await Promise.all([errorOf(array.getChunk([0])), errorOf(array.getChunk([0]))]);
    assert.notEqual(errors[0], errors[1]);
    assert.equal(errors[0].message, errors[1].message);
    const [before] = errors.map(({ message }) => message);
    await errorOf(array.getBytes([0]));
    assert.equal(errors[0].message, before);
  });

  test("of a shard that is read whole is named in the shard", async () => {
    const metadata = { shape: [8], chunk_grid: regular(8) };
    const checked = [sharding([2], COVERED), { name: "crc32c" }];
    const chain = createCodecChain({
      dataType: "uint8",
      shape: [8],
      codecs: checked.slice(0, 1),
      fillValue: 0,
    });
    const shard = chain.encode(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    shard[7] ^= 1;
    const store = storeWith(
      { ...metadata, codecs: [...checked.slice(0, 1), "gzip"] },
      { "/c/0": gzipSync(shard) },
    );
    const error = await errorOf((await openArray(store)).getChunk([0]));
    assert.match(error.message, /^\/c\/0, chunk \(0\), inner chunk \(1\).*: chunk is corrupt: crc32c/);
    assert.deepEqual([error.key, error.chunk], ["/c/0", [0]]);
  });
});

test("a source that returns something other than bytes names each caller's own chunk and range", async () => {
  const bytes = shardedStore().get("/c/0");
  const chain = createCodecChain({
    dataType: "uint8",
    shape: [8],
    codecs: [sharding([2], COVERED)],
    fillValue: 0,
  });
  const shard = await openShard(chain, ({ offset, suffixLength }) =>
    offset === undefined ? bytes.slice(-suffixLength) : "text",
  );
  const errors = await Promise.all([0, 1, 2].map((at) => errorOf(shard.decode([at]))));
  for (const [i, error] of errors.entries()) {
    assert.equal(
      error.message,
      `chunk (${i}), bytes ${6 * i} to ${6 * i + 5} of the file: source: expected an ArrayBufferView, ArrayBuffer or SharedArrayBuffer, got "text"`,
    );
    assert.deepEqual([error.chunk, error.range], [[i], { offset: 6 * i, length: 6 }]);
  }
});

describe("an index entry that overlaps the index", () => {
  const codecs = [sharding([2], ["bytes"])];
  const members = { shape: [4], chunk_grid: regular(4), codecs };
  const chain = createCodecChain({ dataType: "uint8", shape: [4], codecs, fillValue: 0 });
  // Two inner chunks; the second one is said to begin one byte before the index, at byte 4 of 36.
  const file = shardOf(
    [1, 2, 3, 4],
    [
      [0, 2],
      [3, 2],
    ],
  );
  const expected = { code: "invalid_element", message: /overlaps the index/ };

  test("is an error for whole files", async () => {
    await assert.rejects(openShard(chain, file), expected);
    const store = new Map(storeWith(members, { "/c/0": file }));
    const array = await openArray(store);
    await assert.rejects(array.getChunk([1]), { ...expected, key: "/c/0" });
    assert.throws(() => chain.decode(file), expected);
    const { state, error } = await array.check([0]);
    assert.deepEqual([state, error?.code], ["damaged", undefined]);
  });

  test("is an error for ranges, if the store knows the length from a response", async () => {
    const store = storeWith(members, { "/c/0": file });
    const totals = new Map();
    const remote = {
      async get(key) {
        return store.get(key);
      },
      async getRange(key, range) {
        totals.set(key, store.get(key).length); // As Content-Range states it.
        return store.getRange(key, range)?.slice();
      },
      byteLengthOf: (key) => totals.get(key),
    };
    await assert.rejects((await openArray(remote)).getChunk([1]), { ...expected, key: "/c/0" });
    const { state, parts } = await (await openArray(remote)).check([0]);
    assert.equal(state, "damaged");
    assert.match(parts[0].error.message, expected.message);
  });
});

describe("a chunk of another length than its metadata says", () => {
  for (const codecs of [
    [LITTLE],
    [LITTLE, "crc32c"],
    [{ name: "transpose", configuration: { order: [0] } }, LITTLE],
  ]) {
    const chain = createCodecChain({ dataType: "uint16", shape: [2], codecs });
    const chunk = chain.encode(Uint16Array.of(1, 2));
    const wrong = [chunk.subarray(0, -1), chunk.subarray(0, 2), Uint8Array.of(...chunk, 0), new Uint8Array()];

    test(`is an error: ${JSON.stringify(codecs)}`, async () => {
      for (const bytes of wrong) {
        const store = storeWith({ data_type: "uint16", codecs }, { "/c/0": bytes });
        const array = await openArray(store);
        const expected = { code: "chunk_length", key: "/c/0", chunk: [0], actual: bytes.length };
        await assert.rejects(array.getChunk([0]), { ...expected, expected: chunk.length });
        await assert.rejects(array.getBytes([0]), expected);
        const { state, error } = await array.check([0]);
        assert.deepEqual([state, error.code], ["damaged", "chunk_length"]);
      }
    });

    test(`is an error in a shard: ${JSON.stringify(codecs)}`, async () => {
      for (const bytes of wrong) {
        const shard = shardOf([...bytes], [[0, bytes.length]]);
        const sharded = [sharding([2], codecs)];
        const members = { data_type: "uint16", shape: [2], codecs: sharded };
        const array = await openArray(storeWith(members, { "/c/0": shard }));
        const expected = { code: "chunk_length", key: "/c/0", chunk: [0] };
        await assert.rejects(array.getChunk([0]), expected);
        await assert.rejects(array.getBytes([0]), expected);
        assert.equal((await array.check([0])).state, "damaged");
      }
    });
  }

  test("is an error if the store returns too few bytes of a range, or too many", async () => {
    const files = shardedStore(["bytes"]);
    for (const change of [(bytes) => bytes.subarray(1), (bytes) => Uint8Array.of(...bytes, 0)]) {
      const array = await openArray({
        get: (key) => files.get(key),
        getRange: (key, range) =>
          "offset" in range ? change(files.getRange(key, range)) : files.getRange(key, range),
      });
      await assert.rejects(array.getChunk([1]), {
        code: "chunk_length",
        key: "/c/0",
        chunk: [1],
        range: { offset: 2, length: 2 },
        message: /^\/c\/0, chunk \(1\), bytes 2 to 3 of the file: the source returned \d bytes, expected 2$/,
      });
    }
  });
});

describe("a damaged index", () => {
  test("names its key and its bytes", async () => {
    const members = { shape: [8], chunk_grid: regular(4), codecs: [sharding([1], ["bytes"])] };
    const index = [
      [0, 1],
      [1, 1],
      [2, 2n ** 60n],
      [3, 1],
    ];
    const store = storeWith(members, { "/c/1": shardOf([1, 2, 3, 4], index) });
    const error = await errorOf((await openArray(store)).getChunk([4]));
    assert.deepEqual([error.code, error.key], ["invalid_element", "/c/1"]);
    assert.match(error.message, /^\/c\/1, .*shard index, last 64 bytes of the file: /);
    assert.deepEqual(error.range, { suffixLength: 64 });
  });

  test("is not kept: the index is read again for the next chunk", async () => {
    const store = shardedStore(COVERED, { index_codecs: [LITTLE, "crc32c"] });
    const array = await openArray(store);
    flip(store, "/c/0", -1);
    await assert.rejects(array.getChunk([0]), { code: "checksum_mismatch", range: { suffixLength: 68 } });
    flip(store, "/c/0", -1);
    assert.deepEqual((await array.getChunk([0])).data, Uint8Array.of(1, 2));
  });
});
