// Arrays of zarr-python, tensorstore and zarrs, read by every version of zarrita, in which nothing is registered.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { withCodecs } from "zarr-codecs";
import { readVectors } from "../js/helpers.mjs";
import { fromHex } from "../js/vectors.mjs";
import { elementsOf, expectedOf, MemoryStore, storeOf } from "../zarrita/stores.mjs";
import { VERSIONS } from "../zarrita/versions.mjs";
import { cached, cachedMetadata, groupWith, openIn, parsed, read } from "./helpers.mjs";

/** The files of arrays, and how many they have. */
const FILES = {
  "../zarrita/zarr-python.json": 50,
  "../zarrita/tensorstore.json": 54,
  "../shards/zarr-python.json": 22,
  "../shards/tensorstore.json": 19,
  "../shards/zarrs.json": 21,
};

/** How the store is nested with caches. */
const NESTED = {
  "withCodecs(store)": (store) => withCodecs(store),
  "a cache around it": (store) => cached(withCodecs(store)),
  "a cache inside": (store) => withCodecs(cached(store)),
  "a cache of metadata that another store filled": async (store) => {
    const cache = new Map();
    const filling = cachedMetadata(withCodecs(store), cache);
    for (const key of store.keys()) if (key.endsWith("zarr.json")) await filling.get(key);
    return cachedMetadata(withCodecs(store), cache);
  },
  twice: (store) => withCodecs(withCodecs(store)),
};

/** How zarrita 0.7 nests it. */
const NESTED_IN_07 = {
  "consolidated metadata around it": (zarrita, store) =>
    zarrita.withConsolidatedMetadata(withCodecs(consolidated(store)), { format: "v3" }),
  "consolidated metadata inside": async (zarrita, store) =>
    withCodecs(await zarrita.withConsolidatedMetadata(consolidated(store), { format: "v3" })),
  "extendStore, with a cache and coalesced ranges around it": (zarrita, store) =>
    zarrita.extendStore(store, withCodecs, zarrita.withByteCaching, zarrita.withRangeCoalescing),
  "extendStore, with a cache and coalesced ranges inside": (zarrita, store) =>
    zarrita.extendStore(asynchronous(store), zarrita.withRangeCoalescing, zarrita.withByteCaching, (inner) =>
      withCodecs(inner),
    ),
};

const asynchronous = (store) => ({
  get: async (key) => store.get(key),
  getRange: async (key, range) => store.getRange(key, range),
});

/** Moves the metadata of all arrays to a group. */
function consolidated(store) {
  const nodes = {};
  for (const [key, bytes] of store) {
    if (!key.endsWith("/zarr.json") || key === "/zarr.json") continue;
    nodes[key.slice(1, -"/zarr.json".length)] = parsed(bytes);
  }
  const files = [...store].filter(([key]) => !key.endsWith("zarr.json"));
  const root = new TextEncoder().encode(JSON.stringify(groupWith(nodes)));
  return new MemoryStore([...files, ["/zarr.json", root]]);
}

async function assertArrays(zarrita, contents, store, count) {
  const arrays = Object.entries(contents.arrays);
  assert.equal(arrays.length, count);
  for (const [name, described] of arrays) {
    const { dtype, shape, values } = expectedOf(described, described.shape ?? contents.shape);
    const array = await openIn(zarrita, store, `/${name}`);
    assert.deepEqual([array.dtype, array.shape], [dtype, shape], name);
    assert.deepEqual(await read(zarrita, array), values, name);
  }
}

for (const [file, count] of Object.entries(FILES)) {
  const contents = JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
  describe(file, () => {
    for (const [version, zarrita] of Object.entries(VERSIONS)) {
      for (const [nesting, wrap] of Object.entries(NESTED)) {
        test(`zarrita ${version}, ${nesting}`, async () => {
          await assertArrays(zarrita, contents, await wrap(storeOf(contents)), count);
        });
      }
    }
    for (const [nesting, wrap] of Object.entries(NESTED_IN_07)) {
      test(`zarrita 0.7, ${nesting}`, async () => {
        const zarrita = VERSIONS["0.7"];
        await assertArrays(zarrita, contents, await wrap(zarrita, storeOf(contents)), count);
      });
    }
  });
}

/** The data type that is shown, and the length of the axis that is added. */
function shownAs(dataType, byteLength, length) {
  const { name = dataType, configuration } = dataType;
  if (name.startsWith("numpy.")) return ["int64"];
  if (/^u?int[24]$/.test(name)) return [name.startsWith("u") ? "uint8" : "int8"];
  if (name === "fixed_length_utf32") return ["uint32", configuration.length_bytes / 4];
  if (name === "complex_float64") return ["float64", 2];
  if (name.startsWith("complex"))
    return ["Float16Array" in globalThis && name === "complex_float16" ? "float16" : "float32", 2];
  return name.includes("float") ? ["float32"] : ["uint8", byteLength / length];
}

const ARRAYS = {
  int64: BigInt64Array,
  int8: Int8Array,
  uint8: Uint8Array,
  uint32: Uint32Array,
  float32: Float32Array,
  float64: Float64Array,
};

/** The values of bits of float16 that are no NaN. */
const halves = (bytes) =>
  Array.from(new Uint16Array(bytes.buffer), (bits) => {
    const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
    if (exponent === 31) return sign * Infinity;
    return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -24 * fraction);
  });

for (const [file, count] of Object.entries({
  "zarr-python": 13,
  "zarr-python-3.4.2": 15,
  tensorstore: 24,
  zarrs: 72,
})) {
  const { arrays } = readVectors(`types/${file}.json`);
  for (const [version, zarrita] of Object.entries(VERSIONS)) {
    test(`data types that zarrita lacks, by ${file}, zarrita ${version}`, async () => {
      assert.equal(arrays.length, count);
      for (const { name, metadata, chunks } of arrays) {
        const [encoded, decoded] = [fromHex(chunks[0].encoded), fromHex(chunks[0].decoded)];
        const text = new TextEncoder().encode(JSON.stringify(metadata));
        const store = withCodecs(
          new Map([
            ["/zarr.json", text],
            ["/c/0", encoded],
          ]),
        );
        const array = await openIn(zarrita, store);
        const { data_type, shape } = metadata;
        const [dtype, axis] = shownAs(data_type, decoded.length, shape[0]);
        assert.deepEqual([array.dtype, array.shape], [dtype, axis ? [...shape, axis] : shape], name);
        const expected =
          data_type === "complex_float16" ? halves(decoded) : [...new ARRAYS[dtype](decoded.buffer)];
        assert.deepEqual(elementsOf(await zarrita.get(array)), expected, name);
        if (dtype === "int64") assert.deepEqual(array.attrs["zarr-codecs.data_type"], data_type, name);
      }
    });
  }
}
