// How the stores find the array of a chunk whose metadata zarrita read elsewhere, and what they read for it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { withChecksums, withExtendedTypes, withShards } from "zarr-codecs/zarrita";
import { metadataOf, openStore } from "../shards/stores.mjs";
import { complex, floats, json, parsed } from "./extended.mjs";
import { arrayMetadata, MemoryStore, storeWith } from "./stores.mjs";

/** A store that records the keys that are read. */
class CountingStore extends MemoryStore {
  keys = [];
  get(key) {
    this.keys.push(key);
    return super.get(key);
  }
}

/** Returns the keys that are read in addition to that of a chunk. */
async function lookupsOf(key, files = []) {
  const store = new CountingStore([...files, [key, Uint8Array.of(1)]]);
  await withChecksums(store).get(key);
  assert.equal(store.keys.shift(), key);
  return store.keys;
}

const group = (metadata) => ({
  zarr_format: 3,
  node_type: "group",
  attributes: {},
  consolidated_metadata: { kind: "inline", must_understand: false, metadata },
});

const CHUNK = floats(1, 2, 3, 4);
const bytes = Uint8Array.from(CHUNK);
const plain = arrayMetadata({ dataType: "uint8", codecs: ["bytes"] });

describe("metadata are looked up at the likeliest paths first, then in the groups above", () => {
  for (const [key, ...paths] of [
    ["/a/c/10/20", "/a/", "/a/c/", "/a/c/10/", "/"],
    ["/a/c.10.20", "/a/", "/"],
    ["/a/c", "/a/", "/"],
    ["/a/10.20", "/a/", "/"],
    ["/10/20/30", "/", "/10/", "/10/20/"],
    ["/a/cells/0", "/a/cells/", "/a/", "/"],
    ["/a/0/b/15", "/a/0/b/", "/a/0/", "/a/", "/"],
  ]) {
    test(key, async () => {
      assert.deepEqual(
        await lookupsOf(key),
        paths.map((path) => `${path}zarr.json`),
      );
    });
  }

  test("none for keys that no chunk has", async () => {
    for (const key of ["/notes", "/a/notes", "/a/10a", "/a/c/1x"]) assert.deepEqual(await lookupsOf(key), []);
  });

  test("none after those of the array, valid or not", async () => {
    for (const metadata of [plain, { ...plain, codecs: [] }, { ...plain, shape: 1 }]) {
      const keys = await lookupsOf("/a/c/1", [["/a/zarr.json", json(metadata)]]);
      assert.deepEqual(keys, ["/a/zarr.json"]);
    }
  });

  test("no metadata twice, be there an array, a group or nothing", async () => {
    for (const document of [undefined, group({}), plain]) {
      const store = new CountingStore(document ? [["/c/zarr.json", json(document)]] : []);
      const extended = withExtendedTypes(store);
      for (const key of ["/c/zarr.json", "/c/0", "/c/zarr.json", "/c/0"]) await extended.get(key);
      assert.equal(store.keys.filter((key) => key === "/c/zarr.json").length, 2);
    }
  });
});

describe("Zarr v2", () => {
  const version2 = json({ zarr_format: 2, shape: [2], chunks: [1], dtype: "|u1", order: "C" });
  for (const wrap of [withExtendedTypes, withShards]) {
    test(`${wrap.name}: nothing is looked up for arrays whose metadata were read`, async () => {
      for (const name of [".zarray", ".zmetadata"]) {
        const store = new CountingStore([[`/a/${name}`, version2]]);
        const wrapped = wrap(store);
        for (const key of [`/a/${name}`, "/a/0.0"]) await wrapped.get(key);
        assert.deepEqual(store.keys, [`/a/${name}`, "/a/0.0"]);
      }
    });
  }

  test("metadata that are missing, or stand beside those of version 3, change nothing", async () => {
    for (const isThere of [false, true]) {
      const store = storeWith(complex(), { "/c/0": CHUNK });
      if (isThere) store.set("/.zarray", version2);
      const extended = withExtendedTypes(store);
      if (isThere) await extended.get("/zarr.json");
      assert.equal(await extended.get("/.zarray"), store.get("/.zarray"));
      assert.deepEqual([...(await extended.get("/c/0/0"))], CHUNK);
      const files = openStore("tensorstore");
      if (isThere) files.set("/end/.zarray", version2);
      const shards = withShards(files);
      if (isThere) await shards.get("/end/zarr.json");
      await shards.get("/end/.zarray");
      assert.equal((await shards.get("/end/c/0/0")).length, 16);
    }
  });
});

describe("consolidated metadata", () => {
  test("of several arrays without metadata of their own, by any spelling of their names", async () => {
    const names = { a: "a", b: "/b", "c/d": "//c/d//" };
    const metadata = Object.fromEntries(Object.values(names).map((name) => [name, complex()]));
    const chunks = Object.keys(names).map((path) => [`/${path}/c/0`, bytes]);
    const files = new MemoryStore([["/zarr.json", json(group(metadata))], ...chunks]);
    const extended = withExtendedTypes(files);
    for (const path of Object.keys(names)) {
      assert.deepEqual([...(await extended.get(`/${path}/c/0/0`))], CHUNK, path);
    }
    const opened = withExtendedTypes(files);
    await opened.get("/zarr.json");
    for (const path of Object.keys(names)) {
      // Metadata of its own may be missing.
      assert.equal(await opened.get(`/${path}/zarr.json`), undefined);
      assert.deepEqual([...(await opened.get(`/${path}/c/0/0`))], CHUNK, path);
    }
  });

  test("do not replace what is known of an array", async () => {
    const store = new MemoryStore([
      ["/zarr.json", json(group({ a: plain }))],
      ["/a/zarr.json", json(complex())],
      ["/a/c/0", bytes],
    ]);
    const extended = withExtendedTypes(store);
    assert.deepEqual([...(await extended.get("/a/c/0/0"))], CHUNK);
    await extended.get("/b/c/0/0"); // Reads those of the group.
    assert.deepEqual([...(await extended.get("/a/c/0/0"))], CHUNK);
  });

  test("are returned as they are if nothing in them changes, else in part", async () => {
    const isShard = { ...metadataOf(openStore("tensorstore"), "end") };
    for (const [wrap, changed] of [
      [withExtendedTypes, complex()],
      [withShards, isShard],
      [withChecksums, undefined],
    ]) {
      const files = storeWith(group({ plain: arrayMetadata({ codecs: [{ name: "bytes" }] }), none: null }));
      assert.equal(await wrap(files).get("/zarr.json"), files.get("/zarr.json"));
      if (!changed) continue;
      const shown = parsed(await wrap(storeWith(group({ plain, changed }))).get("/zarr.json"));
      const { metadata } = shown.consolidated_metadata;
      assert.deepEqual(metadata.plain.shape, plain.shape);
      assert.notDeepEqual(metadata.changed, parsed(json(changed)));
    }
  });
});

test("metadata that are written while older ones are read", async () => {
  const store = storeWith(complex(), { "/c/0": CHUNK, "/c/0/0": [7] });
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  const get = store.get.bind(store);
  let isFirst = true;
  store.get = async (key) => {
    const value = get(key);
    if (key === "/zarr.json" && isFirst) {
      isFirst = false;
      await held;
    }
    return value;
  };
  const extended = withExtendedTypes(store);
  const reading = extended.get("/c/0/0");
  await new Promise((resolve) => setTimeout(resolve, 10));
  await extended.set(
    "/zarr.json",
    json(arrayMetadata({ dataType: "uint8", codecs: ["bytes"], shape: [1, 1] })),
  );
  assert.deepEqual([...(await extended.get("/c/0/0"))], [7]);
  release();
  await reading;
  assert.deepEqual([...(await extended.get("/c/0/0"))], [7]);
});
