// The requests that reading chunks makes, which calls share them, and what aborting does.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import { setTimeout as after } from "node:timers/promises";
import { createCodecChain, openArray, openShard } from "zarr-codecs";
import * as zarrita from "zarrita";
import {
  coordinatesIn,
  LITTLE,
  metadataWith,
  openStore,
  RemoteStore,
  sharding,
  storeWith,
  toBytes,
  writtenArrays,
} from "./helpers.mjs";

const regular = (...chunk_shape) => ({ name: "regular", configuration: { chunk_shape } });

/** Rejects if a promise does not settle soon. */
const soon = (promise) =>
  Promise.race([promise, after(5000, undefined, { ref: false }).then(() => assert.fail("hangs"))]);

describe("requests", () => {
  test("are as many as those of zarrita, and fewer where there are shards", async () => {
    let [compared, sharded] = [0, 0];
    for (const { file, store, path } of writtenArrays()) {
      if (!file.includes("shards/tensorstore") && !file.includes("zarrita/")) continue;
      const count = async (read) => {
        const remote = new RemoteStore(store);
        await read(remote);
        return remote.requests.length;
      };
      const alone = await count(async (remote) => {
        const location = zarrita.root(remote).resolve(`/${path}`);
        const array = await zarrita.open.v3(location, { kind: "array" });
        await zarrita.get(array);
      }).catch(() => Infinity); // A data type or an index that zarrita cannot read.
      const ours = await count(async (remote) => {
        const array = await openArray(remote, path);
        await Promise.all([...coordinatesIn(array.gridShape)].map((at) => array.getChunk(at)));
      });
      if (alone === Infinity) continue;
      const place = `${file} ${path}`;
      const { codecs, shape } = JSON.parse(new TextDecoder().decode(store.get(`/${path}/zarr.json`)));
      if (codecs.some(({ name }) => name === "sharding_indexed") && shape.length > 0) {
        assert.ok(ours < alone, `${place}: ${ours} requests, zarrita ${alone}`);
        sharded++;
      } else {
        assert.equal(ours, alone, place);
      }
      compared++;
    }
    assert.ok(compared > 80 && sharded > 30, `${compared} compared, ${sharded} of them sharded`);
  });

  test("for inner chunks that are close to each other are joined, within the limits", async () => {
    const rangesOf = async (options) => {
      const remote = new RemoteStore(openStore("tensorstore"));
      const array = await openArray(remote, "start", options);
      await Promise.all([0, 1, 2].map((x) => array.getChunk([0, x])));
      return remote.requests.map(({ range }) => range).slice(1);
    };
    assert.equal((await rangesOf()).length, 1);
    assert.equal((await rangesOf({ maxRequestLength: 20 })).length, 3);
  });

  test("for an index are shared, and the index is kept", async () => {
    const remote = new RemoteStore(openStore("tensorstore"));
    const array = await openArray(remote, "end");
    await Promise.all([array.getChunk([0, 0]), array.has([0, 1]), array.locate([1, 1])]);
    await array.getChunk([1, 0]);
    assert.equal(remote.requests.filter(({ range }) => range.suffixLength).length, 1);
    assert.equal(remote.requests.length, 3);
  });

  test("that fail are made again by the next call", async () => {
    const remote = new RemoteStore(openStore("tensorstore"));
    const getRange = remote.getRange.bind(remote);
    let isOffline = true;
    remote.getRange = async (...args) => {
      if (isOffline) throw new Error("no network");
      return getRange(...args);
    };
    const array = await openArray(remote, "end");
    await assert.rejects(array.getChunk([0, 0]), { message: "no network" });
    assert.equal((await array.check([0, 0])).state, "unreadable");
    isOffline = false;
    assert.ok(await array.getChunk([0, 0]));
    assert.equal((await array.check([0, 0])).state, "sound");
  });
});

describe("synchronous stores", () => {
  test("are checked at once", async () => {
    const chunk = createCodecChain({ dataType: "uint8", shape: [2], codecs: ["bytes", "crc32c"] }).encode(
      Uint8Array.of(1, 2),
    );
    const array = await openArray(storeWith({ codecs: ["bytes", "crc32c"] }, { "/c/0": chunk }));
    await array.check([0]); // Loads the codecs.
    const { state, proof, byteLength } = array.check([0]);
    assert.deepEqual([state, proof, byteLength], ["sound", "checksum", 6]);
    assert.equal(array.check([1]).state, "missing");
  });

  test("may overwrite what they returned", async () => {
    const memory = new Uint8Array(2 ** 12);
    const held = (bytes) => {
      memory.fill(0xee);
      if (bytes) memory.set(bytes);
      return bytes && memory.subarray(0, bytes.length);
    };
    for (const { store, path, file } of writtenArrays()) {
      if (!file.includes("shards/zarr-python")) continue;
      const reusing = {
        isReused: true,
        get: (key) => (key.endsWith("zarr.json") ? store.get(key) : held(store.get(key))),
        getRange: (key, range) => held(store.getRange(key, range)),
      };
      const [array, expected] = await Promise.all([reusing, store].map((of) => openArray(of, path)));
      const all = [...coordinatesIn(array.gridShape)];
      const read = await Promise.all(all.map((at) => array.getChunk(at)));
      for (const [i, at] of all.entries()) {
        assert.deepEqual(read[i].data, (await expected.getChunk(at)).data, path);
      }
    }
  });
});

describe("aborting", () => {
  const LENGTH = 2 ** 19;
  const codecs = [sharding([LENGTH], ["bytes"])];
  const shape = [4 * LENGTH];
  const chain = createCodecChain({ dataType: "uint8", shape, codecs, fillValue: 0 });
  const encoded = chain.encode(new Uint8Array(4 * LENGTH).fill(7));
  const read = (range) =>
    "offset" in range
      ? encoded.slice(range.offset, range.offset + range.length)
      : encoded.slice(-range.suffixLength);

  /** The ways to read inner chunks of the shard: functions of an index and options. */
  const READERS = {
    openShard: async (source) => {
      const shard = await openShard(chain, source);
      return (i, options) => shard.decode([i], options);
    },
    openArray: async (source) => {
      const metadata = metadataWith({ shape, chunk_grid: regular(...shape), codecs });
      const array = await openArray({
        get: () => toBytes(metadata),
        getRange: (_, range, options) => source(range, options),
      });
      return (i, options) => array.getChunk([i], options);
    },
  };

  for (const [name, open] of Object.entries(READERS)) {
    test(`settles every call that shares a request, whenever it comes: ${name}`, async () => {
      for (const when of ["first read", "before", "while it is read", "after"]) {
        let reading = () => {};
        const decode = await open(async (range) => {
          await after(1);
          reading();
          return read(range);
        });
        await decode(0); // The index is known.
        const controllers = [0, 1, 2, 3].map(() => new AbortController());
        const abort = () => {
          for (const controller of controllers.slice(1)) controller.abort(new Error("no longer needed"));
        };
        const reads = controllers.map(({ signal }, i) => decode(i, { signal }));
        if (when === "before") abort();
        if (when === "while it is read") reading = abort;
        // The others are handed over one after another.
        if (when === "first read") reads[0].then(abort);
        if (when === "after") reads[3].then(abort);
        const settled = await soon(Promise.allSettled(reads));
        assert.equal(settled[0].value?.data.length, LENGTH, when);
        for (const { status, reason } of settled.slice(1)) {
          if (status === "rejected") assert.equal(reason.message, "no longer needed");
          else assert.ok(when === "after" || when === "first read", when);
        }
        if (when === "first read") assert.ok(settled.some(({ status }) => status === "rejected"));
        for (const { signal } of controllers) assert.deepEqual(getEventListeners(signal, "abort"), []);
      }
    });
  }

  test("a check rejects with the reason, whatever it reads: the index, inner chunks, or what was wrong again", async () => {
    const codecs = [sharding([2], ["bytes", "crc32c"])];
    const metadata = metadataWith({ shape: [8], chunk_grid: regular(8), codecs });
    const shard = createCodecChain({ dataType: "uint8", shape: [8], codecs, fillValue: 0 }).encode(
      new Uint8Array(8).fill(7),
    );
    for (const last of [1, 2, 3, 4]) {
      const controller = new AbortController();
      let requests = 0;
      const store = {
        get: () => toBytes(metadata),
        getRange: async (_, { offset, length, suffixLength }, { signal }) => {
          requests += 1;
          if (requests === last) controller.abort(new Error("closed"));
          signal.throwIfAborted();
          if (suffixLength) return shard.slice(-suffixLength);
          const bytes = shard.slice(offset, offset + length);
          return requests === 2 ? bytes.fill(6, 0, 1) : bytes;
        },
      };
      const array = await openArray(store);
      const { signal } = controller;
      await assert.rejects(
        async () => array.check([0], { signal }),
        { message: "closed" },
        `request ${last}`,
      );
      assert.equal(requests, last);
    }
  });

  test("rejects with the reason, before anything is requested too", async () => {
    const remote = new RemoteStore(openStore("tensorstore"));
    const array = await openArray(remote, "end");
    const signal = AbortSignal.abort(new Error("closed"));
    await assert.rejects(array.getChunk([0, 0], { signal }), { message: "closed" });
    assert.deepEqual(remote.requests, []);
    await assert.rejects(openArray(remote, "end", { signal }), { message: "closed" });
    await assert.rejects(async () => array.check([0, 0], { signal }), { message: "closed" });
  });

  test("ends a request once all calls that share it have been aborted", async () => {
    let aborted = 0;
    const decode = await READERS.openArray(
      (range, { signal } = {}) =>
        new Promise((resolve, reject) => {
          if ("suffixLength" in range) resolve(read(range));
          signal?.addEventListener("abort", () => {
            aborted += 1;
            reject(signal.reason);
          });
        }),
    );
    const controllers = [new AbortController(), new AbortController()];
    const reads = controllers.map(({ signal }, i) => decode(i, { signal }));
    await after(5);
    controllers[0].abort();
    await assert.rejects(reads[0], { name: "AbortError" });
    assert.equal(aborted, 0);
    controllers[1].abort();
    await assert.rejects(reads[1], { name: "AbortError" });
    assert.equal(aborted, 1);
  });
});

test("a thousand arrays that are alike are opened quickly, and read by their own metadata", async () => {
  const store = new Map();
  for (let i = 0; i < 1000; i++) {
    store.set(`/${i}/zarr.json`, toBytes(metadataWith({ shape: [i], codecs: [LITTLE], attributes: { i } })));
    store.set(`/${i}/c/0`, Uint8Array.of(i, 1));
  }
  for (let i = 1; i < 1000; i++) {
    const array = await openArray(store, `${i}`);
    assert.deepEqual([array.shape, array.attributes], [[i], { i }]);
    assert.equal((await array.getChunk([0])).data[0], i % 256);
  }
});
