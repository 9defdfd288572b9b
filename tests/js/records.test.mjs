// Records: elements of several fields, in either byte order. (What other implementations wrote: data-types.test.mjs.)

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import {
  ChunkLengthError,
  createCodecChain,
  InvalidArgumentError,
  InvalidElementError,
  loadCodecChain,
} from "zarr-codecs";
import { assertSameBytes, assertThrows } from "./helpers.mjs";

const BIG = [{ name: "bytes", configuration: { endian: "big" } }];
const chainOf = (dataType, length, codecs, options = {}) =>
  createCodecChain({ dataType, shape: [length], codecs }, options);

const POINT = {
  name: "struct",
  configuration: {
    fields: [
      { name: "flag", data_type: "bool" },
      { name: "small", data_type: "float8_e5m2" },
      { name: "pair", data_type: "complex_bfloat16" },
      {
        name: "inner",
        data_type: { name: "struct", configuration: { fields: [{ name: "n", data_type: "uint64" }] } },
      },
    ],
  },
};

/** Records of 14 bytes, big-endian. */
function points(count) {
  const bytes = new Uint8Array(14 * count);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < count; i += 1) {
    bytes[14 * i] = i % 2;
    bytes[14 * i + 1] = 0x3c + (i % 8); // From 1 on.
    view.setUint16(14 * i + 2, 0x3f80);
    view.setUint16(14 * i + 4, 0xc000);
    view.setBigUint64(14 * i + 6, BigInt(i));
  }
  return bytes;
}

describe("records", () => {
  for (const count of [1, 3, 18_725, 100_000]) {
    test(`of ${count} elements are swapped field by field`, () => {
      const chain = chainOf(POINT, count, BIG);
      const encoded = points(count);
      const chunk = chain.decode(encoded);
      assert.equal(chunk.data.byteLength, 14 * count);
      const expected = Array.from({ length: count }, (_, i) => i);
      assert.deepEqual(chunk.field("inner", "n"), BigUint64Array.from(expected.map(BigInt)));
      assert.deepEqual(chunk.field("flag"), Uint8Array.from(expected.map((i) => i % 2)));
      const values = [1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5];
      assert.deepEqual(chunk.field("small"), Float32Array.from(expected.map((i) => values[i % 8])));
      assert.deepEqual(chunk.field("pair"), Float32Array.from(expected.flatMap(() => [1, -2])));
      assertSameBytes(chain.encode(chunk), encoded);
      assertSameBytes(encoded, points(count));
    });
  }

  test("longer than the window are swapped, too", () => {
    const fields = [
      { name: "a", data_type: "uint8" },
      { name: "b", data_type: { name: "fixed_length_utf32", configuration: { length_bytes: 400_000 } } },
      { name: "c", data_type: "uint16" },
    ];
    const chain = chainOf({ name: "struct", configuration: { fields } }, 2, BIG);
    const encoded = new Uint8Array(800_006);
    const view = new DataView(encoded.buffer);
    for (const [i, start] of [0, 400_003].entries()) {
      view.setUint8(start, i + 1);
      view.setUint32(start + 1, 0x1f600 + i);
      view.setUint32(start + 399_997, 0x41 + i);
      view.setUint16(start + 400_001, 0x0102);
    }
    const chunk = chain.decode(encoded);
    assert.deepEqual(chunk.field("a"), Uint8Array.of(1, 2));
    assert.deepEqual(chunk.field("c"), Uint16Array.of(0x0102, 0x0102));
    const [first, second] = chunk.strings("b");
    assert.deepEqual([first.length, first.slice(0, 2), first.at(-1)], [100_001, "😀", "A"]);
    assert.deepEqual([second.slice(0, 2), second.at(-1)], ["😁", "B"]);
    assertSameBytes(chain.encode(chunk), encoded);
  });

  test("move as a whole where dimensions are transposed", () => {
    const codecs = [{ name: "transpose", configuration: { order: [1, 0] } }, ...BIG];
    const chain = createCodecChain({ dataType: POINT, shape: [2, 3], codecs });
    const chunk = chain.decode(points(6));
    assert.deepEqual(chunk.field("inner", "n"), BigUint64Array.of(0n, 2n, 4n, 1n, 3n, 5n));
    assertSameBytes(chain.encode(chunk), points(6));
    const stored = chain.decode(points(6), { strided: true });
    assert.deepEqual(stored.field("inner", "n"), BigUint64Array.of(0n, 1n, 2n, 3n, 4n, 5n));
    assertSameBytes(chain.encode(stored), points(6));
  });

  test("inside codecs of others have their fields", async () => {
    const metadata = {
      dataType: POINT,
      shape: [3],
      codecs: [...BIG, { name: "gzip", configuration: { level: 1 } }],
    };
    const chain = await loadCodecChain(metadata);
    const encoded = await chain.encode(chainOf(POINT, 3, BIG).decode(points(3)));
    assertSameBytes(gunzipSync(encoded), points(3));
    const chunk = await chain.decode(encoded);
    assert.deepEqual(chunk.field("inner", "n"), BigUint64Array.of(0n, 1n, 2n));
  });

  test("in shards are swapped in each inner chunk, and missing ones have the fill value", () => {
    const index_codecs = [{ name: "bytes", configuration: { endian: "little" } }];
    const sharding = {
      name: "sharding_indexed",
      configuration: { chunk_shape: [2], codecs: BIG, index_codecs },
    };
    const fillValue = { flag: true, small: 1, pair: [1, -2], inner: { n: 7 } };
    const chain = createCodecChain({ dataType: POINT, shape: [6], codecs: [sharding], fillValue });
    const index = new BigUint64Array([0n, 28n, 2n ** 64n - 1n, 2n ** 64n - 1n, 28n, 28n]);
    const shard = Uint8Array.of(...points(4), ...new Uint8Array(index.buffer));
    const chunk = chain.decode(shard);
    assert.deepEqual(chunk.field("inner", "n"), BigUint64Array.of(0n, 1n, 7n, 7n, 2n, 3n));
    assert.deepEqual(chunk.field("flag"), Uint8Array.of(0, 1, 1, 1, 0, 1));
    assertSameBytes(chain.encode(chunk), shard);
  });

  test("check the elements of a field when it is asked for", () => {
    const bytes = points(3);
    bytes[14] = 7;
    const chunk = chainOf(POINT, 3, BIG).decode(bytes);
    assertThrows(() => chunk.field("flag"), InvalidElementError, { index: 1, value: 7 });
    const lenient = chainOf(POINT, 3, BIG, { invalidBool: "coerce" }).decode(bytes);
    assert.deepEqual(lenient.field("flag"), Uint8Array.of(0, 1, 0));
  });

  test("have no other fields", () => {
    const chunk = chainOf(POINT, 3, BIG).decode(points(3));
    const rejects = (use, message) => assertThrows(use, InvalidArgumentError, { argument: "path", message });
    for (const path of [["z"], ["inner", "z"], ["flag", "z"], ["inner", "n", "n"]]) {
      const got = `[${path.map((name) => `"${name}"`).join(", ")}]`;
      rejects(() => chunk.field(...path), `path: expected the path of a field, got ${got}`);
    }
    rejects(() => chunk.strings("flag"), 'path: expected that of strings, got ["flag"]');
    rejects(() => chunk.strings(), "path: expected that of strings, got []");
  });

  test("are swapped in out, or in the encoded bytes if those may be overwritten", () => {
    const chain = chainOf(POINT, 3, BIG);
    const expected = chain.decode(points(3)).data;
    const encoded = points(3);
    const out = new Uint8Array(42);
    assert.equal(chain.decode(encoded, { out }).data, out);
    assertSameBytes(out, expected);
    assertSameBytes(encoded, points(3));
    const { data } = chain.decode(encoded, { inPlace: true });
    assert.equal(data.buffer, encoded.buffer);
    assertSameBytes(encoded, expected);
  });

  test("are of one length, and in memory that is still there", () => {
    const chain = chainOf(POINT, 3, BIG);
    const chunk = chain.decode(points(3));
    const detached = chain.decode(points(3));
    structuredClone(detached.data, { transfer: [detached.data.buffer] });
    assertThrows(() => detached.field("flag"), InvalidArgumentError, { argument: "chunk.data" });
    assertThrows(() => chain.encode(detached), InvalidArgumentError, { argument: "chunk" });
    chunk.data = chunk.data.subarray(14);
    assertThrows(() => chunk.field("flag"), ChunkLengthError, { expected: 42, actual: 28 });
    assertThrows(() => chain.encode(["a", "b", "c"]), InvalidArgumentError, { argument: "chunk" });
  });
});

test("a struct of 400 fields resolves, decodes and encodes", () => {
  const TYPES = ["float32", "int16", "uint8"];
  const fields = Array.from({ length: 400 }, (_, i) => ({
    name: `measurement_${i}`,
    data_type: TYPES[i % 3],
  }));
  const size = 134 * 4 + 133 * 2 + 133;
  const chain = chainOf({ name: "struct", configuration: { fields } }, 3, BIG);
  assert.equal(chain.decodedByteLength, 3 * size);
  const encoded = new Uint8Array(3 * size);
  const view = new DataView(encoded.buffer);
  for (let element = 0; element < 3; element += 1) {
    view.setFloat32(element * size, element + 0.5);
    view.setInt16(element * size + 133 * 7 - 3, -element); // The last but two.
    view.setFloat32((element + 1) * size - 4, element + 1000.25);
  }
  const chunk = chain.decode(encoded);
  assert.deepEqual(chunk.field("measurement_0"), Float32Array.of(0.5, 1.5, 2.5));
  assert.deepEqual(chunk.field("measurement_397"), Int16Array.of(0, -1, -2));
  assert.deepEqual(chunk.field("measurement_399"), Float32Array.of(1000.25, 1001.25, 1002.25));
  assertSameBytes(chain.encode(chunk), encoded);
});
