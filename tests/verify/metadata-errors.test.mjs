// What is said of metadata that are wrong: the message, and the path of the member.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { arrayMetadata } from "./helpers.mjs";
import { GROUP, ListedStore, toBytes, verified } from "./store-helpers.mjs";

const storeOf = (value) => new ListedStore([["/zarr.json", toBytes(value)]]);

/** Verifies a store whose only result is an error of metadata. */
async function errorOf(value, key = "zarr.json") {
  const { results, summary } = await verified(storeOf(value));
  assert.equal(results.length, 1);
  const [{ error, ...result }] = results;
  const array = key.replace(/\/?zarr\.json$/, "");
  assert.deepEqual(result, { array, key, state: "damaged", proof: "none" });
  assert.equal(summary.verdict, "damaged");
  assert.equal(error.code, "invalid_metadata");
  return error;
}

const grid = (name, configuration) => ({ chunk_grid: { name, configuration } });
const INDEX = { name: "bytes", configuration: { endian: "little" } };
const shards = (codecs) => ({
  name: "sharding_indexed",
  configuration: { chunk_shape: [2], codecs, index_codecs: [INDEX] },
});
const rectilinear = (...chunk_shapes) => grid("rectilinear", { kind: "inline", chunk_shapes });
const SHAPES = "chunk_grid.configuration.chunk_shapes";

/** Members of the metadata of an array of 4 elements: the path, what is expected there, and what is found. */
const WRONG = [
  [{ shape: undefined }, "shape", "an array of integers", "nothing"],
  [{ shape: "4" }, "shape", "an array of integers", '"4"'],
  [{ shape: [4, -1] }, "shape[1]", "an integer of at least 0", "-1"],
  [{ shape: [4.5] }, "shape[0]", "an integer of at least 0", "4.5"],
  [{ shape: ["4"] }, "shape[0]", "an integer of at least 0", '"4"'],
  [{ chunk_grid: undefined }, "chunk_grid", "an object with a name", "nothing"],
  [{ chunk_grid: null }, "chunk_grid", "an object with a name", "null"],
  [{ chunk_grid: { name: 3 } }, "chunk_grid", "an object with a name", '{"name":3}'],
  [grid("regular", []), "chunk_grid.configuration", "an object", "[]"],
  [grid("hexagonal"), "chunk_grid.name", '"regular" or "rectilinear"', '"hexagonal"'],
  [grid("regular", { chunk_shape: [2, 2] }), "chunk_grid.configuration.chunk_shape", "1 lengths", "[2,2]"],
  [
    grid("regular", { chunk_shape: [0] }),
    "chunk_grid.configuration.chunk_shape[0]",
    "an integer of at least 1",
    "0",
  ],
  [grid("rectilinear", { kind: "remote" }), "chunk_grid.configuration.kind", '"inline"', '"remote"'],
  [grid("rectilinear", { kind: "inline", chunk_shapes: 5 }), SHAPES, "an array for 1 axes", "5"],
  [rectilinear([2, 2], [2, 2]), SHAPES, "an array for 1 axes", "[[2,2],[2,2]]"],
  [rectilinear(0), `${SHAPES}[0]`, "an integer of at least 1", "0"],
  [rectilinear([2, 1]), `${SHAPES}[0]`, "lengths of at least 4 elements together", "[2,1]"],
  [rectilinear([2, 0]), `${SHAPES}[0][1]`, "an integer of at least 1", "0"],
  [rectilinear([[4]]), `${SHAPES}[0][0]`, "2 lengths", "[4]"],
  [rectilinear([[2, 0]]), `${SHAPES}[0][0][1]`, "an integer of at least 1", "0"],
  [{ codecs: [shards(["x.unknown", 5])] }, "codecs[0].configuration.codecs[1]", "an object with a name", "5"],
  [{ fill_value: "white" }, "fill_value", "an integer from 0 to 255", '"white"'],
  [{ fill_value: -1 }, "fill_value", "an integer from 0 to 255", "-1"],
  [{ chunk_key_encoding: {} }, "chunk_key_encoding", "an object with a name", "{}"],
  [{ chunk_key_encoding: "v3" }, "chunk_key_encoding.name", '"default" or "v2"', '"v3"'],
  [
    { chunk_key_encoding: { name: "v2", configuration: { separator: "-" } } },
    "chunk_key_encoding.configuration.separator",
    '"/" or "."',
    '"-"',
  ],
  [{ codecs: "bytes" }, "codecs", "an array of codecs", '"bytes"'],
  [{ codecs: ["bytes", 3] }, "codecs[1]", "an object with a name", "3"],
];

for (const [members, path, expected, got] of WRONG) {
  test(`${path}: expected ${expected}, got ${got}`, async () => {
    const message = `${path}: expected ${expected}, got ${got}`;
    assert.deepEqual(await errorOf(arrayMetadata(members)), { code: "invalid_metadata", message, path });
  });
}

describe("a zarr.json", () => {
  const [code, key] = ["invalid_metadata", "zarr.json"];

  test("that is not JSON", async () => {
    const { message, path } = await errorOf("{");
    assert.match(message, /^zarr\.json is not valid JSON: .*JSON/);
    assert.equal(path, "");
  });

  for (const value of ["[]", "null", "7"]) {
    test(`that is ${value}`, async () =>
      assert.deepEqual(await errorOf(value), { code, message: `${key} is not a JSON object`, path: "" }));
  }

  test("of another version or type", async () => {
    assert.deepEqual(await errorOf({ ...GROUP, zarr_format: 2 }), {
      code,
      message: "zarr.json: zarr_format: expected 3, got 2",
      path: "zarr_format",
    });
    assert.deepEqual(await errorOf({ zarr_format: 3 }), {
      code,
      message: 'zarr.json: node_type: expected "array" or "group", got nothing',
      path: "node_type",
    });
  });

  test("with consolidated metadata that are wrong names them", async () => {
    const at = 'zarr.json: consolidated_metadata.metadata["a/b"]';
    const consolidated = (metadata) => ({
      ...GROUP,
      consolidated_metadata: { metadata: { "a/b": metadata } },
    });
    assert.deepEqual(await errorOf(consolidated({ node_type: "grape" }), "a/b/zarr.json"), {
      code,
      message: `${at}: node_type: expected "array" or "group", got "grape"`,
      path: "node_type",
    });
    const { message } = await errorOf(consolidated(3), "a/b/zarr.json");
    assert.equal(message, `${at} is not a JSON object`);
  });
});

test("what is no store, or no array, is an error without a path", async () => {
  const rejects = (store, message, options) =>
    assert.rejects(verified(store, options), { code: "invalid_metadata", path: "", message });
  await rejects(new Map(), "found no zarr.json: this is not the root of a Zarr v3 group or array");
  for (const name of [".zgroup", ".zarray"]) {
    const store = new Map([[`/${name}`, toBytes({})]]);
    await rejects(store, `expected a Zarr v3 store, got one of Zarr v2: it has ${name}`);
  }
  await rejects(storeOf(GROUP), "a/zarr.json does not exist", { array: "a" });
});

test("storage transformers are an error, unless a codec or the data type is not known either", async () => {
  const storage_transformers = [{ name: "x.split" }];
  for (const members of [{}, rectilinear([3, 1])]) {
    assert.deepEqual(await errorOf(arrayMetadata({ ...members, storage_transformers })), {
      code: "invalid_metadata",
      path: "storage_transformers",
      message: "storage_transformers: expected none (not supported), got an array",
    });
  }
  for (const members of [{ codecs: ["x.unknown"] }, { data_type: "x.unknown" }]) {
    assert.deepEqual(
      (await verified(storeOf(arrayMetadata({ ...members, storage_transformers })))).results,
      [],
    );
  }
});

test("elements and fill values of any length are no errors", async () => {
  const long = (name, length_bytes) => ({ name, configuration: { length_bytes } });
  for (const [data_type, fill_value, byteLength] of [
    [long("fixed_length_utf32", 400_000), "", 400_000],
    [long("raw_bytes", 30_000), Buffer.alloc(30_000).toString("base64"), 30_000],
    ["r16400", Array(2050).fill(0), 2050],
  ]) {
    const codecs = [{ name: "bytes", configuration: { endian: "little" } }];
    const store = storeOf(
      arrayMetadata({ data_type, fill_value, codecs, shape: [1], ...grid("regular", { chunk_shape: [1] }) }),
    );
    store.set("/c/0", new Uint8Array(byteLength));
    const { summary } = await verified(store);
    assert.deepEqual([summary.verdict, summary.proofs.length], ["sound", 1]);
  }
});
