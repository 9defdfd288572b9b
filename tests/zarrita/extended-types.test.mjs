// Arrays that zarrita refuses, through withExtendedTypes: what they open as, and what stays as it is.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ChecksumMismatchError, InvalidArgumentError } from "zarr-codecs";
import { register, withExtendedTypes } from "zarr-codecs/register";
import { assertThrows, withChecksum } from "../js/helpers.mjs";
import { arrayMetadata, elementsOf, MemoryStore, openArray, storeWith } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const big = { name: "bytes", configuration: { endian: "big" } };
const little = { name: "bytes", configuration: { endian: "little" } };
const crc32c = { name: "crc32c" };
const json = (value) => new TextEncoder().encode(JSON.stringify(value));
const zarrita = VERSIONS["0.7"];

/** The metadata of a complex64 array of 3 elements in chunks of 2. */
const complex = (others) =>
  arrayMetadata({
    dataType: "complex64",
    shape: [3],
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
    codecs: [big, crc32c],
    fill_value: [0, 0],
    ...others,
  });

/** The big-endian bytes of floats. */
function floats(...values) {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  values.forEach((value, i) => {
    view.setFloat32(4 * i, value);
  });
  return [...new Uint8Array(view.buffer)];
}

async function open(store, version = zarrita) {
  return version.open.v3(withExtendedTypes(store), { kind: "array" });
}

test("what the store gives for zarr.json is the same bytes, unless something has to change", async () => {
  const metadata = [
    arrayMetadata({ codecs: [little], attributes: { n: 1 } }),
    arrayMetadata({ dataType: "int4", codecs: [little] }),
    arrayMetadata({ dataType: "r12", codecs: [little] }),
    arrayMetadata({ codecs: "bytes" }),
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
    test("complex64: an array of the documented shape, read and written", async () => {
      const unregister = register(module.registry);
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
      unregister();
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

test("a fill value whose components differ fills missing chunks, also in shared memory", async () => {
  const array = await open(storeWith(complex({ fill_value: ["-Infinity", "0x3fc00000"] })));
  const expected = [-Infinity, 1.5, -Infinity, 1.5];
  assert.deepEqual(elementsOf(await array.getChunk([0, 0])), expected);
  const { data } = await zarrita.get(array, null, { useSharedArrayBuffer: true });
  assert.ok(data.buffer instanceof SharedArrayBuffer);
  assert.deepEqual([...data], [...expected, -Infinity, 1.5]);
});

test("fill values", async () => {
  const fillOf = async (dataType, fill_value) => {
    const array = await open(storeWith(arrayMetadata({ dataType, length: 1, codecs: [little], fill_value })));
    return elementsOf(await array.getChunk([0, 0]));
  };
  assert.deepEqual(await fillOf("complex64", ["NaN", "NaN"]), [Number.NaN, Number.NaN]);
  assert.deepEqual(await fillOf("complex128", ["0x3ff8000000000000", 1.5]), [1.5, 1.5]);
  assert.deepEqual(await fillOf("complex64", null), [0, 0]);
  assert.deepEqual(await fillOf("r16", [1, 2]), [1, 2]);
  assert.deepEqual(await fillOf("r16", [9, 9]), [9, 9]);
  assert.deepEqual(await fillOf("r24", "AQID"), [1, 2, 3]);
  const WRONG = [
    ["complex64", 1],
    ["complex64", [1]],
    ["complex64", ["one", 1]],
    ["complex64", ["0x3fc0", 1]],
    ["r16", [1, 2, 3]],
    ["r16", "?"],
  ];
  for (const [dataType, fill_value] of WRONG) {
    await assert.rejects(fillOf(dataType, fill_value), { code: "invalid_metadata", path: "fill_value" });
  }
});

test("in shards, components of a fill value have to be equal", async () => {
  const configuration = {
    chunk_shape: [2],
    codecs: [big],
    index_codecs: [little, crc32c],
    index_location: "end",
  };
  const codecs = [{ name: "sharding_indexed", configuration }];
  await assert.rejects(open(storeWith(complex({ codecs, fill_value: [1, 2] }))), { path: "fill_value" });
});

test("short-hands in shards are spelt out", async () => {
  const unregister = register(zarrita.registry);
  const configuration = { chunk_shape: [2], codecs: ["bytes", "crc32c"], index_codecs: [little, "crc32c"] };
  const codecs = [{ name: "sharding_indexed", configuration }];
  const inner = withChecksum([1, 2]);
  const index = withChecksum(new Uint8Array(BigUint64Array.of(0n, 6n, 6n, 6n).buffer));
  const store = storeWith(arrayMetadata({ dataType: "uint8", codecs }), {
    "/c/0": [...inner, ...inner, ...index],
  });
  assert.deepEqual(elementsOf(await zarrita.get(await open(store))), [1, 2, 1, 2]);
  unregister();
});

test("consolidated metadata are translated as well", async () => {
  const array = complex({ codecs: [big] });
  const root = {
    zarr_format: 3,
    node_type: "group",
    attributes: { kept: true },
    consolidated_metadata: { kind: "inline", must_understand: false, metadata: { "group/a": array } },
  };
  const inner = new MemoryStore([
    ["/zarr.json", json(root)],
    ["/group/a/c/0", Uint8Array.from(floats(1, 2, 3, 4))],
  ]);
  const store = await zarrita.withConsolidatedMetadata(withExtendedTypes(inner), { format: "v3" });
  const opened = await openArray(zarrita, store, "/group/a");
  assert.deepEqual(opened.shape, [3, 2]);
  assert.deepEqual(elementsOf(await zarrita.get(opened)), [1, 2, 3, 4, 0, 0]);
});

test("is an extension among others of zarrita 0.7", async () => {
  const unregister = register(zarrita.registry);
  const inner = storeWith(complex(), { "/c/0": withChecksum(floats(1, 2, 3, 4)) });
  const store = await zarrita.extendStore(inner, withExtendedTypes, (store) =>
    zarrita.withByteCaching(store),
  );
  const array = await zarrita.open.v3(store, { kind: "array" });
  for (let i = 0; i < 2; i++) assert.deepEqual(elementsOf(await zarrita.get(array)), [1, 2, 3, 4, 0, 0]);
  unregister();
});

test("the rest of a store stays as it is", async () => {
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
  }
  const store = withExtendedTypes(new Store());
  assert.equal(store.name, "mine");
  assert.equal(store.size(), 2);
  assert.equal("getRange" in store, false);
  const keys = [];
  await store.get("/c/0", { seen: (key) => keys.push(key) });
  assert.deepEqual(keys, ["/c/0"]);
});

test("says what is wrong with its argument", () => {
  for (const store of [undefined, null, 1, {}, { get: 1 }]) {
    assertThrows(() => withExtendedTypes(store), InvalidArgumentError, { argument: "store" });
  }
});
