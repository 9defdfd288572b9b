// withExtendedTypes where zarrita reads the metadata of an array elsewhere: from caches or consolidated metadata.

import assert from "node:assert/strict";
import { test } from "node:test";
import { register, withExtendedTypes } from "zarr-codecs/zarrita";
import { withChecksum } from "../js/helpers.mjs";
import { big, complex, crc32c, floats, json, little, open, zarrita } from "./extended.mjs";
import { arrayMetadata, elementsOf, MemoryStore, openArray, storeWith } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

/** A store that records the keys that are read. */
class CountingStore extends MemoryStore {
  keys = [];
  get(key) {
    this.keys.push(key);
    return super.get(key);
  }
}

/** Wraps a store in a cache of metadata, but not of chunks. */
function cached(store, cache) {
  const keyFor = (key) => (key.endsWith("zarr.json") ? key : undefined);
  return zarrita.withByteCaching(withExtendedTypes(store), { cache, keyFor });
}

const ENCODINGS = [
  [{ name: "default" }, "c/1"],
  [{ name: "default", configuration: { separator: "." } }, "c.1"],
  [{ name: "v2" }, "1"],
  [{ name: "v2", configuration: { separator: "/" } }, "1"],
];

for (const [version, module] of Object.entries(VERSIONS)) {
  test(`metadata from a shared cache, zarrita ${version}`, async () => {
    for (const path of ["/", "/a/", "/a/b/", "/0/", "/0/1/", "/c/", "/c/0/"]) {
      for (const [chunk_key_encoding, key] of ENCODINGS) {
        const store = new CountingStore([
          [`${path}zarr.json`, json(complex({ chunk_key_encoding }))],
          [path + key, Uint8Array.from(floats(5, 6, 0, 0))],
        ]);
        const cache = new Map();
        await openArray(module, cached(store, cache), path);
        store.keys.length = 0;
        const array = await openArray(module, cached(store, cache), path);
        assert.deepEqual(elementsOf(await module.get(array)), [0, 0, 0, 0, 5, 6], path + key);
        assert.equal(store.keys.filter((key) => key === `${path}zarr.json`).length, 1, "read once");
      }
    }
  });

  test(`chunks of an array that was not opened, written, zarrita ${version}`, async () => {
    const store = storeWith(complex());
    const cache = new Map();
    await open(store, module);
    await module.open.v3(cached(store, cache), { kind: "array" });
    const array = await module.open.v3(cached(store, cache), { kind: "array" });
    await module.set(array, null, { data: Float32Array.of(1, 2, 3, 4, 5, 6), shape: [3, 2], stride: [2, 1] });
    assert.deepEqual([...store.keys()], ["/zarr.json", "/c/0", "/c/1"]);
    assert.deepEqual([...store.get("/c/1")], floats(5, 6, 0, 0));
  });

  test(`inner chunks of shards with metadata from a shared cache, zarrita ${version}`, async (t) => {
    t.after(register(module.registry));
    const configuration = {
      chunk_shape: [2],
      codecs: [big],
      index_codecs: [little, crc32c],
      index_location: "end",
    };
    const codecs = [{ name: "sharding_indexed", configuration }];
    const index = withChecksum(new Uint8Array(BigUint64Array.of(0n, 16n).buffer));
    const store = storeWith(complex({ shape: [2], codecs }), { "/c/0": [...floats(1, 2, 3, 4), ...index] });
    const cache = new Map();
    await module.open.v3(cached(store, cache), { kind: "array" });
    const array = await module.open.v3(cached(store, cache), { kind: "array" });
    assert.deepEqual(elementsOf(await module.get(array)), [1, 2, 3, 4]);
  });
}

test("a fill value that zarrita cannot express, with metadata from a shared cache", async () => {
  const store = storeWith(complex({ fill_value: [1, 2] }));
  const cache = new Map();
  await zarrita.open.v3(cached(store, cache), { kind: "array" });
  const array = await zarrita.open.v3(cached(store, cache), { kind: "array" });
  assert.deepEqual(elementsOf(await zarrita.get(array)), [1, 2, 1, 2, 1, 2]);
});

test("metadata that cannot be read is an error, and is read again on the next use", async () => {
  const inner = storeWith(complex(), { "/c/0": floats(1, 2, 3, 4) });
  let isOffline = true;
  const store = {
    async get(key) {
      if (isOffline && key.endsWith("zarr.json")) throw new Error("offline");
      return inner.get(key);
    },
  };
  const extended = withExtendedTypes(store);
  await assert.rejects(extended.get("/c/0/0"), /offline/);
  isOffline = false;
  assert.deepEqual([...(await extended.get("/c/0/0"))], floats(1, 2, 3, 4));
});

test("chunks are found while the metadata is read again", async () => {
  const extended = withExtendedTypes(storeWith(complex(), { "/c/0": floats(1, 2, 3, 4) }));
  const array = await zarrita.open.v3(extended, { kind: "array" });
  const reading = [];
  extended.get("/zarr.json").then(() => reading.push("done"));
  while (reading.at(-1) !== "done") {
    reading.push(array.getChunk([0, 0]));
    await undefined;
  }
  reading.pop();
  assert.ok(reading.length > 5);
  for (const chunk of await Promise.all(reading)) assert.deepEqual(elementsOf(chunk), [1, 2, 3, 4]);
});

test("nothing else is read for arrays whose metadata was read", async () => {
  const v2 = {
    zarr_format: 2,
    shape: [2],
    chunks: [1],
    dtype: "|u1",
    order: "C",
    compressor: null,
    filters: null,
  };
  const store = new CountingStore([
    ["/a/.zarray", json({ ...v2, fill_value: 0 })],
    ["/a/0", Uint8Array.of(1)],
    ["/b/zarr.json", json(arrayMetadata({ dataType: "uint8", length: 1, codecs: ["bytes"] }))],
  ]);
  const root = zarrita.root(withExtendedTypes(store));
  await zarrita.get(await zarrita.open.v2(root.resolve("a"), { kind: "array" }));
  await zarrita.get(await zarrita.open.v3(root.resolve("b"), { kind: "array" }));
  const keys = ["/a/.zarray", "/a/.zattrs", "/a/0", "/a/1", "/b/c/0", "/b/zarr.json"];
  assert.deepEqual(store.keys.sort(), keys);
});

/** Creates a store with consolidated metadata, in which the array has these names. */
function consolidated(...names) {
  const metadata = Object.fromEntries(names.map((name) => [name, complex()]));
  const root = {
    zarr_format: 3,
    node_type: "group",
    attributes: { kept: true },
    consolidated_metadata: { kind: "inline", must_understand: false, metadata },
  };
  return new MemoryStore([
    ["/zarr.json", json(root)],
    ["/group/a/zarr.json", json(complex())],
    ["/group/a/c/0", Uint8Array.from(floats(1, 2, 3, 4))],
  ]);
}

test("consolidated metadata wrapped around it or inside it, with and without a leading slash", async () => {
  const around = (store) => zarrita.withConsolidatedMetadata(withExtendedTypes(store), { format: "v3" });
  const inside = async (store) =>
    withExtendedTypes(await zarrita.withConsolidatedMetadata(store, { format: "v3" }));
  for (const name of ["group/a", "/group/a"]) {
    for (const wrap of [around, inside]) {
      const array = await openArray(zarrita, await wrap(consolidated(name)), "/group/a");
      assert.deepEqual(array.shape, [3, 2]);
      assert.deepEqual(elementsOf(await zarrita.get(array)), [1, 2, 3, 4, 0, 0], name);
    }
  }
});

test("an array whose metadata is only in that of a group", async () => {
  const files = consolidated("a");
  const store = new MemoryStore([
    ["/group/zarr.json", files.get("/zarr.json")],
    ["/group/a/c/0", files.get("/group/a/c/0")],
  ]);
  const chunk = floats(1, 2, 3, 4);
  const extended = withExtendedTypes(store);
  await extended.get("/group/zarr.json");
  assert.deepEqual([...(await extended.get("/group/a/c/0/0"))], chunk);
  assert.deepEqual([...(await withExtendedTypes(store).get("/group/a/c/0/0"))], chunk);
});

test("an array in consolidated metadata that cannot be opened throws the reason", async () => {
  const store = consolidated("group/a");
  const root = JSON.parse(new TextDecoder().decode(store.get("/zarr.json")));
  const text = arrayMetadata({
    data_type: { name: "example.text", configuration: { length_bytes: 4 } },
  });
  root.consolidated_metadata.metadata.text = text;
  store.set("/zarr.json", json(root)).set("/text/zarr.json", json(text));
  const outer = await zarrita.withConsolidatedMetadata(withExtendedTypes(store), { format: "v3" });
  await openArray(zarrita, outer, "/group/a");
  await assert.rejects(openArray(zarrita, outer, "/text"), {
    code: "invalid_metadata",
    path: "data_type",
    message: /"example.text"/,
  });
});

test("works with other store extensions of zarrita 0.7", async () => {
  const inner = storeWith(complex(), { "/c/0": floats(1, 2, 3, 4) });
  const store = await zarrita.extendStore(inner, withExtendedTypes, (store) =>
    zarrita.withByteCaching(store),
  );
  const array = await zarrita.open.v3(store, { kind: "array" });
  for (let i = 0; i < 2; i++) assert.deepEqual(elementsOf(await zarrita.get(array)), [1, 2, 3, 4, 0, 0]);
});
