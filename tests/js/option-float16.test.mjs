// The option float16.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ChunkLengthError, createCodecChain, InvalidArgumentError, InvalidMetadataError } from "zarr-codecs";
import { assertSameBytes, assertThrows, BIG, chainOf, VALUES } from "./helpers.mjs";
import { valueOfHalf } from "./vectors.mjs";

describe("the option float16", () => {
  const { Float16Array } = globalThis;
  const chainOfHalves = (length, options, endian = "big") =>
    chainOf({ dataType: "float16", endian, shape: [length], options });
  const bytesOfHalves = (words) => Uint8Array.from(words.flatMap((word) => [word >> 8, word & 255]));

  const KINDS = {
    bits: Uint16Array,
    float32: Float32Array,
    auto: Float16Array ?? Float32Array,
    ...(Float16Array && { float16: Float16Array }),
  };
  for (const [float16, ArrayType] of Object.entries(KINDS)) {
    test(`of ${float16} decodes to ${ArrayType.name}`, () => {
      for (const endian of ["little", "big"]) {
        const chain = chainOfHalves(2, { float16 }, endian);
        const encoded = endian === "big" ? Uint8Array.of(0x3c, 0, 0xc0, 0) : Uint8Array.of(0, 0x3c, 0, 0xc0);
        const { data } = chain.decode(encoded);
        assert.equal(data.constructor, ArrayType);
        assert.deepEqual([...data], float16 === "bits" ? [0x3c00, 0xc000] : VALUES);
        assert.equal(chain.decodedByteLength, data.byteLength);
        assert.equal(chain.encodedByteLength, 4);
        const out = new ArrayType(2);
        assert.equal(chain.decode(encoded, { out }).data, out);
        assert.deepEqual(out, data);
      }
    });
  }

  test("of float16 is rejected by hosts without Float16Array", { skip: Float16Array !== undefined }, () => {
    const argument = "options.float16";
    const message = `${argument}: this host has no Float16Array`;
    assertThrows(() => chainOfHalves(1, { float16: "float16" }), InvalidArgumentError, { argument, message });
    const codecs = [{ name: "bytes", configuration: { endian: "big" } }, "numcodecs.shuffle", "crc32c"];
    const create = () =>
      createCodecChain({ dataType: "float16", shape: [1], codecs }, { float16: "float16" });
    assertThrows(create, InvalidArgumentError, { argument, message });
  });

  test("affects only float16", () => {
    for (const float16 of ["auto", "float32", "bits", "float16"]) {
      assert.deepEqual(
        chainOf({ shape: [2], options: { float16 } }).decode(BIG).data,
        Float32Array.from(VALUES),
      );
    }
  });

  test("of float32 is exact for all 65536 values", () => {
    const words = Array.from({ length: 65536 }, (_, i) => i);
    const { data } = chainOfHalves(65536, { float16: "float32" }).decode(bytesOfHalves(words));
    words.forEach((word) => {
      assert.ok(Object.is(data[word], valueOfHalf(word)), `0x${word.toString(16)}`);
    });
  });

  test("of float32 decodes chunks whose array is longer than the window", () => {
    const { data } = chainOfHalves(65537, { float16: "float32" }).decode(new Uint8Array(131_074).fill(0x3c));
    assert.deepEqual(data, new Float32Array(65537).fill(valueOfHalf(0x3c3c)));
  });

  // IEEE 754-2019, 4.3.1 (roundTiesToEven) and table 3.5.
  const ROUNDED = [
    [0, 0x0000],
    [-0, 0x8000],
    [1, 0x3c00],
    [-2, 0xc000],
    [65504, 0x7bff], // the largest
    [65519.99609375, 0x7bff], // just below halfway to what would be the next
    [65520, 0x7c00], // halfway: away, to infinity
    [-65520, 0xfc00],
    [3.4e38, 0x7c00],
    [Number.POSITIVE_INFINITY, 0x7c00],
    [Number.NEGATIVE_INFINITY, 0xfc00],
    [2 ** -14, 0x0400], // the smallest normal
    [2 ** -24, 0x0001], // the smallest subnormal
    [1023 * 2 ** -24, 0x03ff], // the largest subnormal
    [1023.5 * 2 ** -24, 0x0400], // halfway to the smallest normal, which is even
    [2 ** -25, 0x0000], // halfway between 0 and the smallest: to even
    [2 ** -25 * (1 + 2 ** -23), 0x0001], // just above
    [-(2 ** -25), 0x8000],
    [3 * 2 ** -25, 0x0002], // halfway between the first two subnormals: to even
    [1.4e-45, 0x0000],
    [1 + 2 ** -11, 0x3c00], // halfway: down to even
    [1 + 3 * 2 ** -11, 0x3c02], // halfway: up to even
    [1 + 2 ** -11 + 2 ** -23, 0x3c01], // just above halfway
    [1 + 2 ** -11 - 2 ** -23, 0x3c00], // just below
    [2 - 2 ** -11, 0x4000], // halfway, over into the next exponent
    [1 / 3, 0x3555],
    [0.1, 0x2e66],
  ];
  const values = Float32Array.from(ROUNDED, ([value]) => value);
  const words = ROUNDED.map(([, word]) => word);

  test("does not affect encoding a Float32Array, which rounds to nearest even", () => {
    for (const float16 of ["auto", "float32", "bits"]) {
      const chain = chainOfHalves(words.length, { float16 });
      assertSameBytes(chain.encode(values), bytesOfHalves(words));
      assertSameBytes(chain.encode({ data: values, shape: [words.length] }), bytesOfHalves(words));
      const little = chainOfHalves(words.length, { float16 }, "little").encode(values);
      assertSameBytes(Buffer.from(little).swap16(), bytesOfHalves(words));
    }
  });

  test("does not affect encoding a Uint16Array, which contains bits", () => {
    const signalling = [0x7c01, 0xfdff, 0x7e15, 0x0001, 0x8000, 0x3c00];
    for (const float16 of ["auto", "float32", "bits"]) {
      const chain = chainOfHalves(signalling.length, { float16 });
      assertSameBytes(chain.encode(Uint16Array.from(signalling)), bytesOfHalves(signalling));
    }
  });

  test("does not affect encoding a Float16Array", { skip: Float16Array === undefined }, () => {
    for (const float16 of ["auto", "float16", "float32", "bits"]) {
      const chain = chainOfHalves(words.length, { float16 });
      assertSameBytes(chain.encode(Float16Array.from(valuesOf(words))), bytesOfHalves(words));
    }
  });
  const valuesOf = (words) => words.map(valueOfHalf);

  test("does not affect encoding NaNs, which stay NaNs", () => {
    const payloads = Uint32Array.of(0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7fffffff);
    const encoded = chainOfHalves(5).encode(new Float32Array(payloads.buffer));
    const bits = chainOfHalves(5, { float16: "bits" }).decode(encoded).data;
    for (const word of bits) assert.ok(Number.isNaN(valueOfHalf(word)), `0x${word.toString(16)}`);
  });

  test("does not affect the check of lengths and types", () => {
    const chain = chainOfHalves(2);
    for (const [data, expected] of [
      [new Float32Array(4), 8],
      [new Float32Array(1), 8],
      [new Uint16Array(4), 4],
    ]) {
      assertThrows(() => chain.encode(data), ChunkLengthError, { expected, actual: data.byteLength });
    }
    for (const data of [new Float64Array(2), new Int16Array(2), new Uint8Array(4)]) {
      assertThrows(() => chain.encode(data), InvalidArgumentError, { argument: "chunk" });
    }
  });

  test("limits chunks by the array that they are decoded to", () => {
    // 4 GB as binary16, 8 GB as binary32: more than an ArrayBuffer can hold in every engine.
    assert.equal(chainOfHalves(2e9, { float16: "bits" }).encodedByteLength, 4e9);
    assertThrows(() => chainOfHalves(2e9, { float16: "float32" }), InvalidMetadataError, { path: "shape" });
  });
});
