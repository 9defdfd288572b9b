// `openShard` with an AbortSignal: calls that share requests, some of which are aborted.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test } from "node:test";
import { openShard } from "zarr-codecs";
import { chainOf, INDEX_LENGTH, openStore as openStoreOf, sourceOf } from "./stores.mjs";

/** tensorstore writes inner chunks in C order, without gaps. */
const openStore = () => openStoreOf("tensorstore");

describe("openShard with a signal", () => {
  test("a signal that is none is an error", async () => {
    const store = openStore();
    const bytes = store.get("/end/c/0/0");
    const shard = await openShard(chainOf(store, "end"), bytes);
    for (const [signal, got] of [
      [5, "5"],
      [null, "null"],
      [{ aborted: false }, "an object"],
      [new AbortController(), "an AbortController"],
    ]) {
      const error = {
        name: "InvalidArgumentError",
        message: `options.signal: expected an AbortSignal, got ${got}`,
      };
      await assert.rejects(openShard(chainOf(store, "end"), bytes, { signal }), error);
      await assert.rejects(shard.decode([0, 0], { signal }), error);
    }
  });

  test("aborting one call does not abort the request that another one shares", async () => {
    const store = openStore();
    const { source, ranges } = sourceOf(store, "/end/c/0/0");
    const shard = await openShard(chainOf(store, "end"), source);
    const [first, second] = [new AbortController(), new AbortController()];
    const reads = [
      shard.decode([0, 0], { signal: first.signal }),
      shard.decode([0, 0], { signal: second.signal }),
      shard.decode([0, 1], { signal: second.signal }),
    ];
    await Promise.resolve();
    first.abort(new Error("no longer needed"));
    const [aborted, ...read] = await Promise.allSettled(reads);
    assert.equal(aborted.reason.message, "no longer needed");
    assert.deepEqual(
      read.map(({ status }) => status),
      ["fulfilled", "fulfilled"],
    );
    assert.equal(ranges.length, 2);
  });

  test("a signal aborts the calls that still wait after others of it have ended, and is let go with the last", async () => {
    const store = openStore();
    const pending = new Promise(() => {});
    const shard = await openShard(
      chainOf(store, "end"),
      (range) => (range.offset > 0 ? pending : store.getRange("/end/c/0/0", range)),
      { maxGap: 0 },
    );
    const controller = new AbortController();
    const { signal } = controller;
    const reading = shard.decode([1, 2], { signal });
    await shard.decode([0, 0], { signal });
    assert.equal(getEventListeners(signal, "abort").length, 1);
    controller.abort();
    await assert.rejects(reading, { name: "AbortError" });
    const later = new AbortController();
    await shard.decode([0, 0], { signal: later.signal });
    assert.deepEqual(getEventListeners(later.signal, "abort"), []);
  });

  test("a call that is aborted at once makes no request", async () => {
    const store = openStore();
    const { source, ranges } = sourceOf(store, "/end/c/0/0");
    const shard = await openShard(chainOf(store, "end"), source);
    const controller = new AbortController();
    const reading = shard.decode([0, 0], { signal: controller.signal });
    controller.abort();
    await assert.rejects(reading, { name: "AbortError" });
    assert.deepEqual(ranges, [{ suffixLength: INDEX_LENGTH }]);
  });

  test("a call that has been aborted before makes no request, and joins none", async () => {
    const store = openStore();
    const { source, ranges } = sourceOf(store, "/end/c/0/0");
    const signal = AbortSignal.abort();
    await assert.rejects(openShard(chainOf(store, "end"), source, { signal }), { name: "AbortError" });
    assert.deepEqual(ranges, []);
    const shard = await openShard(chainOf(store, "end"), source);
    const reading = shard.decode([0, 0]);
    await Promise.resolve();
    await assert.rejects(shard.decode([0, 0], { signal }), { name: "AbortError" });
    assert.ok(await reading);
    assert.equal(ranges.length, 2);
  });

  test("a signal aborts reading the index", async () => {
    const controller = new AbortController();
    const source = (_, { signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const opening = openShard(chainOf(openStore(), "end"), source, { signal: controller.signal });
    controller.abort(new Error("closed"));
    await assert.rejects(opening, { message: "closed" });
  });

  test("a source gets a signal if all calls have one", async () => {
    const store = openStore();
    const signals = [];
    const source = (range, { signal }) => {
      signals.push(signal);
      return store.getRange("/end/c/0/0", range);
    };
    const { signal } = new AbortController();
    const shard = await openShard(chainOf(store, "end"), source);
    await Promise.all([shard.decode([0, 0], { signal }), shard.decode([0, 1])]);
    assert.deepEqual(signals, [undefined, undefined]);
    await Promise.all([shard.decode([0, 0], { signal }), shard.decode([0, 1], { signal })]);
    assert.ok(signals[2] instanceof AbortSignal);
  });

  test("a call does not join a request that has been aborted and not ended, nor does the end of that one concern it", async () => {
    const store = openStore();
    const answers = [];
    const shard = await openShard(chainOf(store, "end"), (range) => {
      if (!("offset" in range)) return store.getRange("/end/c/0/0", range);
      return new Promise((resolve) => answers.push(() => resolve(store.getRange("/end/c/0/0", range))));
    });
    const controller = new AbortController();
    const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
    const aborted = shard.decode([0, 0], { signal: controller.signal });
    await turn();
    controller.abort();
    await assert.rejects(aborted, { name: "AbortError" });
    const reads = [shard.decode([0, 0])];
    await turn();
    assert.equal(answers.length, 2);
    answers[0]();
    await turn();
    reads.push(shard.decode([0, 0]));
    await turn();
    assert.equal(answers.length, 2);
    answers[1]();
    const [first, second] = await Promise.all(reads);
    assert.ok(first);
    assert.deepEqual(first, second);
  });

  test("a request is aborted when all calls have been, and made anew for the next", async () => {
    const store = openStore();
    let aborted = 0;
    const shard = await openShard(chainOf(store, "end"), (range, { signal }) => {
      if (!("offset" in range)) return store.getRange("/end/c/0/0", range);
      return new Promise((resolve, reject) => {
        if (aborted > 0) resolve(store.getRange("/end/c/0/0", range));
        signal.addEventListener("abort", () => {
          aborted += 1;
          reject(signal.reason);
        });
      });
    });
    const controllers = [new AbortController(), new AbortController()];
    const reads = controllers.map(({ signal }, x) => shard.decode([0, x], { signal }));
    const late = new AbortController();
    await new Promise((resolve) => setTimeout(resolve, 1));
    const settling = Promise.allSettled([...reads, shard.decode([0, 0], { signal: late.signal })]);
    for (const controller of controllers) controller.abort();
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.equal(aborted, 0);
    late.abort();
    const settled = await settling;
    assert.deepEqual(
      settled.map(({ reason }) => reason?.name),
      ["AbortError", "AbortError", "AbortError"],
    );
    assert.equal(aborted, 1);
    assert.ok(await shard.decode([0, 0]));
    await assert.rejects(shard.decode([0, 0], { signal: AbortSignal.abort() }), { name: "AbortError" });
  });
});
