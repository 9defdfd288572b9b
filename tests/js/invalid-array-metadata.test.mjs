// InvalidMetadataError: the metadata of an array.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain } from "zarr-codecs";
import { ONE_MILLION, TEN_MILLION } from "./helpers.mjs";
import { assertInvalid, little } from "./metadata.mjs";

/** Returns an object that throws whatever is done with it. */
function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe("rejects the metadata of an array", () => {
  const array = {
    zarr_format: 3,
    node_type: "array",
    shape: [10],
    data_type: "float32",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
    chunk_key_encoding: { name: "default" },
    fill_value: 0,
    codecs: [little],
    attributes: {},
  };
  const arrayWith = (members) => ({ ...array, ...members });
  const gridWith = (chunk_shape) =>
    arrayWith({ chunk_grid: { name: "regular", configuration: { chunk_shape } } });
  const cases = [
    ["that is absent", undefined, "metadata", "undefined"],
    ["that is null", null, "metadata", "null"],
    ["that is a string, not parsed", JSON.stringify(array), "metadata", /.+/],
    ["that is an array", [array], "metadata", "an array"],
    ["that is that of a group", { zarr_format: 3, node_type: "group" }, "node_type", '"group"'],
    ["of Zarr v2", { zarr_format: 2, chunks: [2], dtype: "<f4" }, "zarr_format", "2"],
    ["whose zarr_format is a string", arrayWith({ zarr_format: "3" }), "zarr_format", '"3"'],
    ["without data type", arrayWith({ data_type: undefined }), "data_type", "nothing"],
    ["of an unknown data type", arrayWith({ data_type: "float8" }), "data_type", '"float8"'],
    ["without a chunk grid", arrayWith({ chunk_grid: undefined }), /^chunk_grid/, "nothing"],
    ["of a null chunk grid", arrayWith({ chunk_grid: null }), /^chunk_grid/, /.+/],
    [
      "of an irregular grid",
      arrayWith({ chunk_grid: { name: "rectilinear" } }),
      "chunk_grid.name",
      '"rectilinear"',
    ],
    [
      "of a grid without configuration",
      arrayWith({ chunk_grid: { name: "regular" } }),
      /^chunk_grid\.configuration/,
      "nothing",
    ],
    ["with a number as chunk shape", gridWith(2), "chunk_grid.configuration.chunk_shape", "2"],
    ["of a negative chunk shape", gridWith([-2]), "chunk_grid.configuration.chunk_shape[0]", "-2"],
    ["of a chunk too long", gridWith([2 ** 31]), "chunk_grid.configuration.chunk_shape", /x 4 bytes/],
    ["without codecs", arrayWith({ codecs: undefined }), "codecs", "nothing"],
    ["of no codecs", arrayWith({ codecs: [] }), "codecs", "none"],
    ["of a codec that is null", arrayWith({ codecs: [null] }), "codecs[0]", "null"],
    [
      "of shards whose fill value is not JSON",
      arrayWith({ codecs: [{ name: "sharding_indexed" }], fill_value: 1n }),
      "fill_value",
      "1n",
    ],
    ["that cannot be read", revoked(), "metadata", { problem: "could not be read" }],
    ["of an unknown codec", arrayWith({ codecs: [little, { name: "gzip" }] }), "codecs[1].name", '"gzip"'],
  ];
  for (const [what, metadata, path, got] of cases) {
    test(what, () => {
      assertInvalid(() => createCodecChain(metadata), path, got);
    });
  }

  test("but ignores members that do not concern the codecs", () => {
    const attributes = { list: Array(ONE_MILLION).fill(0), text: "x".repeat(TEN_MILLION), nothing: 1n };
    const hostile = {
      get attributes() {
        throw new Error("must not be read");
      },
    };
    for (const others of [
      { attributes },
      { fill_value: Number.NaN, consolidated_metadata: null },
      { fill_value: 1n },
      { future: {} },
    ]) {
      assert.deepEqual(createCodecChain(arrayWith(others)).shape, [2]);
    }
    const { attributes: _, ...bare } = array;
    assert.deepEqual(createCodecChain(Object.assign(hostile, bare)).shape, [2]);
  });
});
