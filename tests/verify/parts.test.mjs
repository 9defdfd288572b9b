// Parts, samples and resuming: every way of splitting a run gives the summary of one run.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { mergeSummaries, verifyStore } from "zarr-codecs/verify";
import { storeOfFiles, toBytes, verified } from "./store-helpers.mjs";

/** A store with damage, and all else that is counted. */
function damagedStore() {
  const store = storeOfFiles("shards/zarrs.json", "chains/tensorstore.json");
  for (const [i, key] of [...store.keys()].entries()) {
    if (key.endsWith("zarr.json")) continue;
    if (i % 7 === 0) store.set(key, Uint8Array.from(Map.prototype.get.call(store, key)).fill(3, 0, 2));
    if (i % 11 === 0) store.delete(key);
  }
  store.set("/stray", new Uint8Array(1));
  store.set("/bad/zarr.json", toBytes("{"));
  return store;
}

const store = damagedStore();
const whole = await verified(store);
const sorted = (results) => results.map((result) => JSON.stringify(result)).sort();

/** What does not depend on how a run was split. */
const countsOf = ({ part, ...counts }) => counts;

test("the store to split has results of all kinds", () => {
  const { states } = whole.summary;
  for (const state of ["sound", "damaged", "missing", "stray"]) assert.ok(states[state] > 0, state);
  assert.equal(whole.summary.total, whole.summary.done);
});

describe("parts", () => {
  test("of any count give the results of one run, each once", async () => {
    for (const count of [1, 2, 3, 7, 16]) {
      const parts = [];
      for (let index = 0; index < count; index++)
        parts.push(await verified(store, { part: { index, count } }));
      assert.deepEqual(sorted(parts.flatMap(({ results }) => results)), sorted(whole.results));
      const merged = mergeSummaries(parts.map(({ summary }) => summary));
      assert.deepEqual(merged, whole.summary);
      const sizes = parts.map(({ summary }) => summary.total);
      assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1);
    }
  });

  test("can be divided again, as by threads", async () => {
    const part = { index: 1, count: 3 };
    const threads = [];
    for (const i of [0, 1]) {
      const { summary } = await verified(store, { part: { index: part.index + i * part.count, count: 6 } });
      threads.push(summary);
    }
    const { summary } = await verified(store, { part });
    assert.deepEqual(mergeSummaries(threads, part), summary);
  });

  test("that are missing, or overlap, or are of other options are noticed", async () => {
    const of = async (index, count, options) =>
      (await verified(store, { ...options, part: { index, count } })).summary;
    const [first, second, quarter] = [await of(0, 2), await of(1, 2), await of(1, 4)];
    assert.equal(mergeSummaries([first]).complete, false);
    assert.equal(mergeSummaries([first, quarter]).complete, false);
    assert.equal(mergeSummaries([first, quarter, await of(3, 4)]).complete, true);
    assert.throws(() => mergeSummaries([first, second, quarter]), {
      code: "invalid_argument",
      message: "summaries: parts 1 of 2 and 1 of 4 overlap",
    });
    const other = await of(1, 2, { require: "checksum" });
    assert.throws(() => mergeSummaries([first, other]), /different stores or options/);
    assert.throws(() => mergeSummaries([]), /at least one summary/);
    assert.throws(() => mergeSummaries([second], { index: 0, count: 2 }), /part 1 of 2 is not in/);
  });

  test("spread neighbours: half of a part is not one half of the keys", async () => {
    const { results } = await verified(storeOfFiles("chains/zarrs.json"), {
      all: true,
      part: { index: 0, count: 2 },
    });
    const all = (await verified(storeOfFiles("chains/zarrs.json"), { all: true })).results;
    const keys = all.map(({ key }) => key).sort();
    const places = results.map(({ key }) => keys.indexOf(key)).sort((a, b) => a - b);
    const runs = places.filter((place, i) => place !== places[i - 1] + 1).length;
    assert.ok(runs > places.length / 4, `${runs} runs of ${places.length} keys`);
  });
});

describe("resuming", () => {
  /** Takes results until there are so many, or units, and returns the last summary; then goes on. */
  async function interrupted(after, options) {
    const stop = new AbortController();
    const iterator = verifyStore(store, { ...options, stop: stop.signal });
    const results = [];
    for (;;) {
      const { done, value } = await iterator.next();
      if (done) {
        assert.equal(value.complete, value.done === value.total && !stop.signal.aborted);
        const rest = await verified(store, { ...options, resume: JSON.parse(JSON.stringify(value)) });
        return { first: value, results: [...results, ...rest.results], summary: rest.summary };
      }
      results.push(value);
      if (results.length === after) stop.abort();
    }
  }

  test("after a stop anywhere gives the results of one run, each once", async () => {
    const { length } = whole.results;
    for (const after of [1, 2, length >> 1, length + 1]) {
      const { results, summary, first } = await interrupted(after);
      assert.deepEqual(sorted(results), sorted(whole.results));
      assert.deepEqual(summary, whole.summary);
      assert.ok(after > length || first.verdict !== "sound");
    }
  });

  test("from what `onProgress` was told gives the summary of one run", async ({ mock }) => {
    mock.timers.enable({ apis: ["Date"] });
    const reading = {
      async get(key) {
        mock.timers.tick(10);
        return store.get(key);
      },
      list: () => store.list(),
    };
    /** Each summary, and how many results had been taken. */
    const told = [];
    let taken = 0;
    const iterator = verifyStore(reading, {
      onProgress: (summary) => told.push({ taken, summary: structuredClone(summary) }),
    });
    const results = [];
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      results.push(next.value);
      taken += 1;
    }
    assert.ok(told.length > 1, `${told.length} calls`);
    for (const { taken, summary } of [told[0], told.at(-1)]) {
      assert.equal(summary.complete, false);
      const rest = await verified(reading, { resume: summary });
      assert.deepEqual(sorted([...results.slice(0, taken), ...rest.results]), sorted(results));
      assert.equal(rest.summary.units, whole.summary.units);
    }
  });

  test("from a summary of something else is an error", async () => {
    const { summary } = await verified(store, { part: { index: 0, count: 2 } });
    const rejects = (options, message) =>
      assert.rejects(verified(store, { resume: summary, ...options }), { code: "invalid_argument", message });
    await rejects({}, "options.resume is the summary of another part");
    await rejects({ part: summary.part, require: "checksum" }, /another store, or of one that has changed/);
    const changed = storeOfFiles("shards/zarrs.json");
    await assert.rejects(verified(changed, { resume: summary, part: summary.part }), /another store/);
  });

  test("from a complete summary returns it", async () => {
    assert.deepEqual(await verified(store, { resume: whole.summary }), {
      results: [],
      summary: whole.summary,
    });
  });
});

describe("a sample", () => {
  const sampled = (percent, seed, part) => verified(store, { all: true, sample: { percent, seed }, part });
  const keysOf = ({ results }) => results.filter(({ chunk }) => chunk).map(({ key }) => key);

  test("has the percentage of the units, the same ones for the same seed", async () => {
    const [a, b, other] = [await sampled(10, 5), await sampled(10, 5), await sampled(10, 6)];
    assert.equal(a.summary.total, Math.ceil(whole.summary.total / 10));
    assert.deepEqual(keysOf(a), keysOf(b));
    assert.notDeepEqual(keysOf(a).sort(), keysOf(other).sort());
    assert.deepEqual(a.summary.sample, { percent: 10, seed: 5 });
  });

  test("is divided into parts as a store is", async () => {
    const all = await sampled(30, 1);
    const parts = [];
    for (const index of [0, 1, 2]) parts.push(await sampled(30, 1, { index, count: 3 }));
    assert.deepEqual(parts.flatMap(keysOf).sort(), keysOf(all).sort());
    assert.deepEqual(countsOf(mergeSummaries(parts.map(({ summary }) => summary))), countsOf(all.summary));
  });
});

test("every unit of a large store is in exactly one part", async () => {
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    data_type: "uint8",
    fill_value: 0,
    codecs: ["bytes"],
    shape: [30, 700],
    chunk_key_encoding: { name: "default" },
    chunk_grid: { name: "regular", configuration: { chunk_shape: [1, 1] } },
  };
  const seen = new Uint8Array(30 * 700);
  const counting = {
    get(key) {
      if (key === "/zarr.json") return toBytes(metadata);
      const [, , row, column] = key.split("/").map(Number);
      seen[row * 700 + column] += 1;
      return undefined;
    },
  };
  for (const index of [0, 1, 2]) await verified(counting, { part: { index, count: 3 } });
  assert.ok(seen.every((count) => count === 1));
});
