// Metadata and arrays written through withExtendedTypes, and the resulting content of the store.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { register, withExtendedTypes } from "zarr-codecs/zarrita";
import { big, complex, floats, grid, json, little, open, parsed, zarrita } from "./extended.mjs";
import { arrayMetadata, elementsOf, MemoryStore, readStores, storeOf, storeWith } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

/** Reads the metadata of a store, applies `change` and writes it back. */
async function rewrite(store, change = (document) => document, key = "/zarr.json") {
  const extended = withExtendedTypes(store);
  const document = parsed(await extended.get(key));
  await withExtendedTypes(store).set(key, json(change(document) ?? document));
}

/** Reorders the members of an object. */
const reordered = (object) => Object.fromEntries(Object.entries(object).reverse());

const shard = {
  name: "sharding_indexed",
  configuration: { chunk_shape: [2], codecs: ["bytes"], index_codecs: [little], index_location: "end" },
};

const DOCUMENTS = {
  complex64: complex({ dimension_names: ["x"] }),
  complex128: complex({ data_type: { name: "complex128" }, fill_value: ["NaN", "-Infinity"] }),
  transposed: complex({ codecs: [{ name: "transpose", configuration: { order: "F" } }, big] }),
  "raw bits in base64": complex({ data_type: "r24", codecs: ["bytes"], fill_value: "AQID" }),
  "raw bits in shards": complex({ data_type: "r16", codecs: [shard], fill_value: [1, 1] }),
  times: arrayMetadata({
    data_type: { name: "numpy.datetime64", configuration: { unit: "D", scale_factor: 1 } },
    codecs: [little],
    fill_value: "NaT",
  }),
  float16: arrayMetadata({ dataType: "float16", codecs: [big, { name: "crc32c" }], fill_value: "0x7e01" }),
  "float16 in shards": arrayMetadata({ dataType: "float16", codecs: [shard] }),
  "short-hands": arrayMetadata({
    data_type: { name: "uint8", configuration: {} },
    codecs: ["bytes"],
    chunk_key_encoding: "default",
  }),
  "an empty string": complex({ attributes: { unit: "" } }),
  "without a fill value": complex({ fill_value: undefined }),
  plain: arrayMetadata({ codecs: [little] }),
};

for (const [name, metadata] of Object.entries(DOCUMENTS)) {
  test(`writing back metadata that was read restores the stored form: ${name}`, async () => {
    const stored = parsed(json(metadata));
    const store = storeWith(metadata);
    await rewrite(store);
    assert.deepEqual(parsed(store.get("/zarr.json")), stored);
    await rewrite(store, (document) => reordered({ ...document, attributes: { unit: "V" } }));
    assert.deepEqual(parsed(store.get("/zarr.json")), { ...stored, attributes: { unit: "V" } });
  });
}

test("-0 is preserved", async () => {
  const store = storeWith(complex());
  const text = JSON.stringify(complex({ fill_value: ["FILL"] })).replace('"FILL"', "-0.0, 0.0");
  store.set("/zarr.json", new TextEncoder().encode(text));
  await rewrite(store, (document) => ({ ...document, attributes: { n: 1 } }));
  assert.ok(Object.is(parsed(store.get("/zarr.json")).fill_value[0], -0));
});

test("the chunks of an array stay readable after its metadata was written", async () => {
  const store = storeWith(complex({ shape: [2] }), { "/c/0": floats(1, 2, 3, 4) });
  await rewrite(store, (document) => ({ ...document, attributes: { a: 1 } }));
  const array = await open(store);
  assert.deepEqual([array.attrs, array.shape], [{ a: 1 }, [2, 2]]);
  assert.deepEqual(elementsOf(await zarrita.get(array)), [1, 2, 3, 4]);
});

test("the array's own axes may be resized and renamed", async () => {
  const store = storeWith(complex({ dimension_names: ["x"] }));
  await rewrite(store, (document) => {
    document.shape[0] = 5;
    document.dimension_names[0] = "y";
  });
  assert.deepEqual(parsed(store.get("/zarr.json")), complex({ shape: [5], dimension_names: ["y"] }));
  const array = storeWith(arrayMetadata({ codecs: ["bytes"] }));
  await rewrite(array, (document) => ({ ...document, shape: [6] }));
  assert.deepEqual(parsed(array.get("/zarr.json")).shape, [6]);
});

test("a change that cannot be translated back is rejected, and nothing is written", async () => {
  const transposed = { name: "transpose", configuration: { order: [0] } };
  const CHANGES = [
    ["data_type", "float64"],
    ["shape", [3, 3]],
    ["shape", [2]],
    ["chunk_grid", grid(3, 2)],
    ["chunk_key_encoding", { name: "v2" }],
    ["codecs", [little]],
    ["fill_value", 1],
    ["dimension_names", ["x", "component"]],
    ["dimension_names", ["x"]],
    ["shape", []],
    ["shape", [3, 2, 1]],
    ["shape", null],
    ["shape", "3"],
    ["shape", { 0: 3, 1: 2 }],
    ["chunk_grid", null],
    ["chunk_grid", { ...grid(2, 2), kind: "regular" }],
    ["chunk_grid", { name: "regular", other: grid(2, 2).configuration }],
    ["codecs", [transposed, big, big]],
    ["codecs", { 0: transposed, 1: big }],
    ["chunk_key_encoding", undefined],
    ["fill_value", {}],
  ];
  for (const [path, value] of CHANGES) {
    const store = storeWith(complex({ dimension_names: ["x"], codecs: [transposed, big] }));
    const before = store.get("/zarr.json");
    const written = rewrite(store, (document) => ({ ...document, [path]: value }));
    await assert.rejects(written, {
      code: "invalid_metadata",
      path,
      message: /: expected the value that was read, because a change to it cannot be translated back, got /,
    });
    assert.equal(store.get("/zarr.json"), before);
  }
});

test("a fill value is not added to an array without one", async () => {
  for (const fill_value of [0, {}]) {
    const written = rewrite(storeWith(complex({ fill_value: null })), (document) => ({
      ...document,
      fill_value,
    }));
    await assert.rejects(written, { code: "invalid_metadata", path: "fill_value" });
  }
});

test("the private name of a codec is never written to a store", async () => {
  const codec = { name: "zarr-codecs.converted", configuration: { endian: "little" } };
  const inShard = { name: "sharding_indexed", configuration: { chunk_shape: [4], codecs: [codec] } };
  for (const [codecs, path] of [
    [[codec], "codecs[0].name"],
    [[inShard], "codecs[0].configuration.codecs[0].name"],
  ]) {
    const store = new MemoryStore();
    const written = withExtendedTypes(store).set("/zarr.json", json(arrayMetadata({ codecs })));
    const message = `${path}: expected "bytes", got "zarr-codecs.converted"`;
    await assert.rejects(written, { code: "invalid_metadata", path, message });
    assert.equal(store.size, 0);
  }
  const store = new MemoryStore();
  const forged = { ...arrayMetadata({ codecs: [little] }), "zarr-codecs.original": { metadata: "{" } };
  await assert.rejects(withExtendedTypes(store).set("/zarr.json", json(forged)), {
    path: "zarr-codecs.original",
    message: "zarr-codecs.original: expected the value that was read, got an object",
  });
  assert.equal(store.size, 0);
});

test("a group with consolidated metadata, one array of which cannot be opened", async () => {
  const array = complex();
  const metadata = {
    kind: "inline",
    must_understand: false,
    metadata: {
      a: array,
      text: arrayMetadata({ data_type: { name: "example.text", configuration: { length_bytes: 4 } } }),
      plain: arrayMetadata({ codecs: [little] }),
    },
  };
  const root = { zarr_format: 3, node_type: "group", attributes: {}, consolidated_metadata: metadata };
  const store = new MemoryStore([["/zarr.json", json(root)]]);
  await rewrite(store, (document) => ({ ...document, attributes: { b: 1 } }));
  assert.deepEqual(parsed(store.get("/zarr.json")), parsed(json({ ...root, attributes: { b: 1 } })));
  await rewrite(store, ({ consolidated_metadata, ...others }) => others);
  assert.deepEqual(parsed(store.get("/zarr.json")), {
    ...{ zarr_format: 3, node_type: "group", attributes: { b: 1 } },
  });
  store.set("/zarr.json", json(root));
  // Writes the metadata that zarrita returns for an array in it.
  const extended = withExtendedTypes(store);
  const consolidated = await zarrita.withConsolidatedMetadata(extended, { format: "v3" });
  await extended.set("/a/zarr.json", await consolidated.get("/a/zarr.json"));
  assert.deepEqual(parsed(store.get("/a/zarr.json")), array);
});

test("documents that were not translated are written byte for byte", async () => {
  const store = new MemoryStore();
  const extended = withExtendedTypes(store);
  const arrays = { a: arrayMetadata({ codecs: [little] }) };
  for (const bytes of [
    ...[Uint8Array.of(123), json([1]), json(complex()), json({ node_type: "group" })],
    json(arrayMetadata({ codecs: "bytes" })),
    json({ node_type: "group", consolidated_metadata: { metadata: arrays } }),
  ]) {
    await extended.set("/zarr.json", bytes);
    assert.equal(store.get("/zarr.json"), bytes);
  }
});

test("metadata that zarrita cannot open can be written", async () => {
  const data_type = { name: "example.text", configuration: { length_bytes: 4 } };
  const store = new MemoryStore();
  const extended = withExtendedTypes(store);
  await extended.set("/zarr.json", json(arrayMetadata({ data_type, codecs: [little] })));
  await extended.set("/c/0", Uint8Array.of(1, 0, 0, 0));
  assert.deepEqual([...store.keys()], ["/zarr.json", "/c/0"]);
});

test("a store that is wrapped twice", async () => {
  const store = storeWith(complex({ shape: [2] }), { "/c/0": floats(1, 2, 3, 4) });
  const extended = withExtendedTypes(withExtendedTypes(store));
  await extended.set("/zarr.json", await extended.get("/zarr.json"));
  assert.deepEqual(parsed(store.get("/zarr.json")), complex({ shape: [2] }));
  assert.deepEqual([...(await extended.get("/c/0/0"))], floats(1, 2, 3, 4));
  const array = await zarrita.open.v3(extended, { kind: "array" });
  assert.deepEqual(elementsOf(await zarrita.get(array)), [1, 2, 3, 4]);
});

for (const file of ["zarr-python.json", "tensorstore.json"]) {
  test(`all metadata of the store in ${file}`, async (t) => {
    t.after(register(zarrita.registry));
    const contents = JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
    const store = storeOf(contents);
    const extended = withExtendedTypes(store);
    let translated = 0;
    for (const key of [...store.keys()].filter((key) => key.endsWith("/zarr.json"))) {
      const before = store.get(key);
      const shown = await extended.get(key);
      translated += shown !== before;
      await extended.set(key, Uint8Array.from(shown));
      assert.deepEqual(parsed(store.get(key)), parsed(before), key);
    }
    assert.ok(translated > 10, `${translated}`);
    const { read, wrong } = await readStores(zarrita, contents, store);
    assert.deepEqual(wrong, []);
    assert.equal(read, Object.keys(contents.arrays).length);
  });
}

for (const [version, module] of Object.entries(VERSIONS)) {
  test(`an array that replaces another one has its own keys, zarrita ${version}`, async () => {
    const store = storeWith(complex({ shape: [2] }), { "/c/0": floats(1, 2, 3, 4) });
    const extended = withExtendedTypes(store);
    await module.open.v3(extended, { kind: "array" });
    const created = await module.create(extended, {
      ...{ shape: [1, 2], codecs: [little] },
      ...{ dtype: "uint8", chunkShape: [1, 2] }, // in 0.7
      ...{ data_type: "uint8", chunk_shape: [1, 2] }, // before
    });
    const value = { data: Uint8Array.of(7, 8), shape: [1, 2], stride: [2, 1] };
    await module.set(created, null, value);
    assert.deepEqual([...store.get("/c/0/0")], [7, 8]);
    const read = await open(store, module);
    assert.deepEqual(elementsOf(await module.get(read)), [7, 8]);
    await extended.set("/zarr.json", json(complex({ shape: [2] })));
    const again = await module.open.v3(extended, { kind: "array" });
    assert.deepEqual(elementsOf(await module.get(again)), [1, 2, 3, 4]);
  });
}
