// Fill values that a reader's JSON.parse, or the data type that is shown, would change.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { withCodecs } from "zarr-codecs";
import { metadataWith } from "../array/helpers.mjs";
import { elementsOf, MemoryStore } from "../zarrita/stores.mjs";
import { VERSIONS } from "../zarrita/versions.mjs";
import {
  big,
  complex,
  crc32c,
  groupWith,
  open,
  openIn,
  shownOf,
  storeWithText,
  zarrita,
} from "./helpers.mjs";

const TIME = { name: "numpy.datetime64", configuration: { unit: "s", scale_factor: 1 } };

const int64 = (n) => new Uint8Array(BigInt64Array.of(n).buffer);
const uint64 = (n) => new Uint8Array(BigUint64Array.of(n).buffer);
const bits32 = (...bits) => new Uint8Array(Uint32Array.from(bits).buffer);
const bits64 = (...bits) => new Uint8Array(BigUint64Array.from(bits).buffer);

/** The data type, the source text of the fill value, the bytes of an element, and whether missing chunks are made. */
const CASES = [
  ["float32", "-0.0", bits32(0x80000000), true],
  ["float32", "-0", bits32(0x80000000), true],
  ["float32", "1.5", bits32(0x3fc00000), false],
  ["float32", '"NaN"', bits32(0x7fc00000), false],
  ["float32", '"-Infinity"', bits32(0xff800000), false],
  ["float32", '"0x7fc00001"', bits32(0x7fc00001), true],
  ["float32", '"0xffc00000"', bits32(0xffc00000), true],
  ["float32", '"0x3fc00000"', bits32(0x3fc00000), false],
  ["float64", "-0.0", bits64(2n ** 63n), true],
  ["float64", "1e-320", bits64(2024n), false],
  ["float64", '"0x7ff8000000000001"', bits64(0x7ff8000000000001n), true],
  ["int64", "-9223372036854775808", int64(-(2n ** 63n)), false],
  ["int64", "9223372036854775807", int64(2n ** 63n - 1n), true],
  ["int64", "-9007199254740993", int64(-9007199254740993n), true],
  ["int64", "9007199254740992", int64(9007199254740992n), false],
  ["int64", "-7", int64(-7n), false],
  ["uint64", "18446744073709551615", uint64(2n ** 64n - 1n), true],
  ["uint64", "9007199254740993", uint64(9007199254740993n), true],
  ["uint64", "7", uint64(7n), false],
  ["bool", "true", Uint8Array.of(1), false],
  ["complex64", "[1, 2]", bits32(0x3f800000, 0x40000000), true],
  ["complex64", "[1, 1]", bits32(0x3f800000, 0x3f800000), false],
  ["complex64", "[-0.0, -0.0]", bits32(0x80000000, 0x80000000), true],
  ["complex64", '["0x7fc00001", "0xffc00002"]', bits32(0x7fc00001, 0xffc00002), true],
  ["complex128", '["NaN", "NaN"]', bits64(0x7ff8n << 48n, 0x7ff8n << 48n), false],
  ["r16", "[1, 2]", Uint8Array.of(1, 2), true],
  ["r16", "[9, 9]", Uint8Array.of(9, 9), false],
  [TIME, '"NaT"', int64(-(2n ** 63n)), false],
  [TIME, "9223372036854775807", int64(2n ** 63n - 1n), true],
  ["bfloat16", "-0.0", bits32(0x80000000), true],
  ["bfloat16", '"NaN"', bits32(0x7fc00000), false],
  ["int4", "-3", Uint8Array.of(0xfd), false],
];

const nameOf = (dataType) => dataType.name ?? dataType;

/** The metadata of an array of 3 elements in chunks of 2, none of which is stored. */
const metadataOf = (data_type) =>
  metadataWith({
    shape: [3],
    data_type,
    codecs: [big, crc32c],
    fill_value: "FILL",
  });

const bytesOf = ({ buffer, byteOffset, byteLength }) => [...new Uint8Array(buffer, byteOffset, byteLength)];

const repeated = (element, count) =>
  Array(count)
    .fill([...element])
    .flat();

for (const [version, module] of Object.entries(VERSIONS)) {
  describe(`zarrita ${version}`, () => {
    for (const [dataType, fill, element] of CASES) {
      test(`${nameOf(dataType)}: ${fill}`, async () => {
        const array = await open(storeWithText(metadataOf(dataType), fill), { version });
        const at = array.shape.map(() => 0);
        const { data } = await array.getChunk(at);
        const bytes =
          "get" in data
            ? elementsOf(await module.get(array))
                .map(Number)
                .slice(0, 2)
            : bytesOf(data);
        assert.deepEqual(bytes, repeated(element, 2));
      });
    }
  });
}

describe("missing chunks are made only if readers would fill them with something else", () => {
  for (const [dataType, fill, element, isMade] of CASES) {
    test(`${nameOf(dataType)}: ${fill}`, async () => {
      const shown = withCodecs(storeWithText(metadataOf(dataType), fill));
      const { shape } = JSON.parse(new TextDecoder().decode(await shown.get("/zarr.json")));
      const key = `/c${"/0".repeat(shape.length)}`;
      const made = await shown.get(key);
      assert.deepEqual(made && [...made], isMade ? repeated(element, 2) : undefined);
      assert.equal(await shown.has(key), isMade);
    });
  }
});

describe('dataTypes: "stored"', () => {
  test("the source text of the fill value stays, and JSON.parse makes no difference", async () => {
    for (const [dataType, fill, element] of CASES) {
      const shown = withCodecs(storeWithText(metadataOf(dataType), fill), { dataTypes: "stored" });
      const text = new TextDecoder().decode(await shown.get("/zarr.json"));
      assert.ok(text.includes(`"fill_value": ${fill}`), text);
      const made = await shown.get("/c/0");
      const isRounded = /-0(\.0)?\b|\d{16}/.test(fill.replaceAll(/"[^"]*"/g, "")) && !isExact(fill);
      if (isRounded && nameOf(dataType) !== "bfloat16")
        assert.deepEqual([...made], repeated(element, 2), fill);
      if (!isRounded) assert.equal(made, undefined, fill);
    }
  });
});

const isExact = (fill) => /^-?\d+$/.test(fill) && fill !== "-0" && BigInt(Number(fill)) === BigInt(fill);

test("consolidated metadata that zarrita parses and writes once more", async () => {
  for (const [dataType, fill, element] of CASES) {
    const [[, text]] = storeWithText(groupWith({ a: metadataOf(dataType) }), fill);
    const store = withCodecs(new MemoryStore([["/zarr.json", text]]));
    const outer = await zarrita.withConsolidatedMetadata(store, { format: "v3" });
    const array = await openIn(zarrita, outer, "/a");
    const { data } = await array.getChunk(array.shape.map(() => 0));
    if (dataType !== "bool")
      assert.deepEqual(bytesOf(data), repeated(element, 2), `${nameOf(dataType)} ${fill}`);
  }
});

test("no fill value: zeros", async () => {
  for (const dataType of ["int64", "uint64", "float32", "complex64", TIME, "r16"]) {
    for (const fill_value of [null, undefined]) {
      const store = storeWithText({ ...metadataOf(dataType), fill_value }, "");
      const array = await open(store);
      const { data } = await array.getChunk(array.shape.map(() => 0));
      assert.ok(data.length >= 2 && data.every((value) => Number(value) === 0));
      const shown = await shownOf(store, { dataTypes: "stored" });
      assert.equal(shown.fill_value, fill_value);
    }
  }
});

test("in shards, missing shards and missing inner chunks", async () => {
  const sharding = {
    name: "sharding_indexed",
    configuration: {
      chunk_shape: [1],
      codecs: [big],
      index_codecs: [{ ...big, configuration: { endian: "little" } }],
    },
  };
  const metadata = complex({ shape: [4], fill_value: "FILL", codecs: [sharding] });
  const shard = new Uint8Array(8 + 32).fill(0xff);
  shard.set([0x40, 0x40, 0, 0, 0x40, 0x80, 0, 0]); // 3 and 4
  shard.set(new Uint8Array(BigUint64Array.of(0n, 8n).buffer), 8);
  const store = storeWithText({ ...metadata, fill_value: ["FILL", "FILL"] }, "-0.0", { "/c/1": shard });
  const array = await open(store);
  assert.deepEqual(array.chunks, [1, 2]);
  assert.deepEqual(elementsOf(await zarrita.get(array)), [-0, -0, -0, -0, 3, 4, -0, -0]);
});

test("a fill value that is no element of the data type is an error of the metadata", async () => {
  for (const [dataType, fill, path] of [
    ["complex64", "1", "fill_value"],
    ["complex64", '["one", 1]', "fill_value[0]"],
    ["complex64", "[0, 1e39]", "fill_value[1]"],
    ["uint8", "256", "fill_value"],
    ["int64", "0.5", "fill_value"],
    ["bool", "1", "fill_value"],
  ]) {
    const store = storeWithText({ ...metadataOf(dataType) }, fill);
    await assert.rejects(open(store), { code: "invalid_metadata", path }, `${dataType} ${fill}`);
  }
});
