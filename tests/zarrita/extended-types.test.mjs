// Arrays that zarrita rejects, opened through withExtendedTypes, and the unchanged rest of a store.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ChecksumMismatchError, InvalidArgumentError } from "zarr-codecs";
import { register, withExtendedTypes } from "zarr-codecs/zarrita";
import { assertThrows, withChecksum } from "../js/helpers.mjs";
import { big, crc32c, floats, little, open, openWith, parsed, complex as plainComplex } from "./extended.mjs";
import { arrayMetadata, elementsOf, MemoryStore, storeWith } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

/** The metadata of a complex64 array of 3 elements in chunks of 2, with a checksum. */
const complex = (others) => plainComplex({ codecs: [big, crc32c], ...others });

const order = (order) => ({ name: "transpose", configuration: { order } });
const sharding = (codecs) => ({
  name: "sharding_indexed",
  configuration: { chunk_shape: [2], codecs, index_codecs: [little, crc32c] },
});

test("metadata that needs no translation is returned byte for byte", async () => {
  const metadata = [
    arrayMetadata({ codecs: [little], attributes: { n: 1 } }),
    arrayMetadata({ dataType: "int5", codecs: [little] }),
    ...["r12", "r8.0", "ar8"].map((dataType) => arrayMetadata({ dataType, codecs: [little] })),
    arrayMetadata({ codecs: "bytes" }),
    arrayMetadata({ codecs: [sharding([little, crc32c])] }),
    arrayMetadata({ codecs: [order("C"), order("F"), order([0, 0]), order([1, 0]), { name: "bytes" }] }),
    arrayMetadata({ codecs: [order([1, 0]), { ...order([1, 0]), name: "reorder" }, { name: "bytes" }] }),
    { zarr_format: 3, node_type: "group", attributes: { a: 1 } },
    [1],
    null,
  ];
  for (const document of metadata) {
    const store = storeWith(document);
    assert.equal(await withExtendedTypes(store).get("/zarr.json"), store.get("/zarr.json"));
  }
  const broken = new MemoryStore([["/zarr.json", Uint8Array.of(123)]]);
  assert.equal(await withExtendedTypes(broken).get("/zarr.json"), broken.get("/zarr.json"));
  assert.equal(await withExtendedTypes(broken).get("/other"), undefined);
});

for (const [version, module] of Object.entries(VERSIONS)) {
  describe(`zarrita ${version}`, () => {
    test("complex64: an array of the documented shape, read and written", async (t) => {
      t.after(register(module.registry));
      const store = storeWith(complex({ dimension_names: ["x"] }), {
        "/c/0": withChecksum(floats(1, -2, 3, 4)),
      });
      const array = await open(store, module);
      assert.deepEqual([array.dtype, array.shape, array.chunks], ["float32", [3, 2], [2, 2]]);
      assert.deepEqual(elementsOf(await module.get(array)), [1, -2, 3, 4, 0, 0]);
      await module.set(array, [2, null], { data: Float32Array.of(5, 6), shape: [2], stride: [1] });
      assert.deepEqual([...store.keys()], ["/zarr.json", "/c/0", "/c/1"]);
      assert.deepEqual([...store.get("/c/1")], [...withChecksum(floats(5, 6, 0, 0))]);
      store.get("/c/0")[0] ^= 1;
      await assert.rejects(
        module.get(array),
        (error) => (error.cause ?? error) instanceof ChecksumMismatchError,
      );
    });

    const KEYS = [
      [{ name: "default" }, "/c/1"],
      [{ name: "default", configuration: { separator: "." } }, "/c.1"],
      [{ name: "v2" }, "/1"],
      [{ name: "v2", configuration: { separator: "/" } }, "/1"],
    ];
    for (const [chunk_key_encoding, key] of KEYS) {
      test(`keys as in ${JSON.stringify(chunk_key_encoding)}`, async () => {
        const store = storeWith(complex({ chunk_key_encoding, codecs: [big] }), {
          [key]: floats(5, 6, 0, 0),
        });
        assert.deepEqual(elementsOf(await module.get(await open(store, module))), [0, 0, 0, 0, 5, 6]);
      });
    }

    test("0-d arrays", async () => {
      for (const [name, key] of [
        ["default", "/c"],
        ["v2", "/0"],
      ]) {
        const metadata = complex({
          shape: [],
          chunk_grid: { name: "regular", configuration: { chunk_shape: [] } },
          chunk_key_encoding: { name },
          codecs: [big],
        });
        const array = await open(storeWith(metadata, { [key]: floats(7, 8) }), module);
        assert.deepEqual(elementsOf(await module.get(array)), [7, 8]);
      }
    });
  });
}

test("other members of a store are unchanged", async () => {
  class Store {
    #files = storeWith(arrayMetadata({ codecs: [little] }), { "/c/0": [1, 0, 2, 0, 3, 0, 4, 0] });
    arrayExtensions = [];
    name = "mine";
    async get(key, options) {
      options?.seen?.(key);
      return this.#files.get(key);
    }
    size() {
      return this.#files.size;
    }
    nameOf() {
      return this.name;
    }
  }
  const store = withExtendedTypes(new Store());
  assert.equal(store.name, "mine");
  assert.equal(store.size(), 2);
  assert.equal("getRange" in store, false);
  for (const name of ["get", "arrayExtensions", "name", "size"]) assert.ok(name in store, name);
  store.name = "yours";
  assert.deepEqual([store.name, store.nameOf()], ["yours", "yours"]);
  const keys = [];
  await store.get("/c/0", { seen: (key) => keys.push(key) });
  assert.deepEqual(keys, ["/c/0"]);
});

test("rejects an argument that is not a store", () => {
  for (const [store, got] of [
    [undefined, "undefined"],
    [null, "null"],
    [1, "1"],
    [{}, "an object"],
    [{ get: 1 }, "an object"],
  ]) {
    const message = `store: expected a store with a method get, got ${got}`;
    assertThrows(() => withExtendedTypes(store), InvalidArgumentError, { argument: "store", message });
  }
});

test("a store may be frozen", async () => {
  const files = storeWith(complex({ codecs: [big] }), { "/c/0": floats(1, 2, 3, 4) });
  const store = Object.freeze({
    name: "mine",
    async get(key) {
      return files.get(key);
    },
    async set(key, bytes) {
      files.set(key, bytes);
    },
  });
  const extended = withExtendedTypes(store);
  const array = await VERSIONS["0.7"].open.v3(extended, { kind: "array" });
  assert.deepEqual(elementsOf(await VERSIONS["0.7"].get(array)), [1, 2, 3, 4, 0, 0]);
  await extended.set("/c/1/0", Uint8Array.from(floats(5, 6, 0, 0)));
  assert.deepEqual([...files.get("/c/1")], floats(5, 6, 0, 0));
  assert.equal(extended.name, "mine");
  assert.deepEqual(Object.keys(extended).sort(), ["arrayExtensions", "get", "name", "set"]);
});

for (const [version, module] of Object.entries(VERSIONS)) {
  test(`times open as int64, zarrita ${version}`, async () => {
    for (const name of ["numpy.datetime64", "numpy.timedelta64"]) {
      const metadata = arrayMetadata({
        length: 2,
        data_type: { name, configuration: { unit: "ns", scale_factor: 1 } },
        codecs: [big],
        fill_value: "NaT",
      });
      const array = await openWith({ ...metadata, shape: [4] }, module);
      assert.deepEqual([array.dtype, array.shape], ["int64", [4]]);
      assert.deepEqual(elementsOf(await array.getChunk([1])), [-(2n ** 63n), -(2n ** 63n)]);
      const stored = [0, 0, 0, 0, 0, 0, 0, 1, 255, 255, 255, 255, 255, 255, 255, 254];
      const read = await open(storeWith(metadata, { "/c/0": stored }), module);
      assert.deepEqual(elementsOf(await module.get(read)), [1n, -2n]);
      for (const fill_value of [null, 0]) {
        const array = await openWith({ ...metadata, fill_value }, module);
        assert.deepEqual(elementsOf(await array.getChunk([0])), [0n, 0n]);
      }
    }
  });
}

test("other data types with a configuration are rejected by name when an array is opened", async () => {
  const expected =
    "a data type without configuration or one of numpy.datetime64, numpy.timedelta64, fixed_length_utf32, null_terminated_bytes, raw_bytes, struct, structured";
  for (const [data_type, got] of [
    [{ name: "example.text", configuration: { length_bytes: 8 } }, '"example.text" with a configuration'],
    [{ name: "float32", configuration: { x: 1 } }, '"float32" with a configuration'],
    [{ name: "complex64", configuration: { x: 1 } }, '"complex64" with a configuration'],
    [{ configuration: {} }, "an object"],
    [null, "null"],
    [7, "7"],
  ]) {
    await assert.rejects(openWith(arrayMetadata({ data_type, codecs: [little] })), {
      code: "invalid_metadata",
      path: "data_type",
      message: `data_type: expected ${expected}, got ${got}`,
    });
  }
});

test("float16 is zarrita's own where the host has Float16Array", async (t) => {
  if (!("Float16Array" in globalThis)) {
    t.after(() => delete globalThis.Float16Array);
    globalThis.Float16Array = class {};
  }
  const store = storeWith(arrayMetadata({ dataType: "float16", codecs: [little] }));
  assert.equal(await withExtendedTypes(store).get("/zarr.json"), store.get("/zarr.json"));
  assert.equal((await openWith(complex())).dtype, "float32");
});

test("what is shown of translated metadata", async () => {
  const shownOf = async (metadata) => parsed(await withExtendedTypes(storeWith(metadata)).get("/zarr.json"));
  // A member that other readers may ignore.
  assert.equal((await shownOf(complex()))["zarr-codecs.original"].must_understand, false);
  const time = { name: "numpy.datetime64", configuration: { unit: "s", scale_factor: 1 } };
  for (const [data_type, fill_value, shown] of [
    ["complex64", [1.5, 1.5], 1.5],
    ["complex64", ["NaN", "NaN"], "NaN"],
    ["complex64", null, null],
    ["complex64", undefined, null],
    ["bfloat16", -0.5, -0.5],
    [time, 12, "12"],
    [time, null, 0],
    [time, undefined, 0],
  ]) {
    assert.equal((await shownOf(complex({ data_type, fill_value }))).fill_value, shown, `${fill_value}`);
  }
});
