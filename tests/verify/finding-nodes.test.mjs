// How nodes are found: what is requested, in which order they are verified, and what odd metadata name.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { verifyStore } from "zarr-codecs/verify";
import { arrayMetadata } from "./helpers.mjs";
import { GROUP, ListedStore, toBytes, verified } from "./store-helpers.mjs";

const ARRAY = arrayMetadata({ shape: [2] });
const CHUNK = Uint8Array.of(1, 2);

const group = (ome, members) => ({ ...GROUP, attributes: { ome }, ...members });
const multiscales = (...paths) => ({ multiscales: [{ datasets: paths.map((path) => ({ path })) }] });
const CONVERTED = { "bioformats2raw.layout": 3 };

function storeOf(nodes, arrays = []) {
  const store = new ListedStore();
  for (const [path, metadata] of Object.entries(nodes)) store.set(`${path}/zarr.json`, toBytes(metadata));
  for (const path of arrays) {
    store.set(`${path}/zarr.json`, toBytes(ARRAY));
    store.set(`${path}/c/0`, CHUNK);
  }
  return store;
}

/** The same store, which cannot list its keys. */
const unlisted = (store) => ({ get: (key) => store.get(key) });

/** Verifies a store. Returns the paths of nodes whose metadata were requested, in their order. */
async function requested(store, reading = store) {
  store.requests.length = 0;
  await verified(reading);
  const keys = store.requests.filter((key) => key.endsWith("zarr.json"));
  return keys.map((key) => key.slice(0, -"/zarr.json".length) || "/");
}

describe("metadata are requested once, and only where there may be some", () => {
  test("of a store that lists its keys: those that it lists", async () => {
    const store = storeOf({ "": group({ ...multiscales("a"), ...CONVERTED }), "/g": GROUP }, ["/a", "/g/b"]);
    store.set("/notes", CHUNK);
    store.set("/g/zarr.json.tmp", CHUNK);
    assert.deepEqual((await requested(store)).sort(), ["/", "/a", "/g", "/g/b"]);
  });

  test("of one that does not: those that are named, and those that OME-Zarr provides for", async () => {
    const ask = async (metadata, nodes) => {
      const store = storeOf({ "": metadata, ...nodes });
      return (await requested(store, unlisted(store))).sort();
    };
    assert.deepEqual(await ask(GROUP), ["/"]);
    assert.deepEqual(await ask(group(multiscales("a"))), ["/", "/a", "/labels"]);
    assert.deepEqual(await ask(group(multiscales("labels"))), ["/", "/labels"]);
    assert.deepEqual(await ask(group({ labels: [] })), ["/"]);
    assert.deepEqual(await ask(group(CONVERTED), { "/0": GROUP }), ["/", "/0", "/1", "/OME"]);
    assert.deepEqual(await ask(ARRAY), ["/"]);
  });

  test("of one with consolidated metadata: those that they name", async () => {
    const metadata = { "": GROUP, a: ARRAY, g: group(multiscales("0")), "g/0": ARRAY };
    const store = storeOf({ "": { ...group(CONVERTED), consolidated_metadata: { metadata } } }, [
      "/a",
      "/g/0",
    ]);
    assert.deepEqual((await requested(store, unlisted(store))).sort(), ["/", "/a", "/g", "/g/0"]);
  });

  test("those that cannot be read are not taken for damaged ones, which are read again", async () => {
    const store = storeOf({ "": group(multiscales("a", "b")), "/b": {} });
    const get = (key) => {
      const bytes = store.get(key);
      if (key !== "/a/zarr.json") return bytes;
      throw Object.assign(new Error("forbidden"), { status: 403 });
    };
    const { results } = await verified({ get }, { retries: 0 });
    assert.deepEqual(
      results.map(({ key, state }) => `${key} ${state}`),
      ["a/zarr.json unreadable", "b/zarr.json damaged"],
    );
    const times = (name) => store.requests.filter((key) => key === `/${name}/zarr.json`).length;
    assert.deepEqual([times("a"), times("b")], [1, 2]);
  });
});

describe("nodes that metadata name", () => {
  const missing = (source, name) => `${source} names ${name}, but there is no ${name}/zarr.json`;

  async function messagesOf(nodes, arrays) {
    const { results } = await verified(unlisted(storeOf(nodes, arrays)));
    return results.map(({ error }) => error.message);
  }

  test("are missing where they should be: the message says which metadata name them", async () => {
    const nodes = { "": group({ plate: { wells: [{ path: "g" }] } }), "/g": group(multiscales("0", "1")) };
    assert.deepEqual(await messagesOf(nodes, ["/g/0"]), [missing("g/zarr.json", "g/1")]);
    const consolidated_metadata = { metadata: { b: ARRAY } };
    assert.deepEqual(await messagesOf({ ...nodes, "/g": { ...GROUP, consolidated_metadata } }), [
      missing("g/zarr.json", "g/b"),
    ]);
  });

  test("have to be there, also if they are such as may be", async () => {
    assert.deepEqual(await messagesOf({ "": group(multiscales("labels")) }), [
      missing("zarr.json", "labels"),
    ]);
    const series = { "": group(CONVERTED), "/OME": group({ series: ["0"] }) };
    assert.deepEqual(await messagesOf(series), [missing("OME/zarr.json", "0")]);
    assert.deepEqual(await messagesOf({ "": group(CONVERTED) }), []);
  });

  test("are found by paths with other forms, and by numbers of several digits", async () => {
    const odd = storeOf({ "": group(multiscales("./a", "s//../b")) }, ["/a", "/b"]);
    assert.equal((await verified(unlisted(odd))).summary.states.sound, 2);
    // A path that is empty names the group itself.
    const numbers = Array.from({ length: 12 }, (_, i) => [`/g/${i}`, group(multiscales(""))]);
    const well = group({ well: { images: [{ path: "g" }] } });
    const many = storeOf({ "": well, "/g": group(CONVERTED), ...Object.fromEntries(numbers) });
    const { results, summary } = await verified(unlisted(many));
    assert.deepEqual([results, summary.nodes], [[], 14]);
  });

  test("are found where version 0.4 names them, among all attributes, and need not be there", async () => {
    const older = (attributes) => ({ ...GROUP, attributes });
    const images = {
      "/A/1": older({ well: { images: [{ path: "0" }] } }),
      "/A/1/0": older(multiscales("s", "t")),
    };
    const plate = storeOf({ "": older({ plate: { wells: [{ path: "A/1" }] } }), ...images }, ["/A/1/0/s"]);
    const converted = storeOf(
      { "": older(CONVERTED), "/OME": older({ series: ["b"] }), "/b": older(multiscales("0")) },
      ["/b/0"],
    );
    for (const store of [plate, converted]) {
      const { results, summary } = await verified(unlisted(store));
      assert.deepEqual([results, summary.states.sound], [[], 1]);
    }
    // Whoever writes attributes may mean something else by these names.
    const others = { labels: ["cat"], series: ["2024"], multiscales: [{ datasets: [{ path: "x" }] }] };
    assert.deepEqual(await messagesOf({ "": older(others) }), []);
  });

  test("are none where metadata are not of the form of OME-Zarr", async () => {
    const odd = [
      null,
      "ome",
      { multiscales: {} },
      { multiscales: [null, 3, { datasets: [null, {}, { path: 7 }, { path: "" }] }] },
      { plate: [], well: null },
      { plate: { wells: ["A/1"] } },
      { labels: [3, null, ""] },
      { labels: "a" },
    ];
    for (const ome of odd) assert.deepEqual(await messagesOf({ "": group(ome) }), [], JSON.stringify(ome));
    for (const consolidated_metadata of [null, {}, { metadata: null }, { metadata: [ARRAY] }]) {
      assert.deepEqual(await messagesOf({ "": { ...GROUP, consolidated_metadata } }), []);
    }
    assert.deepEqual(await messagesOf({ "": { ...ARRAY, attributes: { ome: multiscales("a") } } }), []);
  });
});

test("the order of results does not depend on the order of keys", async () => {
  const names = ["d", "b", "e", "a", "c"];
  const resultsOf = async (order) => {
    const store = storeOf(
      { "": GROUP },
      order.map((name) => `/${name}`),
    );
    for (const name of order) store.set(`/wrong-${name}/zarr.json`, toBytes("{"));
    const { results, summary } = await verified(store, { all: true });
    return { keys: results.map(({ key }) => key), plan: summary.plan };
  };
  const first = await resultsOf(names);
  assert.deepEqual(
    first.keys.slice(0, 5),
    names.toSorted().map((name) => `wrong-${name}/zarr.json`),
  );
  assert.deepEqual(await resultsOf(names.toReversed()), first);
  assert.deepEqual(await resultsOf(names.toSorted()), first);
});

test("a run that is aborted while metadata are read rejects with the reason", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const store = {
    get() {
      queueMicrotask(() => controller.abort(reason));
      return new Promise(() => {});
    },
  };
  const { signal } = controller;
  await assert.rejects(verifyStore(store, { signal }).next(), reason);
  await assert.rejects(verifyStore(store, { signal: AbortSignal.abort(reason), array: "a" }).next(), reason);
});
