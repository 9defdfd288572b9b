// Data types beyond the core specification: chunks of other implementations, and what is not in their bytes.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain, InvalidElementError } from "zarr-codecs";
import { assertSameBytes, assertThrows, readVectors } from "./helpers.mjs";
import { fromHex } from "./vectors.mjs";

const FILES = { "zarr-python": 13, "zarr-python-3.4.2": 15, tensorstore: 24, zarrs: 72 };
const LITTLE = [{ name: "bytes", configuration: { endian: "little" } }];
const BIG = [{ name: "bytes", configuration: { endian: "big" } }];
const chainOf = (dataType, length, codecs = LITTLE, options = {}) =>
  createCodecChain({ dataType, shape: [length], codecs }, options);

const nameOf = (dataType) => dataType.name ?? dataType;

/** The array that a data type decodes to, stated here once more. */
function arrayOf(name) {
  if (name.startsWith("numpy.")) return BigInt64Array;
  if (/^u?int[24]$/.test(name)) return name.startsWith("u") ? Uint8Array : Int8Array;
  if (name === "complex_float64") return Float64Array;
  if (name === "complex_float16") return globalThis.Float16Array ?? Float32Array;
  if (name.includes("float")) return Float32Array;
  return name === "fixed_length_utf32" ? Uint32Array : Uint8Array;
}

for (const [file, count] of Object.entries(FILES)) {
  const { writer, arrays } = readVectors(`types/${file}.json`);
  const chunks = arrays.map(({ name, metadata, chunks: [chunk] }) => ({
    name,
    type: nameOf(metadata.data_type),
    metadata,
    encoded: fromHex(chunk.encoded),
    decoded: fromHex(chunk.decoded),
    fields: chunk.fields ?? [],
    strings: chunk.strings,
  }));

  describe(`chunks by ${writer}`, () => {
    test("decode bit for bit", () => {
      assert.equal(chunks.length, count);
      for (const { name, type, metadata, encoded, decoded } of chunks) {
        // The vectors have the bits of float16.
        const options = type === "complex_float16" ? { float16: "bits" } : {};
        const chain = createCodecChain(metadata, options);
        const before = encoded.slice();
        const { data } = chain.decode(encoded);
        assertSameBytes(data, decoded, name);
        assertSameBytes(encoded, before, name);
        const out = new data.constructor(data.length);
        assert.equal(chain.decode(encoded, { out }).data, out);
        assertSameBytes(out, decoded, name);
        assertSameBytes(chain.decode(encoded, { copy: true }).data, decoded, name);
        assertSameBytes(chain.decode(encoded.slice(), { inPlace: true }).data, decoded, name);
        assert.equal(createCodecChain(metadata).decode(encoded).data.constructor, arrayOf(type), name);
      }
    });

    test("encode bit for bit", () => {
      for (const { name, type, metadata, encoded } of chunks) {
        const chain = createCodecChain(metadata, type === "complex_float16" ? { float16: "bits" } : {});
        const chunk = chain.decode(encoded);
        const before = chunk.data.slice();
        assertSameBytes(chain.encode(chunk), encoded, name);
        assertSameBytes(chain.encode(chunk.data, { out: new Uint8Array(encoded.length) }), encoded, name);
        assertSameBytes(chunk.data, before, name);
      }
    });

    test("decode to the bits of floating-point numbers", () => {
      for (const { name, type, metadata, encoded } of chunks) {
        if (!/float\d_|bfloat/.test(type)) continue;
        const chain = createCodecChain(metadata, { smallFloats: "bits" });
        const { data } = chain.decode(encoded);
        assert.equal(data.constructor, type.includes("bfloat") ? Uint16Array : Uint8Array, name);
        assertSameBytes(chain.encode(data), encoded, name);
        if (data instanceof Uint8Array) assertSameBytes(data, encoded.subarray(0, data.length), name);
      }
    });

    const withViews = chunks.filter(({ fields, strings }) => fields.length > 0 || strings);
    test("have fields and strings", { skip: withViews.length === 0 }, () => {
      for (const { name, metadata, encoded, fields, strings } of withViews) {
        const chain = createCodecChain(metadata);
        const chunk = chain.decode(encoded);
        if (strings) {
          assert.deepEqual(chunk.strings(), strings, name);
          assertSameBytes(chain.encode(strings), encoded, name);
          assertSameBytes(chain.encode({ data: strings }), encoded, name);
        }
        for (const { path, decoded, strings } of fields) {
          assertSameBytes(chunk.field(...path), fromHex(decoded), `${name} ${path}`);
          if (strings) assert.deepEqual(chunk.strings(...path), strings, `${name} ${path}`);
        }
      }
    });
  });
}

describe("numbers that do not fit", () => {
  const cases = [
    ["int4", Int8Array.of(7, -8, 8), { index: 2, value: 8 }],
    ["uint2", Uint8Array.of(3, 4, 5), { index: 1, value: 4 }],
    ["float8_e4m3fn", Float32Array.of(448, 464, 465), { index: 2, value: 465 }],
    ["float8_e5m2fnuz", Float32Array.of(0, -Infinity, 0), { index: 1, value: -Infinity }],
    // The host formats numbers; Rust alone would write 38 zeros.
    [
      "float8_e8m0fnu",
      Float32Array.of(1, -1, 0),
      { index: 1, value: -1, message: / from 5\.877471754111438e-39 / },
    ],
    ["float6_e3m2fn", Float32Array.of(1, NaN, 0), { index: 1, value: NaN }],
  ];
  for (const [type, array, fields] of cases) {
    test(`are rejected: ${type}`, () => {
      const chain = chainOf(type, 3);
      assertThrows(() => chain.encode(array), InvalidElementError, fields);
      const out = new Uint8Array(3).fill(9);
      assertThrows(() => chain.encode(array, { out }), InvalidElementError, fields);
      assert.deepEqual(out, new Uint8Array(3).fill(9));
    });
  }

  test("of complex numbers have the index of the element", () => {
    const chain = chainOf("complex_float4_e2m1fn", 3);
    assertThrows(() => chain.encode(Float32Array.of(0, 1, 2, 9, 0, 0)), InvalidElementError, {
      index: 1,
      value: 9,
    });
  });

  test("have their index in C order", () => {
    const codecs = [{ name: "transpose", configuration: { order: [1, 0] } }, "bytes"];
    const chain = createCodecChain({ dataType: "int4", shape: [2, 3], codecs });
    const data = Int8Array.of(0, 0, 9, 0, 8, 0);
    assertThrows(() => chain.encode({ data }), InvalidElementError, { index: 2, value: 9 });
    // The same elements in Fortran order.
    const chunk = { data: Int8Array.of(0, 0, 0, 8, 9, 0), stride: [1, 2] };
    assertThrows(() => chain.encode(chunk), InvalidElementError, { index: 2, value: 9 });
  });

  test("are found beyond the window", () => {
    const array = new Float32Array(300_000);
    array[299_999] = 1e9;
    const chain = chainOf("float8_e4m3fnuz", 300_000);
    assertThrows(() => chain.encode(array), InvalidElementError, { index: 299_999, value: 1e9 });
    array[299_999] = 1;
    assert.equal(chain.encode(array)[299_999], 0x40);
  });
});

describe("strings", () => {
  const text = (length) => ({ name: "fixed_length_utf32", configuration: { length_bytes: 4 * length } });

  test("that are too long are rejected", () => {
    const chain = chainOf(text(3), 2);
    assertThrows(() => chain.encode(["abc", "😀😀😀😀"]), InvalidElementError, { index: 1, value: 4 });
    assert.throws(() => chain.encode(["abc", "four"]), /element 1 has 4 code points, expected at most 3/);
    assert.throws(() => chain.encode(["abc"]), /chunk: expected 2 strings, got an array of 1/);
    assert.throws(() => chain.encode(["abc", 1]), /chunk\[1\]: expected a string, got 1/);
    assert.throws(() => chainOf("uint32", 2).encode(["a", "b"]), /chunk: expected Uint32Array, got an array/);
  });

  test("have U+FFFD for what is no code point, and the raw code units", () => {
    const chain = chainOf(text(2), 1, BIG);
    const chunk = chain.decode(Uint8Array.of(0, 0x11, 0, 0, 0, 0, 0, 0x41));
    assert.deepEqual(chunk.strings(), ["\ufffdA"]);
    assert.deepEqual(chunk.data, Uint32Array.of(0x110000, 0x41));
    const last = chain.decode(Uint8Array.of(0, 0x10, 0xff, 0xff, 0, 0, 0, 0));
    assert.deepEqual(last.strings(), ["\u{10ffff}"]);
    assert.deepEqual(chain.decode(new Uint8Array(8)).strings(), [""]);
    const largest = chain.decode(new Uint8Array(8).fill(0xff));
    assert.deepEqual(largest.strings(), ["\ufffd\ufffd"]);
    assert.deepEqual(largest.data, Uint32Array.of(0xffffffff, 0xffffffff));
    assertSameBytes(chain.encode(largest), new Uint8Array(8).fill(0xff)); // The chunk, not its strings.
    const surrogate = chain.decode(Uint8Array.of(0, 0, 0xd8, 0x3d, 0, 0, 0, 0x41));
    assert.deepEqual(surrogate.strings(), ["\ud83dA"]);
  });
});

describe("small numbers", () => {
  test("ignore the bits above", () => {
    const bytes = Uint8Array.of(0xf3, 0x0c, 0x7e, 0x81);
    assert.deepEqual(chainOf("int4", 4).decode(bytes).data, Int8Array.of(3, -4, -2, 1));
    assert.deepEqual(chainOf("uint2", 4).decode(bytes).data, Uint8Array.of(3, 0, 2, 1));
    assert.deepEqual(chainOf("float4_e2m1fn", 4).decode(bytes).data, Float32Array.of(1.5, -2, -4, 0.5));
    assert.deepEqual(bytes, Uint8Array.of(0xf3, 0x0c, 0x7e, 0x81));
  });

  test("keep every code through Float32Array", () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => i);
    for (const type of ["float8_e5m2", "float8_e4m3b11fnuz", "float8_e8m0fnu", "complex_float8_e3m4"]) {
      const chain = chainOf(type, type.startsWith("complex") ? 35_000 : 70_000);
      const { data } = chain.decode(bytes);
      assert.equal(data.length, 70_000);
      assertSameBytes(chain.encode(data), bytes, type);
    }
  });

  test("round to nearest even", () => {
    assert.deepEqual(
      chainOf("float8_e5m2", 4).encode(Float32Array.of(1.125, 1.375, 1e9, -1e-9)),
      Uint8Array.of(0x3c, 0x3e, 0x7c, 0x80),
    );
    assert.deepEqual(
      chainOf("bfloat16", 2, BIG).encode(Float32Array.of(1 + 2 ** -8, 1 + 3 * 2 ** -8)),
      Uint8Array.of(0x3f, 0x80, 0x3f, 0x82),
    );
  });
});
