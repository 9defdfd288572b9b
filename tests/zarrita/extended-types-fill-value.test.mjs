// Fill values of the data types that withExtendedTypes adds.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withExtendedTypes } from "zarr-codecs/zarrita";
import { big, bitsOf, complex, crc32c, little, open, openWith, zarrita } from "./extended.mjs";
import { arrayMetadata, elementsOf, MemoryStore, openArray, storeWith } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const TIME = { name: "numpy.datetime64", configuration: { unit: "s", scale_factor: 1 } };

/** Reads a missing chunk of one element. */
async function fillOf(dataType, fill_value, version) {
  const metadata = arrayMetadata({ dataType, length: 1, codecs: [little], fill_value });
  const array = await openWith(metadata, version);
  return elementsOf(await array.getChunk(array.shape.map(() => 0)));
}

test("a fill value whose components differ fills missing chunks, also in shared memory", async () => {
  const array = await openWith(complex({ fill_value: ["-Infinity", "0x3fc00000"] }));
  const expected = [-Infinity, 1.5, -Infinity, 1.5];
  assert.deepEqual(elementsOf(await array.getChunk([0, 0])), expected);
  const { data } = await zarrita.get(array, null, { useSharedArrayBuffer: true });
  assert.ok(data.buffer instanceof SharedArrayBuffer);
  assert.deepEqual([...data], [...expected, -Infinity, 1.5]);
});

test("a missing chunk contains the fill value", async () => {
  assert.deepEqual(await fillOf("complex64", ["NaN", "NaN"]), [Number.NaN, Number.NaN]);
  assert.deepEqual(await fillOf("complex128", ["0x3ff8000000000000", 1.5]), [1.5, 1.5]);
  assert.deepEqual(await fillOf("complex64", null), [0, 0]);
  assert.deepEqual(await fillOf("complex64", [0.1, 0.1]), [Math.fround(0.1), Math.fround(0.1)]);
  assert.deepEqual(await fillOf("r16", [1, 2]), [1, 2]);
  assert.deepEqual(await fillOf("r16", [9, 9]), [9, 9]);
  assert.deepEqual(await fillOf("r24", "AQID"), [1, 2, 3]);
  assert.deepEqual(await fillOf("r8", [200]), [200]);
});

for (const [version, module] of Object.entries(VERSIONS)) {
  test(`special numbers are exact, zarrita ${version}`, async () => {
    for (const [fill_value, bits] of [
      ["-0.0", "80000000"],
      ['"0x80000000"', "80000000"],
      ['"NaN"', "7fc00000"],
      ['"0x7fc00000"', "7fc00000"],
      ['"-Infinity"', "ff800000"],
      ["1e-45", "1"],
    ]) {
      const metadata = JSON.stringify(complex({ fill_value: "FILL" }));
      const store = storeWith(complex());
      store.set(
        "/zarr.json",
        new TextEncoder().encode(metadata.replace('"FILL"', `[${fill_value}, ${fill_value}]`)),
      );
      const { data } = await (await open(store, module)).getChunk([0, 0]);
      assert.deepEqual(bitsOf(data), [bits, bits, bits, bits], fill_value);
    }
  });

  // Where there is a Float16Array, zarrita opens float16 itself.
  const skip = "Float16Array" in globalThis;
  test(`float16 is rounded once, zarrita ${version}`, { skip }, async () => {
    const tie = 1 + 2 ** -11;
    assert.deepEqual(await fillOf("float16", "0x3e00", module), [1.5]);
    assert.deepEqual(await fillOf("float16", "-Infinity", module), [-Infinity]);
    assert.deepEqual(await fillOf("float16", tie + 2 ** -52, module), [1 + 2 ** -10]);
  });
}

test("a chunk filled in place of zarrita is in the memory that was asked for", async () => {
  const array = await openWith(complex({ fill_value: [1, 2] }));
  for (const [memory, expected] of [
    [undefined, ArrayBuffer],
    [{}, ArrayBuffer],
    [{ useSharedArrayBuffer: false }, ArrayBuffer],
    [{ useSharedArrayBuffer: true }, SharedArrayBuffer],
  ]) {
    const { data } = await array.getChunk([0, 0], undefined, memory);
    assert.equal(data.buffer.constructor, expected);
    assert.deepEqual([...data], [1, 2, 1, 2]);
  }
});

test("other errors than a missing chunk are thrown", async () => {
  const store = storeWith(complex({ fill_value: [1, 2] }));
  const get = store.get.bind(store);
  store.get = (key) => {
    if (key === "/c/0") throw new Error("offline");
    return get(key);
  };
  await assert.rejects((await open(store)).getChunk([0, 0]), /offline/);
});

test("-0 is exact where zarrita writes consolidated metadata once more", async () => {
  const array = JSON.stringify(complex({ fill_value: ["FILL"] })).replace('"FILL"', "-0.0, -0.0");
  const root = { zarr_format: 3, node_type: "group", attributes: {} };
  const text = JSON.stringify({
    ...root,
    consolidated_metadata: { kind: "inline", metadata: { a: "ARRAY" } },
  });
  const store = new MemoryStore([["/zarr.json", new TextEncoder().encode(text.replace('"ARRAY"', array))]]);
  const outer = await zarrita.withConsolidatedMetadata(withExtendedTypes(store), { format: "v3" });
  const { data } = await (await openArray(zarrita, outer, "/a")).getChunk([0, 0]);
  assert.deepEqual(bitsOf(data), Array(4).fill("80000000"));
});

test("NaN payloads are kept", async () => {
  const array = await openWith(complex({ fill_value: ["0x7fc00001", "0xffc00002"] }));
  const { data } = await array.getChunk([0, 0]);
  assert.deepEqual(
    [...new Uint32Array(data.buffer)].map((bits) => bits.toString(16)),
    ["7fc00001", "ffc00002", "7fc00001", "ffc00002"],
  );
});

test("before zarrita 0.7, a fill value whose components differ is an error when a chunk is missing", async () => {
  for (const version of ["0.4", "0.5", "0.6"]) {
    const array = await openWith(complex({ fill_value: [1, 2] }), VERSIONS[version]);
    await assert.rejects(array.getChunk([0, 0]), {
      code: "invalid_metadata",
      path: "fill_value",
      message:
        "fill_value: expected equal components without NaN payloads to fill a missing chunk with zarrita before 0.7, " +
        "got [1, 2]",
    });
  }
});

test("rejects fill values that are not elements of the data type", async () => {
  const float32 = /expected a number in the range of float32.*, got /;
  for (const [dataType, fill_value, path, message] of [
    ["complex64", 1, "fill_value", /expected an array of 2 components, got 1/],
    ["complex64", [1], "fill_value", /expected an array of 2 components, got an array of 1/],
    ["complex64", ["one", 1], "fill_value[0]", float32],
    ["complex64", ["0x3fc0", 1], "fill_value[0]", float32],
    ["complex64", [0, 1e39], "fill_value[1]", float32],
    ["complex64", [null, null], "fill_value[0]", float32],
    ["r16", [1, 2, 3], "fill_value", /expected an array of 2 integers from 0 to 255, or 2 bytes in base64/],
    ["r16", "?", "fill_value", /2 bytes in base64, got "\?"/],
    ["r16", [300, 0], "fill_value[0]", /expected an integer from 0 to 255, got 300/],
    ["r16", [0, -1], "fill_value[1]", /expected an integer from 0 to 255, got -1/],
    ["r16", [0.5, 0], "fill_value[0]", /expected an integer from 0 to 255, got 0.5/],
    [TIME, "now", "fill_value", /expected an integer from -\d+ to \d+, got "now"/],
    [TIME, 2 ** 64, "fill_value", /got 18446744073709552000/],
  ]) {
    await assert.rejects(fillOf(dataType, fill_value), { code: "invalid_metadata", path, message });
  }
});

test("in shards, the components of a fill value must be equal", async () => {
  const configuration = {
    chunk_shape: [2],
    codecs: [big],
    index_codecs: [little, crc32c],
    index_location: "end",
  };
  const codecs = [{ name: "sharding_indexed", configuration }];
  const expected = "fill_value: expected equal components without NaN payloads in an array with shards";
  for (const [fill_value, got] of [
    [[1, 2], "[1, 2]"],
    [["0x80000000", 0], "[-0, 0]"],
  ]) {
    await assert.rejects(openWith(complex({ codecs, fill_value })), {
      path: "fill_value",
      message: `${expected}, got ${got}`,
    });
  }
});
