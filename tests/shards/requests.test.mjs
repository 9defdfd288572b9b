// The requests that reading through zarrita makes, and what happens to those that fail or are aborted.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain, openShard } from "zarr-codecs";
import { register, withShards } from "zarr-codecs/zarrita";
import { VERSIONS } from "../zarrita/versions.mjs";
import {
  elementsOf,
  INDEX_LENGTH,
  openStore as openStoreOf,
  ownError,
  RemoteStore,
  valuesOf,
} from "./stores.mjs";

/** tensorstore writes inner chunks in C order, without gaps. */
const openStore = () => openStoreOf("tensorstore");

const zarrita = VERSIONS["0.7"];
const open = (store, name, version = zarrita) =>
  version.open.v3(version.root(store).resolve(`/${name}`), { kind: "array" });

/** The ranges that were requested, without the options. */
const rangesOf = (remote) => remote.requests.map(({ range }) => range);

for (const [version, module] of Object.entries(VERSIONS)) {
  describe(`withShards, zarrita ${version}`, () => {
    test("two requests for each shard: index and inner chunks; never more than without", async (t) => {
      t.after(register(module.registry));
      const read = async (wrap, name, writer = "tensorstore") => {
        const remote = new RemoteStore(openStoreOf(writer));
        const chunk = await module.get(await open(wrap(remote), name, module));
        assert.deepEqual(elementsOf(chunk), valuesOf(writer, name).values);
        return remote.requests;
      };
      const alone = await read((store) => store, "end");
      const ours = await read(withShards, "end");
      assert.equal(ours.length, 2 * 6);
      assert.equal(ours.filter(({ range }) => "suffixLength" in range).length, 6);
      assert.ok(ours.length <= alone.length, `${ours.length} <= ${alone.length}`);
      // Outer index, inner indexes, inner chunks.
      assert.equal((await read(withShards, "nested")).length, 3 * 4);
      assert.equal((await read(withShards, "then-crc32c", "zarr-python")).length, 6);
    });

    test("an index is read once, by concurrent calls and later ones", async () => {
      const remote = new RemoteStore(openStore());
      const array = await open(withShards(remote), "start", module);
      await Promise.all([array.getChunk([0, 0]), array.getChunk([1, 1]), array.getChunk([0, 0])]);
      await array.getChunk([0, 1]);
      const [index, ...chunks] = rangesOf(remote);
      assert.deepEqual(index, { offset: 0, length: INDEX_LENGTH });
      assert.deepEqual(
        chunks.map(({ length }) => length),
        [5 * 16, 16],
      );
    });
  });
}

test("a missing shard is looked up once", async () => {
  const remote = new RemoteStore(openStore());
  const array = await open(withShards(remote), "missing");
  for (const at of [0, 1, 0]) {
    const chunk = await array.getChunk([4, at]);
    assert.deepEqual([...chunk.data], Array(6).fill(7));
  }
  assert.equal(remote.requests.length, 1);
});

test("a failed request for an index is made again", async () => {
  const files = openStore();
  const remote = new RemoteStore(files);
  let failures = 1;
  const getRange = remote.getRange.bind(remote);
  remote.getRange = (...args) => {
    failures -= 1;
    if (failures >= 0) throw new Error("no network");
    return getRange(...args);
  };
  const array = await open(withShards(remote), "end");
  await assert.rejects(array.getChunk([0, 0]), { message: "no network" });
  assert.ok(await array.getChunk([0, 0]));
  const shard = files.get("/start/c/0/0");
  files.set(
    "/start/c/0/0",
    shard.map((byte) => byte ^ 1),
  );
  const start = await open(withShards(remote), "start");
  await assert.rejects(start.getChunk([0, 0]), (error) => ownError(error).code === "checksum_mismatch");
  files.set("/start/c/0/0", shard);
  assert.ok(await start.getChunk([0, 0]));
});

test("an aborted call ends neither the index nor the chunks of others", async () => {
  const remote = new RemoteStore(openStore());
  const array = await open(withShards(remote), "end");
  const controller = new AbortController();
  const aborted = array.getChunk([0, 0], { signal: controller.signal });
  const other = array.getChunk([0, 1], { signal: new AbortController().signal });
  controller.abort();
  await assert.rejects(aborted, { name: "AbortError" });
  assert.equal((await other).data.length, 6);
  assert.equal(remote.requests.length, 2);
});

test("a call that has been aborted before makes no request", async () => {
  const remote = new RemoteStore(openStore());
  const array = await open(withShards(remote), "end");
  await assert.rejects(array.getChunk([0, 0], { signal: AbortSignal.abort() }), { name: "AbortError" });
  assert.deepEqual(remote.requests, []);
});

test("an index whose request has just been aborted is requested anew", async () => {
  const remote = new RemoteStore(openStore());
  const store = withShards(remote);
  await store.get("/end/zarr.json");
  const controller = new AbortController();
  const aborted = store.get("/end/c/0/0", { signal: controller.signal });
  controller.abort();
  const read = store.get("/end/c/0/0");
  await assert.rejects(aborted, { name: "AbortError" });
  assert.equal((await read).length, 16);
});

test("a store gets a signal for an index if the call for it has one", async () => {
  const remote = new RemoteStore(openStore());
  const array = await open(withShards(remote), "end");
  await array.getChunk([0, 0]);
  await array.getChunk([3, 4], { signal: new AbortController().signal });
  assert.deepEqual(
    remote.requests.map(({ options }) => options.signal instanceof AbortSignal),
    [false, false, true, true],
  );
});

test("one listener for each signal", async () => {
  const { signal } = new AbortController();
  const listeners = { added: 0, removed: 0 };
  for (const [method, count] of [
    ["addEventListener", "added"],
    ["removeEventListener", "removed"],
  ]) {
    const call = signal[method].bind(signal);
    signal[method] = (...args) => {
      listeners[count] += 1;
      call(...args);
    };
  }
  const array = await open(withShards(new RemoteStore(openStore())), "end");
  await zarrita.get(array, null, { signal });
  // Once for the indexes and once for the inner chunks, at most.
  assert.ok(listeners.added <= 2, `${listeners.added}`);
  assert.equal(listeners.removed, listeners.added);
});

test("other options reach the store", async () => {
  const remote = new RemoteStore(openStore());
  const store = withShards(remote);
  await store.get("/end/zarr.json");
  await store.get("/end/c/0/0", { headers: { a: "b" } });
  assert.deepEqual(
    remote.requests.map(({ options }) => options.headers),
    [{ a: "b" }, { a: "b" }],
  );
});

test("options reach a store without ranges, too", async () => {
  const seen = [];
  const files = openStore();
  const store = withShards({
    get(key, options) {
      if (!key.endsWith("zarr.json")) seen.push(options?.headers);
      return files.get(key);
    },
  });
  await store.get("/end/zarr.json");
  await store.get("/end/c/0/0", { headers: { a: "b" } });
  assert.deepEqual(seen, [{ a: "b" }, { a: "b" }]);
});

test("a store that returns no bytes", async () => {
  const files = openStore();
  const store = withShards({ get: (key) => (key.endsWith("zarr.json") ? files.get(key) : "text") });
  const error = { code: "invalid_argument", argument: "store", key: "/end/c/0/0" };
  await assert.rejects(store.get("/end/c/0/0"), error);
});

test("a missing shard that has to be read whole, or whose store has no ranges", async () => {
  const files = openStoreOf("zarr-python");
  assert.equal(await withShards(files).get("/then-crc32c/c/9/9"), undefined);
  assert.equal(await withShards(new Map(files)).get("/end/c/9/9"), undefined);
});

test("chunks that share a request do not share memory", async () => {
  const array = await open(withShards(new RemoteStore(openStore())), "unchecked");
  const [a, b] = await Promise.all([array.getChunk([0, 0]), array.getChunk([0, 1])]);
  assert.notEqual(a.data.buffer, b.data.buffer);
});

test("calls that read the same chunk at the same time do not share memory", async () => {
  const remote = new RemoteStore(openStore());
  const array = await open(withShards(remote), "unchecked");
  await array.getChunk([0, 1]);
  const [a, b] = await Promise.all([array.getChunk([0, 0]), array.getChunk([0, 0])]);
  assert.equal(remote.requests.length, 3);
  assert.deepEqual(a, b);
  assert.notEqual(a.data.buffer, b.data.buffer);
});

test("long chunks that share a request are decoded one after another", async () => {
  const index = { name: "bytes", configuration: { endian: "little" } };
  const configuration = { chunk_shape: [2 ** 19], codecs: ["bytes"], index_codecs: [index] };
  const codecs = [{ name: "sharding_indexed", configuration }];
  const chain = createCodecChain({ dataType: "uint8", shape: [2 ** 20], codecs, fillValue: 0 });
  const encoded = chain.encode(new Uint8Array(2 ** 20).fill(1));
  const shard = await openShard(chain, async ({ offset, length, suffixLength }) =>
    suffixLength ? encoded.slice(-suffixLength) : encoded.slice(offset, offset + length),
  );
  const events = [];
  const read = async (at) => {
    await shard.decode([at]);
    events.push(`${at} read`);
    for (let i = 0; i < 20; i++) await undefined;
    events.push(`${at} decoded`);
  };
  await Promise.all([read(0), read(1)]);
  assert.deepEqual(events, ["0 read", "0 decoded", "1 read", "1 decoded"]);
});

test("a store without ranges is read by way of whole shards", async (t) => {
  t.after(register(zarrita.registry));
  const store = withShards(new Map(openStore()));
  assert.deepEqual(
    elementsOf(await zarrita.get(await open(store, "nested"))),
    valuesOf("tensorstore", "nested").values,
  );
});
