// Common uses of zarrita have the same results with its own codecs and with ours, in every version.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { register } from "zarr-codecs/zarrita";
import { elementsOf, MemoryStore } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const little = { name: "bytes", configuration: { endian: "little" } };
const big = { name: "bytes", configuration: { endian: "big" } };
const gzip = { name: "gzip", configuration: { level: 1 } };
const order = (order) => ({ name: "transpose", configuration: { order } });

const ARRAYS = {
  int8: Int8Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
};

/** Creates an array, by default of shape [3, 5] in chunks of [2, 2], without writing chunks. */
async function create(
  zarrita,
  dataType,
  { codecs = [little], shape = [3, 5], chunks = [2, 2], fill = 7 } = {},
) {
  const store = new MemoryStore();
  await zarrita.create(store, {
    shape,
    codecs,
    chunkShape: chunks,
    dtype: dataType,
    fillValue: fill,
    attributes: { a: 1 },
    chunk_shape: chunks,
    data_type: dataType,
    fill_value: fill, // before 0.7
  });
  return { store, array: await zarrita.open.v3(store, { kind: "array" }) };
}

/** Returns the numbers 0, 1, 2, ... as elements of a data type. */
function count(dataType, length) {
  const ArrayType = ARRAYS[dataType];
  return ArrayType.from({ length }, (_, i) => (dataType.endsWith("int64") ? BigInt(i) : i));
}

async function filled(zarrita, dataType, options) {
  const created = await create(zarrita, dataType, options);
  await zarrita.set(created.array, null, { data: count(dataType, 15), shape: [3, 5], stride: [5, 1] });
  return created;
}

/** Returns the chunks of a store by key, regardless of the order in which zarrita wrote them. */
const bytesIn = (store) =>
  new Map([...store].filter(([key]) => key !== "/zarr.json").map(([key, bytes]) => [key, [...bytes]]));

/** Uses of zarrita, which return values to compare. They avoid the faults of zarrita's own codecs. */
const BEHAVIOURS = {
  ...Object.fromEntries(
    Object.keys(ARRAYS).map((dataType) => [
      `${dataType}: writing and reading`,
      async (zarrita) => {
        const { store, array } = await filled(zarrita, dataType);
        const chunk = await zarrita.get(array);
        return [bytesIn(store), chunk.data.constructor.name, chunk.shape, chunk.stride, elementsOf(chunk)];
      },
    ]),
  ),
  "big endian": async (zarrita) => {
    const { store, array } = await filled(zarrita, "float64", { codecs: [big] });
    return [bytesIn(store), elementsOf(await zarrita.get(array))];
  },
  "a transposition that is its own inverse": async (zarrita) => {
    const { store, array } = await filled(zarrita, "int16", { codecs: [order([1, 0]), little] });
    const chunk = await array.getChunk([0, 0]);
    return [
      bytesIn(store),
      chunk.shape,
      chunk.stride,
      elementsOf(chunk),
      elementsOf(await zarrita.get(array)),
    ];
  },
  "no codecs at all": async (zarrita) => {
    const { store, array } = await filled(zarrita, "int16", { codecs: [] });
    return [bytesIn(store), elementsOf(await zarrita.get(array))];
  },
  selections: async (zarrita) => {
    const { array } = await filled(zarrita, "int16");
    const { get, slice } = zarrita;
    return [
      await get(array, [1, 2]),
      elementsOf(await get(array, [null, 3])),
      elementsOf(await get(array, [slice(1, 3), slice(null)])),
      elementsOf(await get(array, [slice(null), slice(0, 5, 2)])),
    ];
  },
  "writing parts": async (zarrita) => {
    const { store, array } = await create(zarrita, "int16");
    await zarrita.set(array, [0, null], 5);
    await zarrita.set(array, [1, 1], 9);
    await zarrita.set(array, [zarrita.slice(1, 3), zarrita.slice(3, 5)], {
      data: Int16Array.of(1, 2, 3, 4),
      shape: [2, 2],
      stride: [2, 1],
    });
    return [bytesIn(store), elementsOf(await zarrita.get(array))];
  },
  "missing chunks": async (zarrita) => {
    const { array } = await create(zarrita, "float32", { fill: 1.5 });
    const chunk = await array.getChunk([1, 2]);
    return [chunk.shape, chunk.stride, elementsOf(chunk)];
  },
  "an array of one element": async (zarrita) => {
    const { store, array } = await create(zarrita, "float64", { shape: [], chunks: [] });
    const before = await zarrita.get(array);
    store.set("/c", new Uint8Array(Float64Array.of(2.5).buffer));
    const after = await zarrita.get(array);
    return [before.data ? elementsOf(before) : before, after.data ? elementsOf(after) : after];
  },
  bool: async (zarrita) => {
    const { store, array } = await create(zarrita, "bool", { fill: true });
    await zarrita.set(array, [0, null], false);
    const chunk = await zarrita.get(array);
    return [bytesIn(store), chunk.data instanceof zarrita.BoolArray, elementsOf(chunk)];
  },
  "compressed chunks": async (zarrita) => {
    const { store, array } = await create(zarrita, "int16", { codecs: [big, gzip], shape: [4], chunks: [4] });
    const body = new Blob([Uint8Array.of(0, 1, 0, 2, 0, 3, 0, 4)])
      .stream()
      .pipeThrough(new CompressionStream("gzip"));
    store.set("/c/0", new Uint8Array(await new Response(body).arrayBuffer()));
    return elementsOf(await zarrita.get(array));
  },
  "an unknown codec": async (zarrita) => {
    const { store, array } = await create(zarrita, "int16", {
      codecs: [little, { name: "unheard-of", configuration: {} }],
    });
    store.set("/c/0/0", new Uint8Array(8));
    return array.getChunk([0, 0]).catch((error) => [error.name, error.message]);
  },
  "an error of the store": async (zarrita) => {
    const { store, array } = await create(zarrita, "int16");
    store.get = () => Promise.reject(new Error("offline"));
    return array.getChunk([0, 0]).catch((error) => error.message);
  },
};

for (const [version, zarrita] of Object.entries(VERSIONS)) {
  describe(`zarrita ${version}`, () => {
    for (const [name, behaviour] of Object.entries(BEHAVIOURS)) {
      test(name, async () => {
        const alone = await behaviour(zarrita);
        const unregister = register(zarrita.registry);
        try {
          assert.deepEqual(await behaviour(zarrita), alone);
        } finally {
          unregister();
        }
      });
    }
  });
}
