// Stores that fail, stall, truncate, or give other bytes when they are read again; and runs that are ended.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createCodecChain } from "zarr-codecs";
import { verifyStore } from "zarr-codecs/verify";
import { arrayMetadata } from "./helpers.mjs";
import { addArray, ListedStore, placesOf, readVectors, toBytes, verified } from "./store-helpers.mjs";

const COUNT = 100;
const CODECS = ["bytes", "crc32c"];
const CHUNK = createCodecChain({ dataType: "uint8", shape: [2], codecs: CODECS }).encode(Uint8Array.of(1, 2));
const METADATA = toBytes(arrayMetadata({ shape: [2 * COUNT], codecs: CODECS }));

/** A store of 100 chunks, in which `answer(times, signal)` replaces the answer for one of them. */
function storeWith(key, answer) {
  const asked = new Map();
  return {
    asked,
    get(asking, { signal }) {
      asked.set(asking, (asked.get(asking) ?? 0) + 1);
      if (asking === key) return answer(asked.get(asking), signal);
      return asking === "/zarr.json" ? METADATA : CHUNK;
    },
  };
}

const failing = (status) => {
  throw Object.assign(new Error("the server said no"), { status });
};

const QUICK = { retries: 1, timeout: 100 };

describe("a chunk that cannot be read", () => {
  for (const status of [403, 500, 503, undefined]) {
    test(`by status ${status} is unreadable, not damaged, and nothing else is`, async () => {
      for (const answer of [() => failing(status), async () => failing(status)]) {
        const store = storeWith("/c/7", answer);
        const { results, summary } = await verified(store, QUICK);
        assert.deepEqual(results, [
          {
            array: "",
            key: "c/7",
            chunk: [7],
            state: "unreadable",
            proof: "none",
            error: { code: "unreadable", message: "the server said no", ...(status && { status }) },
          },
        ]);
        assert.equal(store.asked.get("/c/7"), 2);
        assert.equal(summary.verdict, "incomplete");
        assert.ok(summary.complete);
      }
    });
  }

  test("by status 404 is missing, and not asked for again", async () => {
    const store = storeWith("/c/7", () => failing(404));
    const { results, summary } = await verified(store, { missing: "warn" });
    assert.deepEqual(
      results.map(({ key, state }) => `${key} ${state}`),
      ["c/7 missing"],
    );
    assert.equal(store.asked.get("/c/7"), 1);
    assert.equal(summary.verdict, "sound");
  });

  test("at first, but when it is repeated, is sound", async () => {
    const store = storeWith("/c/7", (times) => (times < 3 ? failing(503) : CHUNK));
    const { results, summary } = await verified(store, { retries: 2 });
    assert.deepEqual(results, []);
    assert.equal(summary.states.sound, COUNT);
    assert.equal(store.asked.get("/c/7"), 3);
  });

  test("because the store does not answer is unreadable after the timeout, and its signal is aborted", async () => {
    const signals = [];
    const store = storeWith("/c/7", (_, signal) => {
      signals.push(signal);
      return new Promise(() => {});
    });
    const { results } = await verified(store, QUICK);
    assert.equal(results.length, 1);
    assert.deepEqual(results[0].error, { code: "timeout", message: "no answer within 100 ms" });
    assert.equal(signals.length, 2);
    assert.ok(signals.every(({ aborted }) => aborted));
  });

  test("as metadata is a unit too", async () => {
    const group = toBytes({ zarr_format: 3, node_type: "group" });
    const files = { "/zarr.json": group, "/b/zarr.json": METADATA };
    const store = {
      get: (key) => (key === "/a/zarr.json" ? failing(403) : (files[key] ?? CHUNK)),
      list: () => ["zarr.json", "a/zarr.json", "b/zarr.json"].map((key) => ({ key })),
    };
    assert.deepEqual(await placesOf(store, QUICK), ["a/zarr.json unreadable unreadable"]);
  });
});

describe("a chunk that is wrong", () => {
  const wrong = CHUNK.with(0, 9);

  test("is read again before it is called damaged", async () => {
    const store = storeWith("/c/7", () => wrong);
    assert.deepEqual(await placesOf(store, { retries: 0 }), ["c/7 damaged checksum_mismatch"]);
    assert.equal(store.asked.get("/c/7"), 2);
    assert.equal(store.asked.get("/c/8"), 1);
  });

  test("only at first is sound, and the result says that it was not", async () => {
    for (const first of [wrong, CHUNK.subarray(0, 3), new Uint8Array()]) {
      const store = storeWith("/c/7", async (times) => (times === 1 ? first : CHUNK));
      const { results, summary } = await verified(store);
      assert.equal(results.length, 1);
      const [{ key, state, proof, transient, error }] = results;
      assert.deepEqual([key, state, proof, transient], ["c/7", "sound", "checksum", true]);
      assert.ok(["checksum_mismatch", "chunk_length"].includes(error.code));
      assert.deepEqual([summary.verdict, summary.transient, summary.states.sound], ["sound", 1, COUNT]);
    }
  });

  test("in another way each time is read as often as `retries` says", async () => {
    const store = storeWith("/c/7", (times) => (times < 4 ? CHUNK.with(0, 10 + times) : CHUNK));
    assert.deepEqual(await placesOf(store, { retries: 3 }), ["c/7 sound checksum_mismatch transient"]);
    const shorter = storeWith("/c/7", (times) => (times < 4 ? CHUNK.with(0, 10 + times) : CHUNK));
    assert.deepEqual(await placesOf(shorter, { retries: 2 }), ["c/7 damaged checksum_mismatch"]);
  });

  test("and cannot be read again is unreadable", async () => {
    const store = storeWith("/c/7", (times) => (times === 1 ? wrong : failing(500)));
    assert.deepEqual(await placesOf(store, QUICK), ["c/7 unreadable unreadable"]);
  });
});

test("metadata are read again before they are called wrong", async () => {
  let times = 0;
  const store = { get: (key) => (key === "/zarr.json" ? (times++ === 0 ? toBytes("{") : METADATA) : CHUNK) };
  assert.deepEqual(await placesOf(store), []);
});

describe("a shard", () => {
  const array = readVectors("shards/zarrs.json").arrays.find(({ name }) => name === "compressed-gzip-crc32c");
  const key = `/${array.name}/${array.chunks[0].key}`;

  /** A store of it, in which the answers to the first requests for the shard are replaced. */
  function shardWith(change, { from = 0, times = 1 } = {}) {
    const store = addArray(new ListedStore(), array);
    let asked = 0;
    return {
      get: (key) => store.get(key),
      list: () => store.list(),
      async getRange(asking, range) {
        const bytes = Uint8Array.from(store.getRange(asking, range));
        asked += 1;
        return asking === key && asked > from && asked <= from + times ? change(bytes) : bytes;
      },
    };
  }

  test("of which the index was wrong once is sound", async () => {
    const store = shardWith((bytes) => bytes.fill(1, 3, 4));
    assert.deepEqual(await placesOf(store), [`${key.slice(1)} sound checksum_mismatch transient`]);
  });

  test("of which inner chunks were wrong once is sound", async () => {
    const store = shardWith((bytes) => bytes.fill(bytes[0] ^ 255, 0, 1), { from: 1 });
    const [place, ...others] = await placesOf(store);
    assert.match(place, /\[\d,\d,\d\] sound checksum_mismatch transient$/);
    assert.deepEqual(others, []);
  });

  test("that was truncated once is sound, and its results say which inner chunks were not there", async () => {
    const store = shardWith((bytes) => bytes.subarray(0, 40), { from: 1 });
    const inner = ["0,0,0", "0,1,0", "0,1,1", "1,0,0", "1,0,1", "1,1,0", "1,1,1"]; // [0,0,1] is missing.
    assert.deepEqual(
      await placesOf(store),
      inner.map((at) => `${key.slice(1)} [${at}] sound chunk_length transient`),
    );
  });

  test("from a server that answers 416 beyond its end, or ignores ranges", async () => {
    const store = addArray(new ListedStore(), array);
    const bytes = store.get(key);
    const short = {
      get: (key) => store.get(key),
      list: () => store.list(),
      getRange: (key, range) => (range.offset >= 20 ? failing(416) : store.getRange(key, range)),
    };
    assert.deepEqual(await placesOf(short), []);
    const ignorant = { ...short, getRange: () => bytes };
    const { results } = await verified(ignorant, QUICK);
    assert.deepEqual(
      results.map(({ state }) => state),
      ["unreadable"],
    );
    assert.match(results[0].error.message, /expected at most \d+$/);
  });
});

describe("a run", () => {
  /** Lets everything happen that was begun, and what that begins. */
  async function turns(count) {
    for (let i = 0; i < count; i++) await turn();
  }

  /** A store that answers late, and knows how many requests are under way. */
  function lateStore() {
    const store = {
      most: 0,
      begun: 0,
      underWay: 0,
      async get(key, { signal }) {
        if (key === "/zarr.json") return METADATA;
        store.begun += 1;
        store.underWay += 1;
        store.most = Math.max(store.most, store.underWay);
        try {
          await turn(undefined, { signal });
        } finally {
          store.underWay -= 1;
        }
        return CHUNK.with(0, 7);
      },
    };
    return store;
  }

  test("has as many requests under way as `concurrency` says, and reads nothing ahead", async () => {
    const store = lateStore();
    const iterator = verifyStore(store, { concurrency: 4 });
    for (let taken = 1; taken <= 5; taken++) {
      await iterator.next();
      await turns(20);
      assert.ok(store.begun <= 2 * (taken + 4), `${store.begun} requests for ${taken} results`);
    }
    assert.equal(store.most, 4);
    await iterator.return();
  });

  test("that is left early begins nothing more, and aborts what is under way", async () => {
    const store = lateStore();
    for await (const { key } of verifyStore(store, { concurrency: 8 })) {
      assert.ok(key);
      break;
    }
    const { begun } = store;
    await turns(20);
    assert.equal(store.begun, begun);
    assert.equal(store.underWay, 0);
  });

  test("that is aborted rejects with the reason", async () => {
    const reason = new Error("enough");
    for (const store of [lateStore(), storeWith("", () => {})]) {
      const controller = new AbortController();
      const iterator = verifyStore(store, { signal: controller.signal, all: true });
      await iterator.next();
      controller.abort(reason);
      await assert.rejects(async () => {
        for await (const result of iterator) assert.ok(result);
      }, reason);
    }
    await assert.rejects(verified(lateStore(), { signal: AbortSignal.abort(reason) }), reason);
  });

  test("gives others on its thread their turn every 50 ms", async ({ mock }) => {
    mock.timers.enable({ apis: ["Date"] });
    const metadata = toBytes(arrayMetadata({ shape: [400], codecs: ["bytes"] }));
    let read = 0;
    const get = (key) => {
      if (key === "/zarr.json") return metadata;
      mock.timers.tick(10);
      read += 1;
      return Uint8Array.of(1, 2);
    };
    /** How many chunks had been read at each turn. */
    const seen = new Set();
    let next;
    const look = () => {
      seen.add(read);
      next = setImmediate(look);
    };
    look();
    await verified({ get });
    clearImmediate(next);
    for (let count = 5; count <= 200; count += 5) assert.ok(seen.has(count), `after ${count} chunks`);
  });
});
