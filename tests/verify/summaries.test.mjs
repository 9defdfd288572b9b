// What summaries count and identify, how those of parts are merged, and results in full.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { crc32c } from "@aws-crypto/crc32c";
import { createCodecChain } from "zarr-codecs";
import { mergeSummaries } from "zarr-codecs/verify";
import { arrayMetadata } from "./helpers.mjs";
import { GROUP, ListedStore, toBytes, verified } from "./store-helpers.mjs";

const LITTLE = { name: "bytes", configuration: { endian: "little" } };
const COVERED = ["bytes", "crc32c"];

const encoded = (codecs, ...elements) =>
  createCodecChain({ dataType: "uint8", shape: [elements.length], codecs, fillValue: 0 }).encode(
    Uint8Array.from(elements),
  );

/** A store with units of most kinds. */
function makeStore() {
  const consolidated_metadata = { metadata: { gone: arrayMetadata() } };
  const store = new ListedStore([
    ["/zarr.json", toBytes(GROUP)],
    ["/a/zarr.json", toBytes(arrayMetadata({ shape: [8], codecs: COVERED }))],
    ["/b/zarr.json", toBytes(arrayMetadata({ shape: [6] }))],
    ["/c/zarr.json", toBytes({ ...GROUP, consolidated_metadata })],
    ["/wrong/zarr.json", toBytes("{")],
    ["/notes", new Uint8Array(5)],
  ]);
  const chunk = encoded(COVERED, 1, 2);
  for (const i of [0, 1, 2]) store.set(`/a/c/${i}`, i === 1 ? chunk.with(0, 9) : chunk);
  for (const i of [0, 1]) store.set(`/b/c/${i}`, Uint8Array.of(1, 2));
  return store;
}

const EXPECTED = {
  verdict: "damaged",
  complete: true,
  part: { index: 0, count: 1 },
  total: 9,
  done: 9,
  nodes: 5,
  units: 12,
  chunks: 5,
  bytes: 16,
  states: { sound: 4, damaged: 2, missing: 5, unreadable: 0, stray: 1 },
  proofs: { checksum: 2, decoded: 0, length: 2, present: 0, none: 8 },
  insufficient: 2,
  transient: 0,
  missingNodes: 1,
};

describe("a summary", () => {
  test("counts units of all kinds", async () => {
    const { plan, ...summary } = (await verified(makeStore(), { require: "decoded", all: false })).summary;
    assert.match(plan, /^[0-9a-f]{8}$/);
    assert.deepEqual(summary, EXPECTED);
  });

  test("of several parts is that of one run, whichever part is which", async () => {
    const { summary } = await verified(makeStore(), { require: "decoded" });
    for (const count of [2, 3, 5]) {
      const parts = [];
      for (let index = 0; index < count; index++) {
        parts.push((await verified(makeStore(), { require: "decoded", part: { index, count } })).summary);
      }
      assert.deepEqual(
        parts.map(({ total }) => total),
        Array.from({ length: count }, (_, i) => Math.ceil((9 - i) / count)),
      );
      assert.deepEqual(mergeSummaries(parts), summary);
      assert.deepEqual(mergeSummaries(parts.toReversed()), summary);
    }
  });

  test("is of each unit once, however many there are", async () => {
    for (const count of [1, 2, 3, 5, 8, 13, 21, 34, 64, 65, 200]) {
      const metadata = toBytes(arrayMetadata({ shape: [2 * count] }));
      const asked = new Set();
      const get = (key) => (key === "/zarr.json" ? metadata : asked.add(key) && undefined);
      assert.equal((await verified({ get })).summary.done, count);
      assert.equal(asked.size, count, `${count} chunks`);
    }
  });

  test("is of a run with more parts than units", async () => {
    const part = { index: 10, count: 20 };
    const { results, summary } = await verified(makeStore(), { part });
    assert.deepEqual([results, summary.total, summary.verdict], [[], 0, "sound"]);
  });

  test("says which sample was verified, of how many units", async () => {
    const sampled = async (sample) => (await verified(makeStore(), { sample })).summary;
    assert.equal("sample" in (await verified(makeStore())).summary, false);
    const { sample, total } = await sampled({ percent: 50 });
    assert.deepEqual([sample, total], [{ percent: 50, seed: 0 }, 5]);
    const { plan: half } = await sampled({ percent: 50, seed: 0 });
    assert.equal(half, (await sampled({ percent: 50 })).plan);
    assert.notEqual(half, (await sampled({ percent: 50, seed: 1 })).plan);
    assert.equal((await sampled({ percent: 100, seed: -3 })).total, 9);
  });

  test("identifies arrays and requirements", async () => {
    const planOf = async (members, options, path = "") => {
      const store = new ListedStore([[`${path}/zarr.json`, toBytes(arrayMetadata(members))]]);
      return (await verified(store, options)).summary.plan;
    };
    const plans = [
      await planOf(),
      await planOf({ shape: [5] }),
      await planOf({ shape: [3] }),
      await planOf({ data_type: "int8" }),
      await planOf({ codecs: COVERED }),
      await planOf({ chunk_key_encoding: { name: "v2" } }),
      await planOf({ chunk_grid: { name: "regular", configuration: { chunk_shape: [1] } } }),
      await planOf({}, {}, "/a"),
      await planOf({}, { require: "checksum" }),
      await planOf({}, { missing: "warn" }),
    ];
    assert.equal(new Set(plans).size, plans.length);
    assert.equal(
      await planOf({ attributes: { a: 1 } }, { require: "present", retries: 0, all: true }),
      plans[0],
    );
  });
});

describe("merging", () => {
  const of = (index, count, members) => ({ ...EXPECTED, plan: "0", part: { index, count }, ...members });
  const rejects = (summaries, message, part) =>
    assert.throws(() => mergeSummaries(summaries, part), {
      code: "invalid_argument",
      argument: "summaries",
      message: `summaries: ${message}`,
    });

  test("adds what parts count", () => {
    const merged = mergeSummaries([of(0, 2, { transient: 3 }), of(1, 2, { transient: 1 })]);
    assert.deepEqual(merged, {
      plan: "0",
      verdict: "damaged",
      complete: true,
      part: { index: 0, count: 1 },
      total: 18,
      done: 18,
      nodes: 5,
      units: 24,
      chunks: 10,
      bytes: 32,
      states: { sound: 8, damaged: 4, missing: 10, unreadable: 0, stray: 2 },
      proofs: { checksum: 4, decoded: 0, length: 4, present: 0, none: 16 },
      insufficient: 4,
      transient: 4,
      missingNodes: 2,
    });
  });

  test("is complete if all parts are there and complete", () => {
    const isComplete = (summaries, part) => mergeSummaries(summaries, part).complete;
    assert.equal(isComplete([of(0, 2), of(1, 4), of(3, 4)]), true);
    assert.equal(isComplete([of(0, 2), of(1, 4)]), false);
    assert.equal(isComplete([of(0, 2), of(1, 2, { complete: false })]), false);
    assert.equal(isComplete([of(0, 3), of(1, 3), of(2, 3)]), true);
    assert.equal(isComplete([of(1, 6), of(4, 6)], { index: 1, count: 3 }), true);
    assert.equal(isComplete([of(4, 6)], { index: 1, count: 3 }), false);
  });

  test("rejects parts that do not belong together", () => {
    rejects([], "expected at least one summary");
    rejects([of(0, 2), of(1, 2, { plan: "1" })], "they are of different stores or options");
    rejects([of(0, 2), of(1, 2), of(0, 2)], "parts 0 of 2 and 0 of 2 overlap");
    rejects([of(1, 4), of(1, 2)], "parts 1 of 4 and 1 of 2 overlap");
    rejects([of(0, 2), of(2, 3)], "parts 0 of 2 and 2 of 3 overlap");
    rejects([of(1, 6), of(2, 6)], "part 2 of 6 is not in the merged part", { index: 1, count: 3 });
    rejects([of(1, 4)], "part 1 of 4 is not in the merged part", { index: 1, count: 3 });
  });
});

describe("resuming", () => {
  test("only continues a summary of the same part of the same store", async () => {
    const part = { index: 1, count: 3 };
    const { summary } = await verified(makeStore(), { part });
    const rejects = (options, what) =>
      assert.rejects(verified(makeStore(), { resume: summary, part, ...options }), {
        code: "invalid_argument",
        argument: "options.resume",
        message: `options.resume is the summary of ${what}`,
      });
    await rejects({ part: { index: 2, count: 3 } }, "another part");
    await rejects({ part: { index: 1, count: 4 } }, "another part");
    await rejects({ require: "length" }, "another store, or of one that has changed, or other options");
    const { results, summary: again } = await verified(makeStore(), { resume: summary, part });
    assert.deepEqual([results, again], [[], summary]);
  });
});

test("results of a shard, in full", async () => {
  const configuration = { chunk_shape: [1], codecs: COVERED, index_codecs: [LITTLE, "crc32c"] };
  const codecs = [{ name: "sharding_indexed", configuration }];
  const chunk_grid = { name: "regular", configuration: { chunk_shape: [3] } };
  const shard = encoded(codecs, 1, 0, 3);
  const store = new ListedStore([
    ["/a/zarr.json", toBytes(arrayMetadata({ shape: [3], chunk_grid, codecs }))],
    ["/a/c/0", shard.with(5, 2)],
  ]);
  const { results } = await verified(store, { all: "inner", missing: "warn" });
  const place = { array: "a", key: "a/c/0", chunk: [0] };
  const range = { offset: 5, length: 5 };
  const [{ error, ...damaged }] = results.splice(
    results.findIndex(({ state }) => state === "damaged"),
    1,
  );
  assert.deepEqual(damaged, {
    ...place,
    inner: [2],
    state: "damaged",
    proof: "none",
    byteLength: 5,
    range,
  });
  const { stored, computed, diagnosis, message, ...others } = error;
  assert.deepEqual(others, { code: "checksum_mismatch", range });
  assert.equal(stored, new DataView(shard.buffer, shard.byteOffset + 6).getUint32(0, true));
  assert.equal(computed, crc32c(Uint8Array.of(2)));
  assert.deepEqual([diagnosis.code, diagnosis.byteOffset, diagnosis.bit], ["flipped_bit", 0, 0]);
  assert.match(message, /crc32c stored 0x[0-9a-f]{8}, computed 0x[0-9a-f]{8}/);
  assert.deepEqual(results, [
    { ...place, inner: [1], state: "missing", proof: "none" },
    {
      ...place,
      inner: [0],
      state: "sound",
      proof: "checksum",
      byteLength: 5,
      range: { offset: 0, length: 5 },
    },
  ]);
});
