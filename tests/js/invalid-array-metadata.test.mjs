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
  // Others are rejected by Rust (tests/rust/array_metadata.rs).
  const cases = [
    ["that is absent", undefined, "metadata", "undefined"],
    ["that is a string, not parsed", JSON.stringify(array), "metadata", /.+/],
    ["of Zarr v2", { zarr_format: 2, chunks: [2], dtype: "<f4" }, "zarr_format", "2"],
    ["without data type", arrayWith({ data_type: undefined }), "data_type", "nothing"],
    ["without a chunk grid", arrayWith({ chunk_grid: undefined }), /^chunk_grid/, "nothing"],
    ["without codecs", arrayWith({ codecs: undefined }), "codecs", "nothing"],
    [
      "of shards whose fill value is not JSON",
      arrayWith({ codecs: [{ name: "sharding_indexed" }], fill_value: 1n }),
      "fill_value",
      "1n",
    ],
    ["that cannot be read", revoked(), "metadata", { problem: "could not be read" }],
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
