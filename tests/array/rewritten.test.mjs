// Shards that somebody rewrites while they are read: they are not damaged.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain, openArray, openShard } from "zarr-codecs";
import { errorOf, metadataWith, sharding, toBytes } from "./helpers.mjs";

const CODECS = [sharding([2], ["bytes", "crc32c"])];
const NESTED = [sharding([20], CODECS)];

const metadata = (codecs) =>
  metadataWith({
    shape: [400],
    chunk_grid: { name: "regular", configuration: { chunk_shape: [400] } },
    codecs,
  });

const chainOf = (codecs) => createCodecChain({ dataType: "uint8", shape: [400], codecs, fillValue: 0 });

/** Versions of a shard with other elements, 7 bytes further on in each: no inner chunk is where one was before. */
function versionsOf(codecs, count = 2) {
  const gridShape = 400 / codecs[0].configuration.chunk_shape[0];
  return Array.from({ length: count }, (_, version) => {
    const elements = Uint8Array.from({ length: 400 }, (_, i) => ((i * (2 * version + 1)) % 251) + 1);
    const shard = Uint8Array.of(...new Uint8Array(7 * version), ...chainOf(codecs).encode(elements));
    const index = new DataView(shard.buffer, shard.length - 16 * gridShape);
    for (let i = 0; i < gridShape; i++) {
      index.setBigUint64(16 * i, index.getBigUint64(16 * i, true) + BigInt(7 * version), true);
    }
    return { elements, shard };
  });
}

const partOf = (bytes, { offset, length, suffixLength }) =>
  suffixLength === undefined ? bytes?.slice(offset, offset + length) : bytes?.slice(-suffixLength);

/** A store of one shard, of which `versionAt(requests)` is the version that a request reads, from 1. */
function changingStore(codecs, versions, versionAt) {
  let requests = 0;
  return {
    requests: () => requests,
    get: async (key) =>
      key === "/zarr.json" ? toBytes(metadata(codecs)) : versions[versionAt(++requests)].shard,
    getRange: async (_, range) => partOf(versions[versionAt(++requests)].shard, range),
  };
}

describe("a shard that is rewritten after its index was read", () => {
  for (const at of [2, 3]) {
    test(`by request ${at}: a chunk is read anew`, async () => {
      const versions = versionsOf(CODECS);
      const array = await openArray(changingStore(CODECS, versions, (n) => (n < at ? 0 : 1)));
      // The index of the first version, if it has been read before.
      if (at === 3) assert.deepEqual((await array.getChunk([0])).data, versions[0].elements.subarray(0, 2));
      for (const i of [199, 7, 100]) {
        assert.deepEqual((await array.getChunk([i])).data, versions[1].elements.subarray(2 * i, 2 * i + 2));
      }
    });

    test(`by request ${at}: a check begins anew`, async () => {
      const versions = versionsOf(CODECS);
      const array = await openArray(changingStore(CODECS, versions, (n) => (n < at ? 0 : 1)));
      const { state, chunks } = await array.check([0]);
      assert.deepEqual([state, chunks], ["sound", 200]);
    });
  }

  test("an opened shard reads its index anew", async () => {
    const chain = chainOf(CODECS);
    const versions = versionsOf(CODECS);
    let current = 0;
    const shard = await openShard(chain, (range) => partOf(versions[current].shard, range));
    assert.deepEqual((await shard.decode([5])).data, versions[0].elements.subarray(10, 12));
    current = 1;
    const chunks = await Promise.all([199, 100, 3].map((i) => shard.decode([i])));
    for (const [n, i] of [199, 100, 3].entries()) {
      assert.deepEqual(chunks[n].data, versions[1].elements.subarray(2 * i, 2 * i + 2));
    }
  });

  test("a chunk that the new version lacks is missing", async () => {
    const [{ elements, shard }] = versionsOf(CODECS, 1);
    const chain = chainOf(CODECS);
    const empty = chain.encode(new Uint8Array(400).fill(3, 0, 2));
    const versions = [{ shard }, { shard: empty }];
    const array = await openArray(changingStore(CODECS, versions, (n) => (n < 3 ? 0 : 1)));
    assert.deepEqual((await array.getChunk([0])).data, elements.subarray(0, 2));
    assert.deepEqual((await array.getChunk([9])).data, Uint8Array.of(0, 0));
  });

  test("inner shards are found anew", async () => {
    const versions = versionsOf(NESTED);
    for (const at of [2, 3, 4]) {
      const array = await openArray(changingStore(NESTED, versions, (n) => (n < at ? 0 : 1)));
      assert.equal((await array.check([0])).state, "sound", `${at}`);
      const again = await openArray(changingStore(NESTED, versions, (n) => (n < at ? 0 : 1)));
      const expected = versions[at === 4 ? 0 : 1].elements.subarray(398);
      assert.deepEqual((await again.getChunk([199])).data, expected, `${at}`);
    }
  });
});

test("a shard that is removed while it is checked is missing, not damaged", async () => {
  const [{ shard }] = versionsOf(CODECS, 1);
  const wrong = shard.with(0, 0);
  for (const [removed, shards] of [
    [1, []],
    [2, [shard]], // After its index.
    [3, [shard, wrong]], // After an inner chunk that is to be read again.
  ]) {
    const versions = [...shards, undefined].map((shard) => ({ shard }));
    const array = await openArray(changingStore(CODECS, versions, (n) => Math.min(n, removed) - 1));
    assert.equal((await array.check([0])).state, "missing", `request ${removed}`);
  }
});

test("a shard that is another one each time that it is read is not called damaged", async () => {
  const versions = versionsOf(CODECS, 40);
  const store = changingStore(CODECS, versions, (n) => n % 40);
  const array = await openArray(store);
  const error = await errorOf(array.getChunk([150]));
  assert.deepEqual([error.code, error.argument], ["invalid_argument", "store"]);
  assert.match(error.message, /the store returned other bytes each of 4 times that a chunk was read/);
  const { state } = await (await openArray(changingStore(CODECS, versions, (n) => n % 40))).check([0]);
  assert.equal(state, "unreadable");
});

describe("damage is reported after a second look", () => {
  const shard = chainOf(CODECS).encode(new Uint8Array(400).fill(5));
  const wrong = shard.with(0, 6);
  /** A store that returns wrong bytes for a request. */
  const wrongAt = (...at) =>
    changingStore(CODECS, [{ shard }, { shard: wrong }], (n) => (at.includes(n) ? 1 : 0));

  test("at the index and the bytes", async () => {
    const store = wrongAt(2, 4);
    const array = await openArray(store);
    await assert.rejects(array.getChunk([0]), { code: "checksum_mismatch", chunk: [0] });
    assert.equal(store.requests(), 4);
  });

  test("which may find none", async () => {
    const store = wrongAt(2);
    assert.deepEqual((await (await openArray(store)).getChunk([0])).data, Uint8Array.of(5, 5));
    assert.equal(store.requests(), 4);
    const { state, isTransient, parts } = await (await openArray(wrongAt(2))).check([0]);
    assert.deepEqual([state, isTransient], ["sound", true]);
    assert.deepEqual(parts[0].inner, [0]);
  });

  test("also of chunks without shards", async () => {
    const plain = ["bytes", "crc32c"];
    const members = { codecs: plain };
    const chunk = createCodecChain({ dataType: "uint8", shape: [2], codecs: plain }).encode(
      Uint8Array.of(1, 2),
    );
    let requests = 0;
    const store = {
      get: (key) =>
        key === "/zarr.json" ? toBytes(metadataWith(members)) : chunk.with(0, ++requests === 1 ? 9 : 1),
    };
    assert.deepEqual((await (await openArray(store)).getChunk([0])).data, Uint8Array.of(1, 2));
    assert.equal(requests, 2);
  });
});
