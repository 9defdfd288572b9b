// What withChecksums reads to verify parts of shards, and what it remembers of their indexes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createCodecChain, openShard } from "zarr-codecs";
import { withChecksums } from "zarr-codecs/zarrita";
import { INDEX_LENGTH, MemoryStore, metadataOf, openStore, RemoteStore } from "./stores.mjs";

const KEY = "/end/c/0/0";
const INNER = { offset: 16, length: 16 };

/** Returns the number of requests for reading parts of a shard, or all of it, by way of the store. */
async function requestsFor(key, ...ranges) {
  const files = openStore("tensorstore");
  const remote = new RemoteStore(files);
  const store = withChecksums(remote);
  for (const range of ranges) {
    const bytes = await (range ? store.getRange(key, range) : store.get(key));
    assert.deepEqual(bytes, range ? files.getRange(key, range) : files.get(key));
  }
  return remote.requests.length;
}

test("an index that passes is not read once more", async () => {
  const { length } = openStore("tensorstore").get(KEY);
  for (const ranges of [
    [undefined, INNER],
    [{ suffixLength: INDEX_LENGTH }, INNER],
    [{ suffixLength: INDEX_LENGTH + 20 }, INNER],
  ]) {
    assert.equal(await requestsFor(KEY, ...ranges), 2, JSON.stringify(ranges));
  }
  assert.equal(await requestsFor(KEY, { suffixLength: INDEX_LENGTH - 1 }), 2);
  // That these bytes end with the index cannot be seen.
  assert.equal(await requestsFor(KEY, { offset: 0, length }), 2);
  const start = "/start/c/0/0";
  assert.equal(await requestsFor(start, undefined, { offset: 116, length: 16 }), 2);
  assert.equal(await requestsFor(start, { offset: 0, length: INDEX_LENGTH }, { offset: 116, length: 16 }), 2);
  assert.equal(await requestsFor(start, { offset: 1, length: INDEX_LENGTH }), 2);
  assert.equal(await requestsFor(start, { suffixLength: 20 }), 2);
});

test("the index of an inner shard among the bytes that pass", async () => {
  const key = "/nested/c/0/0";
  const files = openStore("tensorstore");
  const shard = await openShard(
    createCodecChain({
      ...metadataOf(files, "nested"),
      ...{ shape: metadataOf(files, "nested").chunk_grid.configuration.chunk_shape },
    }),
    files.get(key),
  );
  const range = shard.range([0, 1]);
  assert.equal(await requestsFor(key, undefined), 1);
  assert.equal(await requestsFor(key, range), 2); // With the outer index.
  assert.equal(await requestsFor(key, { offset: range.offset + range.length - 4, length: 4 }), 3);
  assert.equal(await requestsFor(key, { suffixLength: 200 }), 1); // Where that is in the file is not known.
});

test("an index whose request failed is read again", async () => {
  const remote = new RemoteStore(openStore("tensorstore"));
  const getRange = remote.getRange.bind(remote);
  let isOffline = true;
  remote.getRange = (key, range) => {
    if (isOffline && "suffixLength" in range) throw new Error("offline");
    return getRange(key, range);
  };
  const store = withChecksums(remote);
  await assert.rejects(store.getRange(KEY, INNER), { message: "offline" });
  isOffline = false;
  assert.equal((await store.getRange(KEY, INNER)).length, 16);
});

test("the index of a shard that was written is read again, and no other", async () => {
  const files = openStore("tensorstore");
  const remote = new RemoteStore(files);
  remote.set = (key, bytes) => files.set(key, bytes);
  const store = withChecksums(remote);
  const requestsOf = async (key) => {
    remote.requests.length = 0;
    await store.getRange(key, INNER);
    return remote.requests.length;
  };
  assert.deepEqual([await requestsOf(KEY), await requestsOf("/end/c/0/1")], [2, 2]);
  await store.set(KEY, files.get(KEY));
  assert.deepEqual([await requestsOf(KEY), await requestsOf("/end/c/0/1")], [2, 1]);
});

test("the indexes of the shards that were read last are kept", async () => {
  const files = openStore("tensorstore");
  let requests = 0;
  files.getRange = (key, range) => {
    requests += 1;
    return MemoryStore.prototype.getRange.call(files, key, range);
  };
  const store = withChecksums(files);
  const requestsOf = async (key) => {
    requests = 0;
    await store.getRange(key, INNER);
    return requests;
  };
  const keys = Array.from({ length: 600 }, (_, i) => `/end/c/0/${i}`);
  for (const key of keys) {
    files.set(key, files.get(KEY));
    assert.equal(await requestsOf(key), 2);
  }
  assert.deepEqual([await requestsOf(keys[599]), await requestsOf(keys[100])], [1, 1]);
  assert.equal(await requestsOf(keys[0]), 2);
});

test("a shard that is removed while it is read", async () => {
  const files = openStore("tensorstore");
  files.getRange = (key, range) => {
    const bytes = MemoryStore.prototype.getRange.call(files, key, range);
    files.delete(key);
    return bytes;
  };
  assert.equal((await withChecksums(files).getRange(KEY, INNER)).length, 16);
});

test("a whole shard that is too short", async () => {
  const { length } = openStore("tensorstore").get(KEY);
  for (const [byteLength, error] of [
    [0, { code: "chunk_length", key: KEY, expected: INDEX_LENGTH, actual: 0 }],
    [99, { code: "chunk_length", key: KEY, expected: INDEX_LENGTH, actual: 99 }],
    // The index is right, but inner chunks overlap it.
    [
      length - 1,
      { code: "invalid_element", key: KEY, message: /does not fit the shard: inner chunk \(1, 2\) at/ },
    ],
  ]) {
    const files = openStore("tensorstore");
    files.set(KEY, files.get(KEY).slice(length - byteLength));
    for (const store of [files, new Map(files)]) {
      await assert.rejects(withChecksums(store).get(KEY), error, `${byteLength}`);
    }
  }
});
