// Sharded arrays of three writers, read through zarrita as unsharded ones.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { crc32c, createCodecChain } from "zarr-codecs";
import { register, withExtendedTypes, withShards } from "zarr-codecs/zarrita";
import { VERSIONS } from "../zarrita/versions.mjs";
import { elementsOf, openStore, RemoteStore, valuesOf, WRITTEN } from "./stores.mjs";

const WRAPPED = {
  "withExtendedTypes(withShards(store))": (store, options) => withExtendedTypes(withShards(store, options)),
  "withShards(withExtendedTypes(store))": (store, options) => withShards(withExtendedTypes(store), options),
};

const open = (zarrita, store, name) =>
  zarrita.open.v3(zarrita.root(store).resolve(`/${name}`), { kind: "array" });

async function assertArray(zarrita, store, writer, name) {
  const { dtype, shape, values } = valuesOf(writer, name);
  const array = await open(zarrita, store, name);
  assert.deepEqual([array.dtype, array.shape], [dtype, shape]);
  // zarrita before 0.7 reads no 0-d arrays with `get`.
  const chunk = shape.length === 0 ? await array.getChunk([]) : await zarrita.get(array);
  assert.deepEqual([chunk.shape, elementsOf(chunk)], [shape, values]);
}

for (const [version, zarrita] of Object.entries(VERSIONS)) {
  for (const [order, wrap] of Object.entries(WRAPPED)) {
    describe(`zarrita ${version}, ${order}`, () => {
      for (const [writer, { arrays }] of Object.entries(WRITTEN)) {
        test(`all arrays of ${writer}`, async (t) => {
          t.after(register(zarrita.registry));
          const store = wrap(openStore(writer), { codecs: zarrita.registry });
          for (const name of Object.keys(arrays)) {
            await t.test(name, () => assertArray(zarrita, store, writer, name));
          }
        });
      }
    });
  }

  test(`zarrita ${version}: with its own codecs`, async () => {
    const store = withShards(openStore("tensorstore"));
    for (const name of ["start", "nested", "missing-start", "transposed-outside"]) {
      await assertArray(zarrita, store, "tensorstore", name);
    }
  });
}

describe("shards that are read whole have the fill value of a translated data type", () => {
  const little = { name: "bytes", configuration: { endian: "little" } };
  const time = { name: "numpy.datetime64", configuration: { unit: "s", scale_factor: 1 } };
  for (const [data_type, fill_value, expected] of [
    [time, "NaT", -(2n ** 63n)],
    [time, 12, 12n],
    ["bfloat16", -0, -0],
    ["float8_e5m2", "NaN", Number.NaN],
    ["float32", "0x7fc00000", Number.NaN],
  ]) {
    test(`${JSON.stringify(data_type)}, ${fill_value}`, async (t) => {
      const zarrita = VERSIONS["0.7"];
      t.after(register(zarrita.registry));
      const metadata = {
        zarr_format: 3,
        node_type: "array",
        shape: [4],
        data_type,
        chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } },
        chunk_key_encoding: { name: "default" },
        codecs: [
          {
            name: "sharding_indexed",
            configuration: { chunk_shape: [2], codecs: [little], index_codecs: [little] },
          },
          { name: "crc32c" },
        ],
        fill_value,
        attributes: {},
      };
      let document = JSON.stringify(metadata);
      if (Object.is(fill_value, -0)) document = document.replace('"fill_value":0', '"fill_value":-0.0');
      // The index, all of whose entries are missing, and the checksum.
      const shard = new Uint8Array(36).fill(0xff);
      new DataView(shard.buffer).setUint32(32, crc32c(shard.subarray(0, 32)), true);
      const store = new Map([
        ["/zarr.json", new TextEncoder().encode(document)],
        ["/c/0", shard],
      ]);
      for (const wrap of Object.values(WRAPPED)) {
        const array = await zarrita.open.v3(wrap(store), { kind: "array" });
        assert.deepEqual(elementsOf(await zarrita.get(array)), [expected, expected, expected, expected]);
      }
    });
  }
});

describe("shards of converted elements that are read whole", () => {
  const fields = [
    { name: "a", data_type: "uint16" },
    { name: "b", data_type: "uint8" },
  ];
  const struct = { name: "struct", configuration: { fields } };
  const records = Uint8Array.of(1, 0, 2, 3, 0, 4, 5, 0, 6, 7, 0, 8);
  const floats = Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8);
  for (const [data_type, fill_value, elements] of [
    [struct, { a: 0x909, b: 9 }, records],
    ["complex_bfloat16", [1, 1], floats],
    [{ name: "complex_bfloat16" }, [1, 1], floats],
    [{ name: "bfloat16", configuration: {} }, 1, floats.subarray(0, 4)],
  ]) {
    for (const endian of ["little", "big"]) {
      test(`${JSON.stringify(data_type)}, ${endian} endian`, async (t) => {
        const zarrita = VERSIONS["0.7"];
        t.after(register(zarrita.registry));
        const bytes = { name: "bytes", configuration: { endian } };
        const index_codecs = [{ name: "bytes", configuration: { endian: "little" } }];
        const configuration = { chunk_shape: [2], codecs: [bytes], index_codecs };
        const metadata = {
          zarr_format: 3,
          node_type: "array",
          shape: [6],
          data_type,
          chunk_grid: { name: "regular", configuration: { chunk_shape: [6] } },
          chunk_key_encoding: { name: "default" },
          codecs: [{ name: "sharding_indexed", configuration }, { name: "crc32c" }],
          fill_value,
          attributes: {},
        };
        const missing = Array(elements.length / 2).fill(data_type === struct ? 9 : 1);
        const all = elements.constructor.from([...elements, ...missing]);
        const store = new Map([
          ["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))],
          ["/c/0", createCodecChain(metadata).encode(all)],
        ]);
        for (const wrap of Object.values(WRAPPED)) {
          const array = await zarrita.open.v3(wrap(store), { kind: "array" });
          assert.deepEqual(elementsOf(await zarrita.get(array)), [...all]);
        }
      });
    }
  }
});

describe("what zarrita alone does with these arrays", () => {
  const zarrita = VERSIONS["0.7"];
  const read = async (name) => elementsOf(await zarrita.get(await open(zarrita, openStore(), name)));

  test("reads zeros where the index is at the start and has no valid checksum to zarrita", async () => {
    assert.notDeepEqual(await read("start").catch(() => []), valuesOf("zarr-python", "start").values);
  });

  test("rejects nested shards", async () => {
    await assert.rejects(read("nested"));
  });
});

test("metadata and keys are those of an unsharded array", async () => {
  const zarrita = VERSIONS["0.7"];
  const store = withShards(openStore());
  const array = await open(zarrita, store, "nested");
  assert.deepEqual(array.chunks, [2, 3]);
  const shown = JSON.parse(new TextDecoder().decode(await store.get("/nested/zarr.json")));
  assert.deepEqual(shown["zarr-codecs.unsharded"], { must_understand: false });
  const bytes = await store.get("/nested/c/4/4");
  const { values } = valuesOf("zarr-python", "nested");
  const expected = [0, 1, 2, 15, 16, 17].map((i) => values[8 * 15 + 12 + i]);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  assert.deepEqual(
    expected.map((_, i) => view.getUint16(2 * i)),
    expected,
  );
  assert.equal(bytes.length, 6 * 2 + 4);
  assert.deepEqual(await store.getRange("/nested/c/4/4", { offset: 2, length: 3 }), bytes.subarray(2, 5));
  assert.deepEqual(await store.getRange("/nested/c/4/4", { suffixLength: 4 }), bytes.subarray(12));
  assert.equal(await store.get("/nested/c/9/9"), undefined);
  assert.equal(await store.get("/nested/c/0"), undefined);
  assert.equal(await store.getRange("/nested/c/9/9", { suffixLength: 4 }), undefined);
});

test("ranges of other files are those of the store", async () => {
  const files = openStore();
  files.set("/notes", Uint8Array.of(1, 2, 3, 4));
  const store = withShards(files);
  assert.deepEqual([...(await store.getRange("/notes", { offset: 1, length: 2 }))], [2, 3]);
  assert.deepEqual([...(await store.getRange("/notes", { suffixLength: 1 }))], [4]);
});

test("consolidated metadata are rewritten as well", async () => {
  const zarrita = VERSIONS["0.7"];
  for (const wrap of [
    (store) => zarrita.withConsolidatedMetadata(withShards(store), { format: "v3" }),
    async (store) => withShards(await zarrita.withConsolidatedMetadata(store, { format: "v3" })),
  ]) {
    const remote = new RemoteStore(openStore());
    const store = await wrap(remote);
    await assertArray(zarrita, store, "zarr-python", "start");
  }
});

test("metadata that need no translation are returned byte for byte", async () => {
  const files = openStore();
  const plain = JSON.stringify({ zarr_format: 3, node_type: "group", attributes: { a: 1 } });
  files.set("/plain/zarr.json", new TextEncoder().encode(plain));
  const store = withShards(files);
  assert.equal(await store.get("/plain/zarr.json"), files.get("/plain/zarr.json"));
});
