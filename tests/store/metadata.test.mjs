// The metadata and the keys that are shown.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain, withCodecs } from "zarr-codecs";
import { errorOf, LITTLE, metadataWith, sharding, toBytes } from "../array/helpers.mjs";
import { elementsOf, MemoryStore } from "../zarrita/stores.mjs";
import { VERSIONS } from "../zarrita/versions.mjs";
import {
  big,
  CountingStore,
  complex,
  crc32c,
  grid,
  groupWith,
  open,
  openIn,
  parsed,
  read,
  shownOf,
  storeOf,
  unknown,
  zarrita,
} from "./helpers.mjs";

const DEFAULT = { name: "default", configuration: { separator: "/" } };

const encoded = (metadata, data, shape = metadata.chunk_grid.configuration.chunk_shape) =>
  createCodecChain({ dataType: metadata.data_type, shape, codecs: metadata.codecs }).encode(data);

describe("what is shown of an array", () => {
  test("plain bytes, one chunk for each of the smallest ones, and all else as it is", async () => {
    const others = { attributes: { a: 1 }, dimension_names: ["x"], storage_transformers: [] };
    const codecs = [sharding([2], [big, crc32c])];
    const metadata = metadataWith({ shape: [7], data_type: "int16", codecs, chunk_grid: grid(4), ...others });
    assert.deepEqual(await shownOf(storeOf(metadata)), {
      ...metadata,
      chunk_grid: grid(2),
      chunk_key_encoding: DEFAULT,
      codecs: [LITTLE],
    });
  });

  test("attributes keep their source text, numbers beyond 2^53 included", async () => {
    const attributes = '{ "n" : 12345678901234567890.10, "z":-0.0,\n"s": "\\u00e9 \\"}", "n": [1e400, {}] }';
    const text = JSON.stringify({ ...complex(), attributes: "HERE" }).replace('"HERE"', attributes);
    const plain = JSON.stringify(metadataWith({ attributes: "HERE", codecs: [{ name: "bytes" }] })).replace(
      '"HERE"',
      attributes,
    );
    for (const source of [text, plain]) {
      for (const dataTypes of ["zarrita", "stored"]) {
        const store = withCodecs(new Map([["/zarr.json", new TextEncoder().encode(source)]]), { dataTypes });
        const shown = new TextDecoder().decode(await store.get("/zarr.json"));
        assert.ok(shown.includes(`"attributes": ${attributes}`), shown);
      }
    }
  });

  test("the attributes of times keep their source text, and have the unit", async () => {
    const data_type = { name: "numpy.datetime64", configuration: { unit: "s", scale_factor: 1 } };
    const metadata = JSON.stringify(metadataWith({ data_type, codecs: [big], attributes: "HERE" }));
    const source = metadata.replace('"HERE"', '{"n": 12345678901234567890}');
    const store = withCodecs(new Map([["/zarr.json", new TextEncoder().encode(source)]]));
    const shown = new TextDecoder().decode(await store.get("/zarr.json"));
    assert.ok(shown.includes('"n": 12345678901234567890'), shown);
    assert.deepEqual(JSON.parse(shown).attributes["zarr-codecs.data_type"], data_type);
  });

  test("added axes have a name that no other axis has", async () => {
    const text = { name: "fixed_length_utf32", configuration: { length_bytes: 8 } };
    for (const [data_type, names, expected] of [
      ["complex64", ["x"], ["x", "component"]],
      ["complex64", ["component"], ["component", "component_2"]],
      ["complex64", [null], [null, "component"]],
      ["r16", ["x"], ["x", "byte"]],
      [text, ["x"], ["x", "character"]],
      ["float32", ["component"], ["component"]],
      ["complex64", undefined, undefined],
    ]) {
      const metadata = complex({ data_type, dimension_names: names, fill_value: null });
      assert.deepEqual((await shownOf(storeOf(metadata))).dimension_names, expected);
    }
    const taken = complex({
      shape: [3, 1],
      chunk_grid: grid(2, 1),
      dimension_names: ["component", "component_2"],
    });
    assert.deepEqual((await shownOf(storeOf(taken))).dimension_names, [
      "component",
      "component_2",
      "component_3",
    ]);
  });

  test('dataTypes: "stored" keeps the data type, the shape and the names of the axes', async () => {
    const metadata = complex({ dimension_names: ["x"], attributes: {} });
    assert.deepEqual(await shownOf(storeOf(metadata), { dataTypes: "stored" }), {
      ...metadata,
      chunk_key_encoding: DEFAULT,
      codecs: [LITTLE],
    });
  });

  test("unknown members stay if they need not be understood, and are an error if they must", async () => {
    const ignorable = { "example.note": { must_understand: false, text: "kept" } };
    for (const codecs of [[big, crc32c], [LITTLE], [unknown, big]]) {
      const metadata = metadataWith({ data_type: "int16", codecs });
      const shown = await shownOf(storeOf({ ...metadata, ...ignorable }));
      assert.deepEqual(shown["example.note"], ignorable["example.note"]);
      for (const [name, value] of [
        ["example.note", { text: "must be understood" }],
        ["example.note", 1],
        ["storage_transformers", [{ name: "example.transformer" }]],
      ]) {
        const error = await errorOf(withCodecs(storeOf({ ...metadata, [name]: value })).get("/zarr.json"));
        assert.deepEqual([error.code, error.path], ["invalid_metadata", name]);
      }
    }
  });

  test("documents that are no arrays are returned as they are", async () => {
    for (const text of ["", "{", "[]", "null", '{"node_type": "group"}', '{"zarr_format": 2}']) {
      const bytes = new TextEncoder().encode(text);
      assert.equal(await withCodecs(new Map([["/zarr.json", bytes]])).get("/zarr.json"), bytes);
    }
  });

  test("invalid metadata is an error whether or not a chunk would need decoding", async () => {
    for (const [members, path] of [
      [{ zarr_format: 2 }, "zarr_format"],
      [{ shape: [-1] }, "shape[0]"],
      [{ chunk_grid: grid(0) }, "chunk_grid.configuration.chunk_shape[0]"],
      [{ chunk_grid: { name: "example.grid" } }, "chunk_grid.name"],
      [{ chunk_key_encoding: { name: "example.keys" } }, "chunk_key_encoding.name"],
      [{ data_type: "constructor" }, "data_type"],
    ]) {
      for (const codecs of [[LITTLE], [big, crc32c]]) {
        const store = withCodecs(storeOf(metadataWith({ data_type: "int16", codecs, ...members })));
        const error = await errorOf(store.get("/zarr.json"));
        assert.deepEqual([error.code, error.path], ["invalid_metadata", path], error.message);
      }
    }
  });
});

describe("grids", () => {
  for (const [version, module] of Object.entries(VERSIONS)) {
    test(`0-d arrays, zarrita ${version}`, async () => {
      for (const [chunk_key_encoding, key] of [
        [{ name: "default" }, "/c"],
        [{ name: "v2" }, "/0"],
      ]) {
        for (const [codecs, bytes] of [
          [[LITTLE], [7, 0]],
          [[big], [0, 7]],
        ]) {
          const zero = metadataWith({
            shape: [],
            data_type: "int16",
            chunk_grid: grid(),
            codecs,
            chunk_key_encoding,
          });
          const array = await open(storeOf(zero, { [key]: Uint8Array.from(bytes) }), { version });
          assert.deepEqual(await read(module, array), [7]);
          assert.deepEqual(await read(module, await open(storeOf(zero), { version })), [0]);
        }
        const pair = complex({ shape: [], chunk_grid: grid(), codecs: [big], chunk_key_encoding });
        const array = await open(storeOf(pair, { [key]: Uint8Array.of(0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0) }), {
          version,
        });
        assert.deepEqual(array.shape, [2]);
        assert.deepEqual(await read(module, array), [1, -2]);
      }
    });

    test(`an axis of length 0 opens, zarrita ${version}`, async () => {
      for (const codecs of [[LITTLE], [big, crc32c], [sharding([1, 2], [big])]]) {
        for (const data_type of ["int16", "complex64"]) {
          const fill_value = data_type === "int16" ? 0 : [1, 2];
          const empty = metadataWith({
            shape: [0, 3],
            data_type,
            chunk_grid: grid(2, 2),
            codecs,
            fill_value,
          });
          const array = await open(storeOf(empty), { version });
          // Reading its elements fails in zarrita.
          assert.deepEqual(array.shape.slice(0, 2), [0, 3]);
          assert.equal(await withCodecs(storeOf(empty)).get("/c/0/0"), undefined);
        }
      }
    });

    test(`the chunk key encoding v2, zarrita ${version}`, async () => {
      for (const [separator, key] of [
        [undefined, "1.0"],
        [".", "1.0"],
        ["/", "1/0"],
      ]) {
        for (const codecs of [[{ name: "bytes" }], ["bytes", crc32c]]) {
          const chunk_key_encoding = { name: "v2", configuration: separator && { separator } };
          const metadata = metadataWith({
            shape: [4, 1],
            chunk_grid: grid(2, 1),
            chunk_key_encoding,
            codecs,
          });
          const files = { [`/${key}`]: encoded(metadata, Uint8Array.of(3, 4)) };
          const array = await open(storeOf(metadata, files), { version });
          assert.deepEqual(await read(module, array), [0, 0, 3, 4]);
        }
      }
    });
  }

  const rectilinear = (shape, chunk_shapes) =>
    metadataWith({
      shape,
      data_type: "int16",
      chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes } },
      codecs: [big, crc32c],
    });

  test("rectilinear grids are kept as stored, and an error for zarrita", async () => {
    const metadata = rectilinear([5], [[2, 3]]);
    const files = { "/c/1": encoded(metadata, Int16Array.of(3, 4, 5), [3]) };
    const error = await errorOf(withCodecs(storeOf(metadata, files)).get("/zarr.json"));
    assert.deepEqual([error.code, error.path], ["invalid_metadata", "chunk_grid.name"]);
    const store = withCodecs(storeOf(metadata, files), { dataTypes: "stored" });
    assert.deepEqual(parsed(await store.get("/zarr.json")), {
      ...metadata,
      codecs: [LITTLE],
      chunk_key_encoding: DEFAULT,
    });
    assert.deepEqual([...(await store.get("/c/1"))], [3, 0, 4, 0, 5, 0]);
    assert.equal(await store.get("/c/0"), undefined);
    assert.equal(await store.get("/c/2"), undefined);
  });

  test("rectilinear grids without elements", async () => {
    for (const chunk_shapes of [[[2, 3]], [[]], [2]]) {
      const shown = await shownOf(storeOf(rectilinear([0], chunk_shapes)), { dataTypes: "stored" });
      assert.deepEqual(shown.codecs, [LITTLE]);
    }
  });

  test("chunks outside the grid are not shown", async () => {
    for (const codecs of [[{ name: "bytes" }], ["bytes", crc32c]]) {
      const metadata = metadataWith({ codecs });
      const bytes = encoded(metadata, Uint8Array.of(1, 2));
      const store = withCodecs(storeOf(metadata, { "/c/1": bytes, "/c/2": bytes }));
      assert.deepEqual([...(await store.get("/c/1"))], [1, 2]);
      assert.deepEqual([await store.has("/c/1"), await store.has("/c/2")], [true, false]);
      assert.equal(await store.get("/c/2"), undefined);
    }
    const store = withCodecs(storeOf(complex(), { "/c/0": encoded(complex(), Float32Array.of(1, 2, 3, 4)) }));
    assert.equal((await store.get("/c/0/0")).length, 16);
    assert.deepEqual([await store.has("/c/0/0"), await store.has("/c/0/1")], [true, false]);
    assert.equal(await store.get("/c/0/1"), undefined);
  });
});

describe("opening", () => {
  const metadata = metadataWith({ codecs: ["bytes", crc32c] });
  const files = () => storeOf(metadata, { "/c/0": encoded(metadata, Uint8Array.of(1, 2)) });
  for (const [version, module] of Object.entries(VERSIONS)) {
    test(`without a kind, and whatever was opened before, zarrita ${version}`, async () => {
      for (const before of [() => {}, (store) => module.open.v2(store).catch(() => {})]) {
        const store = withCodecs(files());
        await before(store);
        assert.deepEqual(await read(module, await module.open(store)), [1, 2, 0, 0]);
        const group = withCodecs(storeOf({ zarr_format: 3, node_type: "group", attributes: { a: 1 } }));
        assert.deepEqual((await module.open(group)).attrs, { a: 1 });
      }
    });

    test(`Zarr v2 passes through, zarrita ${version}`, async () => {
      const v2 = {
        zarr_format: 2,
        shape: [4],
        chunks: [2],
        dtype: "<i2",
        order: "C",
        compressor: null,
        filters: null,
      };
      for (const path of ["/a", "/c", "/a/c/0"]) {
        const store = new CountingStore([
          ["/.zgroup", toBytes({ zarr_format: 2 })],
          [`${path}/.zarray`, toBytes({ ...v2, fill_value: 0 })],
          [`${path}/1`, Uint8Array.of(3, 0, 4, 0)],
        ]);
        const shown = withCodecs(store);
        const root = module.root(shown);
        assert.equal((await module.open(root)).kind, "group");
        const array = await module.open(root.resolve(path));
        for (let i = 0; i < 2; i++) assert.deepEqual(await read(module, array), [0, 0, 3, 4], path);
        const lookups = store.keys.filter((key) => key.endsWith("zarr.json"));
        await read(module, array);
        assert.equal(store.keys.filter((key) => key.endsWith("zarr.json")).length, lookups.length, "known");
        for (const name of [".zgroup", ".zarray", ".zattrs"]) {
          assert.equal(await shown.get(`/${name}`), store.get(`/${name}`));
        }
      }
    });
  }
});

describe("consolidated metadata", () => {
  const around = (store) => zarrita.withConsolidatedMetadata(withCodecs(store), { format: "v3" });
  const inside = async (store) => withCodecs(await zarrita.withConsolidatedMetadata(store, { format: "v3" }));
  const bytes = encoded(complex(), Float32Array.of(1, 2, 3, 4));

  test("around it and inside, by any spelling of a name", async () => {
    for (const name of ["group/a", "/group/a"]) {
      for (const wrap of [around, inside]) {
        const store = new MemoryStore([
          ["/zarr.json", toBytes(groupWith({ [name]: complex() }))],
          ["/group/a/zarr.json", toBytes(complex())],
          ["/group/a/c/0", bytes],
        ]);
        const array = await openIn(zarrita, await wrap(store), "/group/a");
        assert.deepEqual(array.shape, [3, 2]);
        assert.deepEqual(elementsOf(await zarrita.get(array)), [1, 2, 3, 4, 0, 0], name);
      }
    }
  });

  test("chunks of arrays whose metadata is only there", async () => {
    const names = { a: "a", b: "/b", "c/d": "//c/d//" };
    const metadata = Object.fromEntries(Object.values(names).map((name) => [name, complex()]));
    for (const path of ["", "/group"]) {
      const chunks = Object.keys(names).map((name) => [`${path}/${name}/c/0`, bytes]);
      const store = new CountingStore([[`${path}/zarr.json`, toBytes(groupWith(metadata))], ...chunks]);
      const shown = withCodecs(store);
      for (const name of Object.keys(names)) {
        const get = async () => [...(await shown.get(`${path}/${name}/c/0/0`))];
        assert.equal((await get()).length, 16);
        store.keys.length = 0;
        await get();
        assert.deepEqual(store.keys, [`${path}/${name}/c/0`]);
      }
    }
  });

  test("does not replace what is known of an array", async () => {
    const stale = metadataWith({ codecs: ["bytes"] });
    const store = new MemoryStore([
      ["/zarr.json", toBytes(groupWith({ a: stale }))],
      ["/a/zarr.json", toBytes(complex())],
      ["/a/c/0", bytes],
    ]);
    const shown = withCodecs(store);
    await shown.get("/b/c/0/0"); // Reads that of the group.
    assert.equal((await shown.get("/a/c/0/0")).length, 16);
    await shown.get("/b/c/0/1");
    assert.equal((await shown.get("/a/c/0/0")).length, 16);
  });

  test("an array that cannot be shown does not make its group fail; opening it throws the reason", async () => {
    const bad = metadataWith({ chunk_grid: { name: "example.grid" } });
    const store = new MemoryStore([
      ["/zarr.json", toBytes(groupWith({ a: complex(), bad, none: null }))],
      ["/bad/zarr.json", toBytes(bad)],
      ["/a/c/0", bytes],
    ]);
    for (const wrap of [around, inside]) {
      const outer = await wrap(store);
      assert.equal((await zarrita.open(outer, { kind: "group" })).kind, "group");
      assert.deepEqual((await openIn(zarrita, outer, "/a")).shape, [3, 2]);
      const error = await errorOf(openIn(zarrita, outer, "/bad"));
      assert.equal((error.cause ?? error).path, "chunk_grid.name", error.message);
    }
    assert.deepEqual(Object.keys((await shownOf(store)).consolidated_metadata.metadata), ["a", "none"]);
  });

  test("of groups in groups", async () => {
    const inner = groupWith({ a: complex() });
    const store = storeOf(groupWith({ g: inner, "g/a": complex() }));
    const { metadata } = (await shownOf(store)).consolidated_metadata;
    assert.deepEqual(metadata["g/a"].shape, [3, 2]);
    assert.deepEqual(metadata.g.consolidated_metadata.metadata.a.shape, [3, 2]);
  });
});

describe("the store", () => {
  test("is read-only, and its other members are those of the given one", async () => {
    class Store {
      #files = storeOf(complex());
      url = "https://example.org/";
      get(key) {
        return this.#files.get(key);
      }
      list() {
        return [...this.#files.keys()];
      }
      set() {}
      delete() {}
      byteLengthOf() {
        return 1;
      }
    }
    const given = Object.freeze(new Store());
    const store = withCodecs(given);
    assert.ok(store instanceof Store);
    assert.deepEqual(store.list(), ["/zarr.json"]);
    assert.equal(store.url, given.url);
    for (const name of ["set", "delete", "has", "byteLengthOf"]) {
      assert.equal(store[name], undefined, name);
      assert.equal(name in store, false, name);
    }
    assert.ok("getRange" in store && Object.keys(store).includes("getRange"));
    assert.ok(withCodecs(new Map()).has instanceof Function);
  });

  test("has", async () => {
    const store = withCodecs(storeOf(complex(), { "/c/1": new Uint8Array(20), "/notes": new Uint8Array(1) }));
    for (const [key, isThere] of [
      ["/zarr.json", true],
      ["/c/1/0", true],
      ["/c/0/0", false],
      ["/notes", true],
      ["/nothing", false],
    ]) {
      assert.equal(await store.has(key), isThere, key);
    }
  });

  test("getRange, on chunks, metadata and other files, whether or not the store has it", async () => {
    const files = storeOf(complex(), {
      "/c/0": encoded(complex(), Float32Array.of(1, 2, 3, 4)),
      "/notes": Uint8Array.of(1, 2, 3, 4, 5),
    });
    for (const given of [files, new Map(files)]) {
      const store = withCodecs(given);
      for (const key of ["/zarr.json", "/c/0/0", ...(given === files ? ["/notes"] : [])]) {
        const whole = [...(await store.get(key))];
        for (const [range, expected] of [
          [{ offset: 1, length: 3 }, whole.slice(1, 4)],
          [{ suffixLength: 2 }, whole.slice(-2)],
          [{ offset: whole.length - 1, length: 9 }, whole.slice(-1)],
        ]) {
          assert.deepEqual([...(await store.getRange(key, range))], expected, key);
        }
      }
      assert.equal(await store.getRange("/c/1/0", { offset: 0, length: 1 }), undefined);
    }
  });

  test("options and signals are passed on", async () => {
    const files = storeOf(complex(), { "/c/0": encoded(complex(), Float32Array.of(1, 2, 3, 4)) });
    const seen = [];
    const given = {
      get(key, options) {
        seen.push([key, options?.headers, options?.signal]);
        return files.get(key);
      },
    };
    const { signal } = new AbortController();
    const store = withCodecs(given);
    await store.get("/c/0/0", { headers: 1, signal }); // Looks the metadata up first.
    await store.get("/zarr.json", { headers: 2, signal });
    assert.deepEqual(seen, [
      ["/zarr.json", 1, undefined],
      ["/c/0", 1, signal],
      ["/zarr.json", 2, signal],
    ]);
    await assert.rejects(
      store.get("/c/0/0", { signal: AbortSignal.abort("stop") }),
      (reason) => reason === "stop",
    );
  });

  test("metadata is looked up once for concurrent chunks, and again after a failure", async () => {
    const files = new CountingStore(
      storeOf(complex(), { "/c/0": encoded(complex(), Float32Array.of(1, 2, 3, 4)) }),
    );
    let isOffline = true;
    const store = withCodecs({
      async get(key) {
        const bytes = files.get(key);
        if (isOffline) throw new Error("offline");
        return bytes;
      },
    });
    await assert.rejects(store.get("/c/0/0"), /offline/);
    isOffline = false;
    files.keys.length = 0;
    await Promise.all(Array.from({ length: 5 }, () => store.get("/c/0/0")));
    assert.equal(files.keys.filter((key) => key === "/zarr.json").length, 1);
  });

  test("metadata that has changed is shown as it is now", async () => {
    const files = storeOf(complex());
    const store = withCodecs(files);
    await store.get("/zarr.json");
    files.set("/zarr.json", toBytes(metadataWith({ shape: [6], codecs: ["bytes"] })));
    files.set("/c/2", Uint8Array.of(7, 8));
    assert.deepEqual(parsed(await store.get("/zarr.json")).shape, [6]);
    assert.deepEqual([...(await store.get("/c/2"))], [7, 8]);
  });

  test("rejects what is no store, unknown options, and limits that are none", () => {
    for (const store of [undefined, null, 1, "store", {}, { get: 1 }]) {
      assert.throws(() => withCodecs(store), { code: "invalid_argument", argument: "store" });
    }
    for (const [options, argument] of [
      [{ dataTypes: "zarr" }, "options.dataTypes"],
      [{ strided: true }, "options.strided"],
      [{ signal: undefined }, "options.signal"],
      [{ maxGap: -1 }, "options.maxGap"],
    ]) {
      assert.throws(() => withCodecs(new Map(), options), { code: "invalid_argument", argument });
    }
  });
});
