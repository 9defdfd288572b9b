// The codecs of arrays to which withExtendedTypes adds an axis, and short-hands.

import assert from "node:assert/strict";
import { test } from "node:test";
import { register } from "zarr-codecs/zarrita";
import { withChecksum } from "../js/helpers.mjs";
import { big, complex, crc32c, floats, grid, json, little, open, openWith, zarrita } from "./extended.mjs";
import { arrayMetadata, elementsOf, storeWith } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const transpose = (order) => ({ name: "transpose", configuration: { order } });

/** Returns the codec of shards with these inner codecs. */
const sharding = (chunk_shape, codecs) => ({
  name: "sharding_indexed",
  configuration: { chunk_shape, codecs, index_codecs: [little, crc32c], index_location: "end" },
});

/** Returns the metadata of a complex64 array of 2 x 3 elements in one chunk. */
const matrix = (codecs) => complex({ shape: [2, 3], chunk_grid: grid(2, 3), codecs });

// The components of the element at row i, column j are 10 i + j and its negative.
const element = (i, j) => [10 * i + j, -(10 * i + j)];
const IN_C_ORDER = [0, 1].flatMap((i) => [0, 1, 2].flatMap((j) => element(i, j)));
const IN_F_ORDER = [0, 1, 2].flatMap((j) => [0, 1].flatMap((i) => element(i, j)));

for (const [version, module] of Object.entries(VERSIONS)) {
  test(`a transposition leaves the added axis last, zarrita ${version}`, async () => {
    for (const [order, stored] of [
      [[1, 0], IN_F_ORDER],
      [[0, 1], IN_C_ORDER],
      ["F", IN_F_ORDER],
      ["C", IN_C_ORDER],
      [undefined, IN_C_ORDER],
    ]) {
      const store = storeWith(matrix([transpose(order), big]), { "/c/0/0": floats(...stored) });
      const array = await open(store, module);
      assert.deepEqual(elementsOf(await module.get(array)), IN_C_ORDER, `${order}`);
    }
  });

  test(`transposed arrays are written as they are read, zarrita ${version}`, async () => {
    for (const [order, stored] of [
      ["F", IN_F_ORDER],
      [[1, 0], IN_F_ORDER],
      [[0, 1], IN_C_ORDER],
    ]) {
      const store = storeWith(matrix([transpose(order), big]));
      const array = await open(store, module);
      const value = { data: Float32Array.from(IN_C_ORDER), shape: [2, 3, 2], stride: [6, 2, 1] };
      await module.set(array, null, value);
      assert.deepEqual([...store.get("/c/0/0")], floats(...stored), `${order}`);
    }
  });
}

test("a transposition of raw bits, and in a shard", async () => {
  const raw = { ...matrix([transpose("F"), "bytes"]), data_type: "r16", fill_value: [0, 0] };
  const bytes = IN_F_ORDER.map((value) => value & 255);
  const array = await open(storeWith(raw, { "/c/0/0": bytes }));
  assert.deepEqual(
    elementsOf(await zarrita.get(array)),
    IN_C_ORDER.map((value) => value & 255),
  );
  const inner = floats(...IN_F_ORDER);
  const index = withChecksum(new Uint8Array(BigUint64Array.of(0n, BigInt(inner.length)).buffer));
  const shards = matrix([sharding([2, 3], [transpose("F"), big])]);
  const sharded = await open(storeWith(shards, { "/c/0/0": [...inner, ...index] }));
  assert.deepEqual(elementsOf(await zarrita.get(sharded)), IN_C_ORDER);
});

test("other codecs before bytes would mix components, and are rejected with their path", async () => {
  const others = [
    { name: "numcodecs.delta", configuration: { dtype: "<f4" } },
    { name: "scale_offset", configuration: { scale: 2, offset: 1 } },
    { name: "cast_value", configuration: { data_type: "int32" } },
    { name: "numcodecs.bitround", configuration: { keepbits: 4 } },
    { name: "somebody.filter" },
  ];
  for (const other of others) {
    const expected = `expected transpose, bytes or sharding_indexed, to open complex64 in zarrita, got "${other.name}"`;
    for (const [codecs, path] of [
      [[other, big], "codecs[0]"],
      [[transpose([1, 0]), other, big], "codecs[1]"],
      [[sharding([2, 3], [other, big])], "codecs[0].configuration.codecs[0]"],
    ]) {
      await assert.rejects(openWith(matrix(codecs)), {
        code: "invalid_metadata",
        path,
        message: `${path}: ${expected}`,
      });
    }
  }
  await assert.rejects(openWith(matrix(["somebody.filter", "bytes"])), { path: "codecs[0]" });
  await assert.rejects(openWith(matrix([{ name: "somebody.vlen" }])), { path: "codecs[0]" });
});

test("codecs after bytes are not changed, nor are codecs of times", async () => {
  const gzip = { name: "gzip", configuration: { level: 1 } };
  const compressed = new Response(
    new Blob([Uint8Array.from(floats(...IN_C_ORDER))]).stream().pipeThrough(new CompressionStream("gzip")),
  );
  const chunk = new Uint8Array(await compressed.arrayBuffer());
  const array = await open(storeWith(matrix([big, gzip]), { "/c/0/0": chunk }));
  assert.deepEqual(elementsOf(await zarrita.get(array)), IN_C_ORDER);
  const data_type = { name: "numpy.timedelta64", configuration: { unit: "s", scale_factor: 1 } };
  const delta = { name: "numcodecs.delta", configuration: { dtype: "<i8" } };
  const times = arrayMetadata({ length: 3, data_type, codecs: [delta, little] });
  const deltas = new Uint8Array(BigInt64Array.of(5n, 1n, -2n).buffer);
  assert.deepEqual(elementsOf(await zarrita.get(await open(storeWith(times, { "/c/0": deltas })))), [
    5n,
    6n,
    4n,
  ]);
});

test("codecs to which no axis can be added are rejected with their path", async () => {
  const withoutShape = { name: "sharding_indexed", configuration: { codecs: [big], index_codecs: [little] } };
  const [integers, axes] = ["an array of integers, got", "a permutation of the 2 axes, got"];
  const none = "a codec bytes or sharding_indexed, got none";
  for (const [codecs, path, expected] of [
    [[withoutShape], "codecs[0].configuration.chunk_shape", `${integers} nothing`],
    [[{ name: "sharding_indexed" }], "codecs[0].configuration.chunk_shape", `${integers} nothing`],
    [
      [sharding([2, 3], [withoutShape])],
      "codecs[0].configuration.codecs[0].configuration.chunk_shape",
      `${integers} nothing`,
    ],
    [[sharding([2, 3], undefined)], "codecs[0].configuration.codecs", "an array of codecs, got nothing"],
    [[transpose([0, 0]), big], "codecs[0].configuration.order", `${axes} an array`],
    [[transpose([1, 0, 2]), big], "codecs[0].configuration.order", `${axes} an array`],
    [[transpose("A"), big], "codecs[0].configuration.order", `${axes} "A"`],
    [[transpose([1, 0])], "codecs", none],
    [[], "codecs", none],
    ["bytes", "codecs", 'an array of codecs, got "bytes"'],
  ]) {
    const message = `${path}: expected ${expected}`;
    await assert.rejects(openWith(matrix(codecs)), { code: "invalid_metadata", path, message });
  }
  for (const [others, path, got] of [
    [{ shape: 2 }, "shape", "2"],
    [{ chunk_grid: "regular" }, "chunk_grid.configuration.chunk_shape", "nothing"],
    [{ chunk_grid: { name: "regular" } }, "chunk_grid.configuration.chunk_shape", "nothing"],
  ]) {
    const message = `${path}: expected ${integers} ${got}`;
    await assert.rejects(openWith(complex(others)), { code: "invalid_metadata", path, message });
  }
});

test("short-hands in shards are spelt out", async (t) => {
  t.after(register(zarrita.registry));
  const configuration = { chunk_shape: [2], codecs: ["bytes", "crc32c"], index_codecs: [little, "crc32c"] };
  const codecs = [{ name: "sharding_indexed", configuration }];
  const inner = withChecksum([1, 2]);
  const index = withChecksum(new Uint8Array(BigUint64Array.of(0n, 6n, 6n, 6n).buffer));
  const store = storeWith(arrayMetadata({ dataType: "uint8", codecs }), {
    "/c/0": [...inner, ...inner, ...index],
  });
  assert.deepEqual(elementsOf(await zarrita.get(await open(store))), [1, 2, 1, 2]);
  // Those of the index alone.
  configuration.codecs = [{ name: "bytes" }, crc32c];
  store.set("/zarr.json", json(arrayMetadata({ dataType: "uint8", codecs })));
  assert.deepEqual(elementsOf(await zarrita.get(await open(store))), [1, 2, 1, 2]);
});

test("transposed numbers that are converted, to which no axis is added", async (t) => {
  t.after(register(zarrita.registry));
  const metadata = { ...matrix([transpose([1, 0]), big]), data_type: "bfloat16", fill_value: 0 };
  const stored = [0x3f80, 0x4080, 0x4000, 0x40a0, 0x4040, 0x40c0].flatMap((bits) => [bits >> 8, bits & 255]);
  const array = await open(storeWith(metadata, { "/c/0/0": stored }));
  assert.deepEqual(elementsOf(await zarrita.get(array)), [1, 2, 3, 4, 5, 6]);
});

test("the former name of bytes", async (t) => {
  t.after(register(zarrita.registry));
  const codecs = [{ ...big, name: "endian" }];
  const array = await open(storeWith(matrix(codecs), { "/c/0/0": floats(...IN_C_ORDER) }));
  assert.deepEqual(elementsOf(await zarrita.get(array)), IN_C_ORDER);
});

for (const [version, module] of Object.entries(VERSIONS)) {
  test(`the chunk key encoding may be a name alone, zarrita ${version}`, async () => {
    for (const [chunk_key_encoding, key] of [
      ["default", "/c/1"],
      ["v2", "/1"],
    ]) {
      const chunks = { [key]: floats(5, 6, 0, 0) };
      const array = await open(storeWith(complex({ chunk_key_encoding }), chunks), module);
      assert.deepEqual(elementsOf(await module.get(array)), [0, 0, 0, 0, 5, 6]);
    }
    const plain = arrayMetadata({ dataType: "uint8", codecs: ["bytes"], chunk_key_encoding: "v2" });
    const array = await open(storeWith(plain, { "/0": [1, 2, 3, 4] }), module);
    assert.deepEqual(elementsOf(await module.get(array)), [1, 2, 3, 4]);
  });
}
