// What stores may do: overwrite their answers, fail in other ways, be large; and what they are told.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import { crc32c } from "@aws-crypto/crc32c";
import { ChecksumMismatchError, createCodecChain, loadCodecChain } from "zarr-codecs";
import { verifyStore } from "zarr-codecs/verify";
import { arrayMetadata } from "./helpers.mjs";
import { ListedStore, placeOf, placesOf, READERS, toBytes, verified } from "./store-helpers.mjs";

const LITTLE = { name: "bytes", configuration: { endian: "little" } };
const regular = (length) => ({ name: "regular", configuration: { chunk_shape: [length] } });
const shardOf = (chunkShape, codecs) => [
  {
    name: "sharding_indexed",
    configuration: { chunk_shape: [chunkShape], codecs, index_codecs: [LITTLE] },
  },
];

/** A store of chunks of two elements. */
async function storeOf(codecs, count, options) {
  const metadata = arrayMetadata({ shape: [2 * count], codecs });
  const store = new ListedStore([["/zarr.json", toBytes(metadata)]]);
  const chain = await loadCodecChain({ dataType: "uint8", shape: [2], codecs, fillValue: 0 }, options);
  for (let i = 0; i < count; i++) store.set(`/c/${i}`, await chain.encode(Uint8Array.of(i + 1, 2)));
  return store;
}

const stored = (store, key) => Map.prototype.get.call(store, key);

describe("a store whose answers are overwritten by the next one", () => {
  const reusing = READERS["into the same memory"];

  /** Such a store of 8 chunks with checksums, one of which is damaged. */
  async function damagedStore(codecs) {
    const store = await storeOf(codecs, 8, LATE);
    store.set("/c/3", stored(store, "/c/3").with(0, 99));
    return reusing(store);
  }
  const COVERED = ["bytes", "crc32c"];

  /** A codec that looks at bytes only after others had their turn. */
  class Late {
    static fromConfig = () => new Late();
    encode = (bytes) => bytes;
    decode = async (bytes) => {
      await new Promise(setImmediate);
      return bytes.slice();
    };
  }
  const LATE = { codecs: new Map([["x.late", () => Late]]) };

  test("is read as any other, also where chunks take time", async () => {
    const codecs = [...COVERED, "x.late"];
    assert.deepEqual(await placesOf(await damagedStore(codecs), LATE), ["c/3 damaged checksum_mismatch"]);
    assert.deepEqual(await placesOf(await damagedStore(shardOf(1, codecs)), LATE), [
      "c/3 [0] damaged checksum_mismatch",
    ]);
  });

  test("is read as any other, also where it reads no ranges", async () => {
    const store = await damagedStore(shardOf(1, COVERED));
    const places = await placesOf({ ...store, getRange: undefined });
    assert.deepEqual(places, ["c/3 [0] damaged checksum_mismatch"]);
  });

  test("is read as any other, also where it was wrong at first", async () => {
    const { getRange, ...store } = await damagedStore(shardOf(1, COVERED));
    const seen = new Set();
    const wrongAtFirst = (key, range) => {
      const bytes = getRange(key, range);
      return seen.has(key) ? bytes : seen.add(key) && bytes.fill(bytes[0] ^ 1, 0, 1);
    };
    const { results, summary } = await verified({ ...store, getRange: wrongAtFirst });
    assert.deepEqual(results.filter(({ transient }) => !transient).map(placeOf), [
      "c/3 [0] damaged checksum_mismatch",
    ]);
    assert.deepEqual([summary.states.sound, summary.transient], [7, 8]);
  });

  test("may have checksums", async () => {
    for (const codecs of [["bytes"], shardOf(1, ["bytes"])]) {
      const store = await storeOf(codecs, 8);
      const checksumOf = async (key) => ({ crc32c: crc32c(stored(store, key)) });
      const { results, summary } = await verified({ ...reusing(store), checksumOf });
      assert.deepEqual([results, summary.proofs.checksum], [[], 8]);
    }
  });
});

test("a store that returns something other than bytes is a wrong argument", async () => {
  for (const value of ["text", {}, [1]]) {
    for (const options of [{}, { array: "a" }]) {
      await assert.rejects(verified({ get: () => value }, options), {
        name: "InvalidArgumentError",
        message: /^the value of the store: expected /,
      });
    }
  }
});

test("a shard is read once where its store reads no ranges", async () => {
  const store = await storeOf(shardOf(1, ["bytes"]), 2);
  await verified(READERS["whole values"](store));
  assert.deepEqual(store.requests.filter((key) => key !== "/zarr.json").sort(), ["/c/0", "/c/1"]);
});

describe("an answer", () => {
  const errorOf = async (answer) => {
    const store = await storeOf(["bytes"], 2);
    const get = (key) => (key === "/c/1" ? answer() : store.get(key));
    const { results } = await verified({ get }, { retries: 0 });
    assert.equal(results.length, 1);
    return results[0];
  };
  const throwing = (error) => () => {
    throw error;
  };

  test("that is an error of this package says that the chunk is damaged", async () => {
    const mismatch = new ChecksumMismatchError("wrong", { stored: 1, computed: 2, byteLength: 3 });
    for (const answer of [throwing(mismatch), async () => throwing(mismatch)()]) {
      const { state, error } = await errorOf(answer);
      assert.deepEqual(
        [state, error],
        ["damaged", { code: "checksum_mismatch", message: "wrong", stored: 1, computed: 2 }],
      );
    }
  });

  test("that is an error with a status that is no number has none", async () => {
    const { state, error } = await errorOf(throwing(Object.assign(new Error("no"), { status: "500" })));
    assert.deepEqual([state, error], ["unreadable", { code: "unreadable", message: "no" }]);
    assert.equal((await errorOf(throwing("no"))).error.message, "no");
  });

  test("of status 416 to a request for a whole value is a failure", async () => {
    const { state, error } = await errorOf(throwing(Object.assign(new Error("no"), { status: 416 })));
    assert.deepEqual([state, error], ["unreadable", { code: "unreadable", message: "no", status: 416 }]);
  });

  test("that fails at first may say later that there is no such key", async () => {
    const failing = (status) => throwing(Object.assign(new Error("no"), { status }));
    for (const later of [() => undefined, failing(404), failing(410)]) {
      const store = await storeOf(["bytes"], 2);
      const answers = [failing(503), later];
      const get = (key) => (key === "/c/1" ? answers.shift()() : store.get(key));
      assert.deepEqual(await placesOf({ get }, { retries: 1, missing: "warn" }), ["c/1 missing"]);
    }
  });

  test("that is not bytes leaves the chunk unreadable", async () => {
    const { state, error } = await errorOf(() => "text");
    assert.equal(state, "unreadable");
    assert.match(error.message, /^the value of the store: expected /);
  });
});

test("a store that knows the length of a shard reads nothing beyond its end", async () => {
  const codecs = shardOf(1, ["bytes"]);
  const metadata = arrayMetadata({ shape: [2], codecs });
  const index = BigUint64Array.of(0n, 1n, 90n, 1n); // The second inner chunk is beyond the end.
  const shard = Uint8Array.of(1, ...new Uint8Array(index.buffer));
  const read = [];
  const store = {
    get: () => toBytes(metadata),
    getRange(_, { offset, length, suffixLength }) {
      if (suffixLength) return shard.slice(-suffixLength);
      read.push(offset + length);
      return shard.slice(offset, offset + length);
    },
  };
  const codeOf = async (store) => (await verified(store)).results.map(({ error }) => error.code);
  assert.deepEqual(await codeOf(store), ["invalid_element"]);
  assert.ok(Math.max(...read) > shard.length);
  read.length = 0;
  const byteLengthOf = (key) => (key === "/c/0" ? shard.length : assert.fail(key));
  assert.deepEqual(await codeOf({ ...store, byteLengthOf }), ["invalid_element"]);
  assert.deepEqual(read, []);
});

test("a checksum of a value that is longer than 4 MiB is compared with all of it", async () => {
  const length = 5 * 2 ** 20;
  const codecs = shardOf(length, ["bytes"]);
  const metadata = arrayMetadata({ shape: [length], chunk_grid: regular(length), codecs });
  const data = Uint8Array.from({ length }, (_, i) => 1 + (i % 251));
  const shard = createCodecChain({ dataType: "uint8", shape: [length], codecs, fillValue: 0 }).encode(data);
  const store = new ListedStore([
    ["/zarr.json", toBytes(metadata)],
    ["/c/0", shard],
  ]);
  const right = crc32c(shard);
  store.checksumOf = () => ({ crc32c: right });
  assert.equal((await verified(store)).summary.proofs.checksum, 1);
  shard[length - 1] ^= 1;
  assert.deepEqual(await placesOf(store), ["c/0 damaged checksum_mismatch"]);
});

test("results of a shard that differ are counted once", async () => {
  const codecs = [
    {
      name: "sharding_indexed",
      configuration: { chunk_shape: [1], codecs: ["bytes", "crc32c"], index_codecs: [LITTLE, "crc32c"] },
    },
  ];
  const metadata = arrayMetadata({ shape: [3], chunk_grid: regular(3), codecs });
  const chain = createCodecChain({ dataType: "uint8", shape: [3], codecs, fillValue: 0 });
  const shard = chain.encode(Uint8Array.of(1, 0, 3));
  shard[0] = 9;
  let asked = 0;
  const store = {
    get: () => toBytes(metadata),
    getRange(_, { offset = shard.length, length = 0, suffixLength = 0 }) {
      const bytes = suffixLength ? shard.slice(-suffixLength) : shard.slice(offset, offset + length);
      asked += 1;
      return asked === 1 ? bytes.fill(1, 0, 1) : bytes;
    },
  };
  const { results, summary } = await verified(store, { missing: "fail" });
  assert.deepEqual(results.map(({ state }) => state).sort(), ["damaged", "missing", "sound"]);
  assert.deepEqual([summary.units, summary.insufficient, summary.transient], [1, 1, 1]);
});

describe("a run", () => {
  test("leaves no listeners, and ends the listing", async () => {
    const { signal } = new AbortController();
    const store = await storeOf(["bytes"], 2);
    const listings = [];
    const list = (options) => {
      listings.push(options.signal);
      return store.list();
    };
    const iterator = verifyStore({ get: (key) => store.get(key), list }, { signal, all: true });
    await iterator.next();
    assert.equal(getEventListeners(signal, "abort").length, 1);
    await iterator.return();
    assert.equal(getEventListeners(signal, "abort").length, 0);
    assert.deepEqual(
      listings.map(({ aborted }) => aborted),
      [true],
    );
  });

  test("tells its progress about ten times a second, not after each unit", async ({ mock }) => {
    mock.timers.enable({ apis: ["Date"] });
    const store = await storeOf(["bytes"], 60);
    const get = async (key) => {
      if (key !== "/zarr.json") mock.timers.tick(5);
      return store.get(key);
    };
    const told = [];
    const onProgress = ({ complete, units }) => told.push([complete, units]);
    await verified({ get }, { concurrency: 1, onProgress });
    assert.deepEqual(told, [
      [false, 20],
      [false, 40],
      [false, 60],
    ]);
  });
});
