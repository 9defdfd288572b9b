// transpose and reshape, compared with a slow implementation.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { createCodecChain } from "zarr-codecs";
import { cOrder, payloadIndexes, payloadOf, strided, strideOf } from "./array-codecs.mjs";
import { atOffset, noise, PROPERTIES, slowCrc, withChecksum } from "./helpers.mjs";
import { ARRAY_TYPES, sameBytes } from "./vectors.mjs";

const transpose = (...order) => ({ name: "transpose", configuration: { order } });
const reshape = (...shape) => ({ name: "reshape", configuration: { shape } });
const COMPONENTS = { complex64: 2, complex128: 2, r24: 3, r40: 5, r136: 17, r8: 1 };

/** Asserts that two arrays have the same bytes, without printing them. */
const assertSameBytes = (actual, expected, where) => assert.ok(sameBytes(actual, expected), where);

/** Random elements of a data type; those of bool are 0 and 1. */
function elements(dataType, shape) {
  const ArrayType = ARRAY_TYPES[dataType] ?? Uint8Array;
  const components = COMPONENTS[dataType] ?? (/^r/.test(dataType) ? Number(dataType.slice(1)) / 8 : 1);
  const length = shape.reduce((a, b) => a * b, components);
  const bytes = noise(length * ArrayType.BYTES_PER_ELEMENT);
  return {
    data: new ArrayType(dataType === "bool" ? bytes.map((b) => b & 1).buffer : bytes.buffer),
    components,
  };
}

/** Checks all ways to decode and encode a chunk of random elements. */
function check({ dataType = "float32", shape, codecs, endian = "big", checksums = 0, axes }) {
  const { data, components } = elements(dataType, shape);
  const where = JSON.stringify({ dataType, shape, codecs, endian, checksums });
  const bytes = { name: "bytes", ...(data.BYTES_PER_ELEMENT > 1 && { configuration: { endian } }) };
  const chain = createCodecChain(
    { dataType, shape, codecs: [...codecs, bytes, ...Array(checksums).fill("crc32c")] },
    { float16: "bits" },
  );
  let encoded = payloadOf(data, payloadIndexes(shape, codecs), { endian, components });
  for (let i = 0; i < checksums; i++) encoded = withChecksum(encoded);
  const before = encoded.slice();

  const chunk = chain.decode(encoded);
  assert.deepEqual([chunk.shape, chunk.stride], [shape, cOrder(shape)], where);
  assertSameBytes(chunk.data, data, where);
  assertSameBytes(chain.decode(encoded, { verify: false, copy: true }).data, data, where);
  const out = data.slice().fill(data[0]);
  assert.equal(chain.decode(encoded, { out }).data, out);
  assertSameBytes(out, data, where);
  assertSameBytes(chain.decode(atOffset(encoded, 1)).data, data, where);
  assertSameBytes(encoded, before, where);
  for (const offset of [0, 8, 1]) {
    assertSameBytes(chain.decode(atOffset(encoded, offset), { inPlace: true }).data, data, where);
  }

  for (const options of [{ strided: true }, { strided: true, copy: true }, { strided: true, out }]) {
    const { stride, data: stored } = chain.decode(encoded, options);
    assert.equal(stride.length, shape.length);
    assertSameBytes(stored, strided(data, shape, stride, components), where);
    assertSameBytes(chain.encode({ data: stored, shape, stride }), encoded, where);
  }

  assertSameBytes(chain.encode(data), encoded, where);
  const encodedOut = new Uint8Array(encoded.length).fill(7);
  assert.equal(chain.encode({ data, shape, stride: cOrder(shape) }, { out: encodedOut }), encodedOut);
  assertSameBytes(encodedOut, encoded, where);
  if (axes) {
    const stride = strideOf(shape, axes);
    const other = strided(data, shape, stride, components);
    assertSameBytes(chain.encode({ data: other, shape, stride }), encoded, where);
    encodedOut.fill(7);
    assertSameBytes(chain.encode({ data: other, stride }, { out: encodedOut }), encoded, where);
  }
  return { chain, encoded, data };
}

const orders = (rank) =>
  rank === 0
    ? [[]]
    : orders(rank - 1).flatMap((order) =>
        Array.from({ length: rank }, (_, i) => order.toSpliced(i, 0, rank - 1)),
      );

const DATA_TYPES = [...Object.keys(ARRAY_TYPES), "r40", "r136"];

describe("transpose", () => {
  test("decodes and encodes every data type", () => {
    for (const dataType of DATA_TYPES) {
      for (const endian of ["little", "big"]) {
        check({ dataType, endian, shape: [5, 19], codecs: [transpose(1, 0)], checksums: 1 });
        check({ dataType, endian, shape: [3, 4, 18], codecs: [transpose(2, 0, 1)], axes: [1, 2, 0] });
      }
    }
  });

  test("decodes and encodes chunks whose strides are multiples of 4096 bytes", () => {
    check({ shape: [32, 32, 64], codecs: [transpose(2, 1, 0)], checksums: 1 });
    check({ dataType: "uint16", shape: [9, 32, 64], codecs: [transpose(2, 1, 0)], endian: "little" });
    check({ dataType: "uint8", shape: [70, 64, 64], codecs: [transpose(2, 1, 0)], checksums: 1 });
  });

  test("decodes and encodes every order", () => {
    for (let rank = 0; rank <= 4; rank++) {
      const shape = [3, 5, 4, 2].slice(0, rank);
      for (const order of orders(rank)) {
        const axes = orders(rank)[rank] ?? order;
        check({ shape, codecs: [transpose(...order)], axes });
        const withOne = shape.map((length, axis) => (axis === 1 ? 1 : length));
        check({ dataType: "uint8", shape: withOne, codecs: [transpose(...order)], axes });
      }
    }
  });

  test("handles chunks that do not fit into the window", () => {
    for (const [dataType, shape, order] of [
      ["float32", [300, 301], [1, 0]],
      ["float32", [256, 256], [1, 0]],
      ["uint8", [700, 701], [1, 0]],
      ["uint8", [100_003, 3], [1, 0]],
      ["uint16", [3, 60_000], [1, 0]],
      ["float64", [40, 41, 42], [2, 1, 0]],
      ["complex128", [130, 3, 101], [1, 2, 0]],
      ["r24", [310, 301], [1, 0]],
      ["int16", [37, 41, 5, 29], [3, 1, 0, 2]],
      ["bool", [640, 512], [1, 0]],
    ]) {
      for (const checksums of [0, 1]) {
        const axes = order.toReversed();
        check({ dataType, shape, codecs: [transpose(...order)], checksums, axes });
      }
    }
  });

  test("handles elements that do not fit into the window", () => {
    check({ dataType: `r${8 * 300_001}`, shape: [2, 3], codecs: [transpose(1, 0)] });
  });

  test("handles many dimensions", () => {
    const shape = Array(16).fill(2);
    const order = shape.map((_, i) => (i * 7) % 16);
    check({ shape, codecs: [transpose(...order)] });
    check({
      shape: [...shape, ...Array(200).fill(1), 3],
      codecs: [transpose(...Array.from({ length: 217 }, (_, i) => 216 - i))],
    });
  });

  test("casts float16", () => {
    for (const shape of [
      [13, 17],
      [400, 500],
    ]) {
      for (const endian of ["little", "big"]) {
        const data = Float32Array.from({ length: shape[0] * shape[1] }, (_, i) => (i % 4096) - 2048);
        const codecs = [transpose(1, 0), { name: "bytes", configuration: { endian } }, "crc32c"];
        const bits = createCodecChain(
          { dataType: "float16", shape, codecs: codecs.slice(1, 2) },
          { float16: "float32" },
        );
        const halves = new Uint16Array(
          createCodecChain(
            { dataType: "float16", shape, codecs: [{ name: "bytes", configuration: { endian: "little" } }] },
            { float16: "float32" },
          ).encode(data).buffer,
        );
        const encoded = withChecksum(payloadOf(halves, payloadIndexes(shape, codecs), { endian }));
        const chain = createCodecChain({ dataType: "float16", shape, codecs }, { float16: "float32" });
        assert.equal(bits.decodedByteLength, data.byteLength);
        assertSameBytes(chain.decode(encoded).data, data);
        assertSameBytes(chain.decode(encoded, { out: new Float32Array(data.length) }).data, data);
        assertSameBytes(chain.encode(data), encoded);
        assertSameBytes(chain.encode(halves), encoded);
        const { data: stored, stride } = chain.decode(encoded, { strided: true });
        assertSameBytes(stored, strided(data, shape, stride));
        assertSameBytes(chain.encode({ data: stored, stride }), encoded);
      }
    }
  });
});

describe("reshape", () => {
  test("changes nothing by itself", () => {
    for (const shape of [
      [24],
      [4, 6],
      [2, 3, 4],
      [-1, 2],
      [[0], 2, 3],
      [[0, 1]],
      [1, -1, 1],
      [[0], [], [1]],
    ]) {
      const { chain, encoded } = check({
        shape: [4, 6],
        codecs: [reshape(...shape)],
        endian: "little",
        axes: [1, 0],
      });
      assert.equal(chain.decode(encoded).data.buffer, encoded.buffer);
    }
  });

  test("is what a following transpose applies to", () => {
    const merged = [
      [
        [4, 6],
        [reshape(2, 2, 6), transpose(1, 0, 2)],
      ],
      [
        [4, 6],
        [reshape(2, 12), transpose(1, 0)],
      ],
      [
        [4, 6],
        [transpose(1, 0), reshape([0], 2, 2), transpose(2, 0, 1)],
      ],
      [
        [4, 6],
        [transpose(1, 0), reshape(3, 8), transpose(1, 0), reshape(-1), reshape(2, 12), transpose(1, 0)],
      ],
      [
        [1, 6, 1],
        [reshape(2, 1, 3), transpose(2, 1, 0)],
      ],
      [[], [reshape(1, 1), transpose(1, 0), reshape()]],
    ];
    for (const [shape, codecs] of merged)
      check({ shape, codecs, checksums: 1, axes: shape.map((_, i) => shape.length - 1 - i) });
  });

  test("may need more than one pass", () => {
    for (const [a, b, c] of [
      [4, 6, 3],
      [400, 600, 300],
    ]) {
      const codecs = [
        transpose(1, 0),
        reshape((a * b) / c / 2, c * 2),
        transpose(1, 0),
        reshape(a * 3, b / 3),
        transpose(1, 0),
      ];
      for (const dataType of ["uint16", "bool"]) {
        check({ dataType, shape: [a, b], codecs, checksums: 1, axes: [1, 0] });
      }
    }
  });
});

test("any chain of array-to-array codecs", () => {
  const chains = fc
    .tuple(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }), fc.array(fc.nat(), { maxLength: 5 }))
    .map(([shape, choices]) => {
      let lengths = shape;
      const codecs = choices.map((choice) => {
        if (choice % 2 === 0) {
          const order = orders(lengths.length)[choice % orders(lengths.length).length];
          lengths = order.map((i) => lengths[i]);
          return transpose(...order);
        }
        lengths = factors(
          lengths.reduce((a, b) => a * b, 1),
          choice,
        );
        return reshape(...lengths);
      });
      return { shape, codecs };
    });
  const dataTypes = fc.constantFrom(
    "uint8",
    "uint16",
    "float32",
    "float64",
    "complex64",
    "complex128",
    "r24",
    "bool",
  );
  fc.assert(
    fc.property(
      chains,
      dataTypes,
      fc.constantFrom("little", "big"),
      fc.nat({ max: 2 }),
      fc.nat(),
      (chain, dataType, endian, checksums, n) => {
        const all = orders(chain.shape.length);
        check({ ...chain, dataType, endian, checksums, axes: all[n % all.length] });
      },
    ),
    PROPERTIES,
  );
});

/** Splits a number into up to three factors. */
function factors(total, seed) {
  const divisors = (n) => Array.from({ length: n }, (_, i) => i + 1).filter((i) => n % i === 0);
  const pick = (n, seed) => divisors(n)[seed % divisors(n).length];
  const a = pick(total, seed >> 1);
  const b = pick(total / a, seed >> 4);
  return [a, b, total / a / b];
}

test("checksums are those of the stored order", () => {
  const chain = createCodecChain({
    dataType: "uint8",
    shape: [2, 2],
    codecs: [transpose(1, 0), "bytes", "crc32c"],
  });
  const encoded = chain.encode(Uint8Array.of(1, 2, 3, 4));
  assert.deepEqual([...encoded.subarray(0, 4)], [1, 3, 2, 4]);
  assert.equal(new DataView(encoded.buffer).getUint32(4, true), slowCrc([1, 3, 2, 4]));
});
