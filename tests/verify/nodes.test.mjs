// Which groups and arrays a store has, which are missing or wrong, and which keys belong to none.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { crc32c } from "zarr-codecs";
import { arrayMetadata } from "./helpers.mjs";
import { GROUP, ListedStore, placesOf, toBytes, verified } from "./store-helpers.mjs";

const ARRAY = arrayMetadata({ shape: [2] });
const CHUNK = Uint8Array.of(1, 2);
const group = (ome, members) => ({ ...GROUP, attributes: { ome }, ...members });

/** A store of values; metadata and chunks of arrays in `arrays`. */
function storeOf(values, arrays = []) {
  const store = new ListedStore();
  for (const [key, value] of Object.entries(values)) store.set(`/${key}`, toBytes(value));
  for (const path of arrays) {
    store.set(`/${path}/zarr.json`, toBytes(ARRAY));
    store.set(`/${path}/c/0`, CHUNK);
  }
  return store;
}

/** The same store, which cannot list its keys. */
const unlisted = (store) => ({ get: (key) => store.get(key) });

const chunksOf = async (store) => {
  const { results, summary } = await verified(store, { all: true });
  assert.ok(summary.complete);
  return results.map(({ key, state }) => `${key} ${state}`).sort();
};

const multiscales = (...paths) => ({ multiscales: [{ datasets: paths.map((path) => ({ path })) }] });

describe("without a list of keys, arrays are found", () => {
  const find = async (values, arrays) => {
    const store = storeOf(values, arrays);
    const expected = arrays.map((path) => `${path}/c/0 sound`).sort();
    assert.deepEqual(await chunksOf(unlisted(store)), expected);
    assert.deepEqual(await chunksOf(store), expected);
  };

  test("by the levels of an image and its labels", () =>
    find(
      {
        "zarr.json": group(multiscales("0", "s/1")),
        "s/zarr.json": GROUP,
        "labels/zarr.json": group({ labels: ["cells"] }),
        "labels/cells/zarr.json": group(multiscales("0")),
      },
      ["0", "s/1", "labels/cells/0"],
    ));

  test("by the wells of a plate and their images", () =>
    find(
      {
        "zarr.json": group({ plate: { wells: [{ path: "A/1" }, { path: "B/2" }] } }),
        "A/zarr.json": GROUP,
        "B/zarr.json": GROUP,
        "A/1/zarr.json": group({ well: { images: [{ path: "0" }] } }),
        "B/2/zarr.json": group({ well: { images: [{ path: "0" }, { path: "1" }] } }),
        "A/1/0/zarr.json": group(multiscales("0")),
        "B/2/0/zarr.json": group(multiscales("0")),
        "B/2/1/zarr.json": group(multiscales("a")),
      },
      ["A/1/0/0", "B/2/0/0", "B/2/1/a"],
    ));

  test("by the numbers that bioformats2raw gives images", () =>
    find(
      {
        "zarr.json": group({ "bioformats2raw.layout": 3 }),
        "0/zarr.json": group(multiscales("0")),
        "1/zarr.json": group(multiscales("0")),
        "2/zarr.json": group(multiscales("0")),
      },
      ["0/0", "1/0", "2/0"],
    ));

  test("by the series that bioformats2raw lists", () =>
    find(
      {
        "zarr.json": group({ "bioformats2raw.layout": 3 }),
        "OME/zarr.json": group({ series: ["first", "5"] }),
        "first/zarr.json": group(multiscales("0")),
        "5/zarr.json": group(multiscales("0")),
      },
      ["first/0", "5/0"],
    ));

  test("by consolidated metadata, also of a group below", () =>
    find(
      {
        "zarr.json": group(multiscales(), {
          consolidated_metadata: { metadata: { a: ARRAY, g: GROUP, "g/b": ARRAY } },
        }),
        "g/zarr.json": GROUP,
      },
      ["a", "g/b"],
    ));
});

describe("nodes that metadata name and that are missing", () => {
  test("are results, whatever missing chunks mean", async () => {
    const store = storeOf({ "zarr.json": group(multiscales("0", "1", "2")) }, ["0", "2"]);
    for (const reading of [store, unlisted(store)]) {
      const { results, summary } = await verified(reading);
      assert.deepEqual(results, [
        {
          array: "1",
          key: "1/zarr.json",
          proof: "none",
          state: "missing",
          error: { code: "missing_node", message: "zarr.json names 1, but there is no 1/zarr.json" },
        },
      ]);
      assert.deepEqual([summary.verdict, summary.missingNodes, summary.states.missing], ["damaged", 1, 1]);
    }
  });

  test("or wrong, are found beside their consolidated metadata", async () => {
    const consolidated_metadata = { metadata: { a: ARRAY, b: ARRAY, c: ARRAY, d: { node_type: "grape" } } };
    const store = storeOf({ "zarr.json": { ...GROUP, consolidated_metadata } }, ["a", "b", "c", "d"]);
    store.delete("/a/zarr.json");
    store.set("/b/zarr.json", toBytes("[]"));
    for (const reading of [store, unlisted(store)]) {
      assert.deepEqual(await placesOf(reading), [
        "a/zarr.json missing missing_node",
        "b/zarr.json damaged invalid_metadata",
        "d/zarr.json damaged invalid_metadata",
      ]);
    }
  });
});

for (const [what, change] of Object.entries({
  "no JSON": () => "{",
  "another type of node": (metadata) => ({ ...metadata, node_type: "folder" }),
  "another version": (metadata) => ({ ...metadata, zarr_format: 4 }),
  "no shape": ({ shape, ...metadata }) => metadata,
  "an unknown chunk grid": (metadata) => ({ ...metadata, chunk_grid: { name: "hexagonal" } }),
  "no codecs": (metadata) => ({ ...metadata, codecs: [] }),
  "a misspelt configuration": (metadata) => ({
    ...metadata,
    codecs: [{ name: "bytes", configuration: { endia: "little" } }],
  }),
})) {
  test(`an array whose metadata have ${what} is damaged, and no other; its chunks are not strays`, async () => {
    const store = storeOf({ "zarr.json": GROUP, "a/zarr.json": change(ARRAY) }, ["b"]);
    store.set("/a/c/0", CHUNK);
    const { results, summary } = await verified(store);
    assert.deepEqual(
      results.map(({ key, state }) => `${key} ${state}`),
      ["a/zarr.json damaged"],
    );
    assert.equal(results[0].error.code, "invalid_metadata");
    assert.deepEqual([summary.verdict, summary.states.sound], ["damaged", 1]);
  });
}

test("keys that belong to no array or group are strays", async () => {
  const store = storeOf({ "zarr.json": GROUP, "g/zarr.json": GROUP }, ["a", "g/b"]);
  const strays = [
    "a/c/1",
    "a/c/0/0",
    "a/c/00",
    "a/c/0.tmp",
    "a/c/-1",
    "a/d",
    "g/x",
    "notes",
    "z/c/0",
    "g/.zattrs",
  ];
  for (const key of strays) store.set(`/${key}`, CHUNK);
  for (const key of ["/a/c/", "/g/", "/"]) store.set(key, new Uint8Array());
  const { results, summary } = await verified(store);
  assert.deepEqual(
    results.map(({ key, state, proof }) => `${key} ${state} ${proof}`).sort(),
    strays.map((key) => `${key} stray none`).sort(),
  );
  assert.deepEqual([summary.verdict, summary.states.stray], ["sound", strays.length]);
  assert.deepEqual([...new Set(results.map(({ array }) => array))].sort(), ["", "a", "g"]);
});

test("keys beside arrays are strays also where the root has no metadata", async () => {
  const store = storeOf({}, ["a"]);
  store.set("/notes", CHUNK);
  const { results } = await verified(store);
  assert.deepEqual(results, [{ array: "", key: "notes", state: "stray", proof: "none" }]);
});

test("the metadata that bioformats2raw stores in XML are no stray", async () => {
  const store = storeOf(
    { "zarr.json": group({ "bioformats2raw.layout": 3 }), "OME/zarr.json": group({ series: ["0"] }) },
    ["0"],
  );
  store.set("/OME/METADATA.ome.xml", CHUNK);
  assert.deepEqual(await placesOf(store), []);
});

test("chunk keys of either encoding, with either separator, and of arrays of one element", async () => {
  const store = new ListedStore([["/zarr.json", toBytes(GROUP)]]);
  const add = (name, members, key) => {
    store.set(`/${name}/zarr.json`, toBytes(arrayMetadata(members)));
    store.set(`/${name}/${key}`, CHUNK.subarray(0, members.shape.length || 1));
  };
  const grid = (...chunk_shape) => ({ chunk_grid: { name: "regular", configuration: { chunk_shape } } });
  const encodings = [
    ["default", "/", "c/0/1", "c"],
    ["default", ".", "c.0.1", "c"],
    ["v2", "/", "0/1", "0"],
    ["v2", ".", "0.1", "0"],
  ];
  for (const [name, separator, key, scalar] of encodings) {
    const chunk_key_encoding = { name, configuration: { separator } };
    const slash = separator === "/" ? "slash" : "dot";
    add(`${name}-${slash}`, { shape: [1, 4], ...grid(1, 2), chunk_key_encoding }, key);
    add(`${name}-${slash}-0d`, { shape: [], ...grid(), chunk_key_encoding }, scalar);
  }
  add("v2-short", { shape: [1, 4], ...grid(1, 2), chunk_key_encoding: "v2" }, "0.1");
  const { results, summary } = await verified(store);
  assert.deepEqual(results, []);
  assert.deepEqual([summary.states.sound, summary.states.missing], [9, 5]);
});

test("an array without elements has no units", async () => {
  const metadata = arrayMetadata({ shape: [0] });
  const { summary } = await verified(storeOf({ "zarr.json": metadata }));
  assert.deepEqual([summary.verdict, summary.total, summary.units], ["sound", 0, 0]);
});

test("arrays in a folder that is no group are found by listing", async () => {
  assert.deepEqual(await chunksOf(storeOf({}, ["a", "b/c"])), ["a/c/0 sound", "b/c/c/0 sound"]);
});

test("what is no store is an error", async () => {
  await assert.rejects(verified(new Map()), { code: "invalid_metadata", message: /^found no zarr\.json/ });
  await assert.rejects(verified(storeOf({ ".zgroup": {} })), {
    code: "invalid_metadata",
    message: /Zarr v2/,
  });
});

const crc32cBytes = (bytes) => new Uint8Array(Uint32Array.of(crc32c(bytes)).buffer);

test("keys that cannot be listed are unreadable, once", async () => {
  const store = new ListedStore([["/zarr.json", toBytes(GROUP)]]);
  store.list = () => [{ key: "zarr.json" }, { key: "closed/", error: new Error("no access") }];
  const { results, summary } = await verified(store);
  const error = { code: "unreadable", message: "no access" };
  assert.deepEqual(results, [{ array: "", key: "closed/", state: "unreadable", proof: "none", error }]);
  assert.deepEqual([summary.verdict, summary.states.unreadable], ["incomplete", 1]);
});

test("arrays that are alike share their codecs, and each has its own shape and keys", async () => {
  const metadata = (shape, members) =>
    arrayMetadata({ shape: [shape], codecs: ["bytes", "crc32c"], ...members });
  const store = new ListedStore([["/zarr.json", toBytes(GROUP)]]);
  const chunk = Uint8Array.of(1, 2, ...crc32cBytes(Uint8Array.of(1, 2)));
  const arrays = {
    a: metadata(4, { attributes: { a: 1 } }),
    b: metadata(6),
    c: metadata(4, { chunk_key_encoding: { name: "v2" } }),
    d: metadata(4, { codecs: ["bytes"] }),
    e: metadata(4, { codecs: ["crc32c", "bytes"] }),
  };
  for (const [name, array] of Object.entries(arrays)) {
    store.set(`/${name}/zarr.json`, toBytes(array));
    const count = array.shape[0] / 2;
    for (let i = 0; i < count; i++) store.set(`/${name}/${name === "c" ? i : `c/${i}`}`, chunk);
  }
  store.set("/a/c/2", chunk);
  store.set("/b/c/2", chunk.slice(1));
  assert.deepEqual(await placesOf(store), [
    "a/c/2 stray",
    "b/c/2 damaged chunk_length",
    "d/c/0 damaged chunk_length",
    "d/c/1 damaged chunk_length",
    "e/zarr.json damaged invalid_metadata",
  ]);
});

test("more chunks than can be counted are an error", async () => {
  const grid = { name: "regular", configuration: { chunk_shape: [1, 1, 1] } };
  const vast = arrayMetadata({ shape: [2 ** 31, 2 ** 31, 2], chunk_grid: grid });
  const store = new ListedStore([["/zarr.json", toBytes(vast)]]);
  await assert.rejects(verified(store), {
    code: "invalid_argument",
    message: "store: expected fewer than 2 ** 53 chunks, got 9223372036854776000",
  });
});
