// Data types of the registry, read and written through zarrita: the chunks in tests/vectors/types.

import assert from "node:assert/strict";
import { test } from "node:test";
import { register, withExtendedTypes } from "zarr-codecs/zarrita";
import { readVectors, withChecksum } from "../js/helpers.mjs";
import { fromHex, sameBytes } from "../js/vectors.mjs";
import { big, grid, json, parsed, zarrita } from "./extended.mjs";
import { arrayMetadata, elementsOf, MemoryStore, storeWith } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const FILES = { "zarr-python": 13, "zarr-python-3.4.2": 15, tensorstore: 24, zarrs: 72 };

/** The data type that zarrita shows, and the length of the axis that is added. */
function shownAs(dataType, byteLength, length) {
  const { name = dataType, configuration } = dataType;
  if (name.startsWith("numpy.")) return ["int64"];
  if (/^u?int[24]$/.test(name)) return [name.startsWith("u") ? "uint8" : "int8"];
  if (name === "fixed_length_utf32") return ["uint32", configuration.length_bytes / 4];
  if (name === "complex_float64") return ["float64", 2];
  if (name.startsWith("complex")) return ["float32", 2];
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

for (const [file, count] of Object.entries(FILES)) {
  const { arrays } = readVectors(`types/${file}.json`);
  for (const [version, module] of Object.entries(VERSIONS)) {
    test(`arrays of ${file} open in zarrita ${version}`, async (t) => {
      t.after(register(module.registry));
      assert.equal(arrays.length, count);
      for (const {
        name,
        metadata,
        chunks: [chunk],
      } of arrays) {
        const [encoded, decoded] = [fromHex(chunk.encoded), fromHex(chunk.decoded)];
        const files = new MemoryStore([
          ["/zarr.json", json(metadata)],
          ["/c/0", encoded],
        ]);
        const store = withExtendedTypes(files);
        const array = await module.open.v3(store, { kind: "array" });
        const { data_type, shape } = metadata;
        const [dtype, axis] = shownAs(data_type, decoded.length, shape[0]);
        assert.deepEqual([array.dtype, array.shape], [dtype, axis ? [...shape, axis] : shape], name);
        const expected =
          data_type === "complex_float16" ? halves(decoded) : [...new ARRAYS[dtype](decoded.buffer)];
        const chunkRead = await module.get(array);
        assert.deepEqual(elementsOf(chunkRead), expected, name);
        const isTime = dtype === "int64";
        if (isTime) {
          assert.deepEqual(array.attrs["zarr-codecs.data_type"], data_type, name);
        }
        files.delete("/c/0");
        await module.set(array, null, chunkRead);
        assert.ok(sameBytes(files.get("/c/0"), encoded), name);
        await store.set("/zarr.json", await store.get("/zarr.json"));
        // Of times, the attributes had the unit meanwhile.
        const written = isTime ? { attributes: {}, ...metadata } : metadata;
        assert.deepEqual(parsed(files.get("/zarr.json")), written, name);
      }
    });
  }
}

for (const [version, module] of Object.entries(VERSIONS)) {
  test(`matrices of converted elements, transposed, zarrita ${version}`, async (t) => {
    t.after(register(module.registry));
    const metadata = arrayMetadata({
      dataType: "complex_bfloat16",
      shape: [3, 2],
      fill_value: [0, 0],
      chunk_grid: grid(3, 2),
      codecs: [{ name: "transpose", configuration: { order: [1, 0] } }, big, { name: "crc32c" }],
    });
    // 1, 2, 3 and 4, 5, 6, each with its negative.
    const bits = [0x3f80, 0x4000, 0x4040, 0x4080, 0x40a0, 0x40c0].flatMap((n) => [n, n | 0x8000]);
    const encoded = [...withChecksum(bits.flatMap((n) => [n >> 8, n & 255]))];
    const files = storeWith(metadata, { "/c/0/0": encoded });
    const array = await module.open.v3(withExtendedTypes(files), { kind: "array" });
    const read = await module.get(array);
    assert.deepEqual(read.shape, [3, 2, 2]);
    assert.deepEqual(elementsOf(read), [1, -1, 4, -4, 2, -2, 5, -5, 3, -3, 6, -6]);
    files.delete("/c/0/0");
    await module.set(array, null, read);
    assert.deepEqual([...files.get("/c/0/0")], encoded);
  });
}

test("shards of converted elements", async (t) => {
  t.after(register(zarrita.registry));
  const configuration = {
    chunk_shape: [2],
    codecs: [big],
    index_codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    index_location: "end",
  };
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [4],
    data_type: "complex_bfloat16",
    fill_value: [1, 1],
    attributes: {},
    chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } },
    chunk_key_encoding: { name: "default" },
    codecs: [{ name: "sharding_indexed", configuration }],
  };
  const index = new BigUint64Array([0n, 8n, 2n ** 64n - 1n, 2n ** 64n - 1n]);
  const chunk = [0x3f, 0x80, 0xc0, 0, 0x40, 0x40, 0xc0, 0x80];
  const shard = Uint8Array.of(...chunk, ...new Uint8Array(index.buffer));
  const store = withExtendedTypes(
    new MemoryStore([
      ["/zarr.json", json(metadata)],
      ["/c/0", shard],
    ]),
  );
  const array = await zarrita.open.v3(store, { kind: "array" });
  assert.deepEqual(elementsOf(await zarrita.get(array)), [1, -2, 3, -4, 1, 1, 1, 1]);
});
