// Sharded arrays of three writers, read through zarrita as unsharded ones.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { register, withExtendedTypes, withShards } from "zarr-codecs/register";
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
