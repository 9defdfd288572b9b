// The option strided, strides of chunks that are encoded, and errors in chunks whose elements are stored in another order.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ChecksumMismatchError,
  ChunkLengthError,
  createCodecChain,
  decode,
  encode,
  InvalidArgumentError,
  InvalidElementError,
} from "zarr-codecs";
import { assertThrows, withChecksum } from "./helpers.mjs";

const transpose = (...order) => ({ name: "transpose", configuration: { order } });
const little = { name: "bytes", configuration: { endian: "little" } };
const matrix = { dataType: "uint16", shape: [2, 3], codecs: [transpose(1, 0), little] };

// Columns of [[1, 2, 3], [4, 5, 6]].
const STORED = new Uint8Array(Uint16Array.of(1, 4, 2, 5, 3, 6).buffer);

describe("the option strided", () => {
  test("returns a view in the stored order", () => {
    const { data, shape, stride } = createCodecChain(matrix).decode(STORED, { strided: true });
    assert.deepEqual(
      [[...data], shape, stride],
      [
        [1, 4, 2, 5, 3, 6],
        [2, 3],
        [1, 2],
      ],
    );
    assert.equal(data.buffer, STORED.buffer);
  });

  test("of a chain is the default of its chunks", () => {
    const chain = createCodecChain(matrix, { strided: true });
    assert.deepEqual(chain.decode(STORED).stride, [1, 2]);
    const { data, stride } = chain.decode(STORED, { strided: false });
    assert.deepEqual(
      [[...data], stride],
      [
        [1, 2, 3, 4, 5, 6],
        [3, 1],
      ],
    );
    assert.deepEqual(decode(STORED, matrix, { strided: true }).stride, [1, 2]);
    // An array by itself is in C order, whatever is decoded.
    assert.deepEqual(chain.encode(Uint16Array.of(1, 2, 3, 4, 5, 6)), STORED);
    assert.deepEqual(encode(Uint16Array.of(1, 2, 3, 4, 5, 6), matrix, { strided: true }), STORED);
  });

  test("has no effect where the stored order is C order, or no strides describe it", () => {
    for (const codecs of [
      [little],
      [transpose(0, 1), little],
      [{ name: "reshape", configuration: { shape: [3, 2] } }, transpose(1, 0), little],
    ]) {
      const chain = createCodecChain({ ...matrix, codecs });
      const encoded = chain.encode(Uint16Array.of(1, 2, 3, 4, 5, 6));
      const { data, stride } = chain.decode(encoded, { strided: true });
      assert.deepEqual(
        [[...data], stride],
        [
          [1, 2, 3, 4, 5, 6],
          [3, 1],
        ],
      );
    }
  });
});

describe("the stride of a chunk that is encoded", () => {
  test("may be that of any order of the dimensions, for any chain", () => {
    const plain = createCodecChain({ ...matrix, codecs: [little] });
    const fortran = { data: Uint16Array.of(1, 4, 2, 5, 3, 6), shape: [2, 3], stride: [1, 2] };
    assert.deepEqual(plain.decode(plain.encode(fortran)).data, Uint16Array.of(1, 2, 3, 4, 5, 6));
    assert.deepEqual(createCodecChain(matrix).encode(fortran), STORED);
  });

  test("changes from chunk to chunk", () => {
    const chain = createCodecChain({ dataType: "uint8", shape: [2, 1, 3, 2], codecs: ["bytes"] });
    const data = Uint8Array.from({ length: 12 }, (_, i) => i);
    for (const [stride, expected] of [
      [
        [6, 99, 2, 1],
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
      ],
      [
        [1, 99, 2, 6],
        [0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11],
      ],
      [
        [2, -5, 4, 1],
        [0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11],
      ],
      [
        [1, 99, 2, 6],
        [0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11],
      ],
    ]) {
      assert.deepEqual([...chain.encode({ data, stride })], expected, `${stride}`);
    }
  });

  test("has no gaps and no overlaps", () => {
    const chain = createCodecChain(matrix);
    const data = new Uint16Array(6);
    for (const stride of [
      [1, 1],
      [2, 1],
      [6, 2],
      [-3, 1],
      [3, 1.5],
      [3],
      [3, 1, 1],
      ["3", 1],
      [0, 0],
      [Number.NaN, 1],
    ]) {
      assertThrows(() => chain.encode({ data, stride }), InvalidArgumentError, { argument: "chunk.stride" });
    }
    assertThrows(() => chain.encode({ data: new Uint16Array(5), stride: [1, 2] }), ChunkLengthError, {
      expected: 12,
      actual: 10,
    });
  });
});

describe("errors in transposed chunks", () => {
  for (const shape of [
    [20, 30],
    [700, 800],
  ]) {
    const [rows, columns] = shape;
    const bools = { dataType: "bool", shape, codecs: [transpose(1, 0), "bytes", "crc32c"] };
    // The first in C order is the last in the stored order.
    const [first, second] = [columns - 1, columns];

    test(`count elements in C order (${shape})`, () => {
      const chain = createCodecChain(bools);
      const payload = new Uint8Array(rows * columns);
      payload[(columns - 1) * rows] = 7; // Row 0, last column.
      payload[1] = 9; // Row 1, column 0.
      const expected = { index: first, value: 7 };
      const out = new Uint8Array(payload.length).fill(3);
      for (const options of [
        {},
        { copy: true },
        { out },
        { inPlace: true },
        { strided: true },
        { strided: true, copy: true },
        { strided: true, out },
      ]) {
        const encoded = withChecksum(payload);
        assertThrows(() => chain.decode(encoded, options), InvalidElementError, expected);
        assert.ok(out.every((byte) => byte === 3));
        assert.equal(encoded[1], 9);
      }
      const decoded = new Uint8Array(payload.length);
      decoded[first] = 7;
      decoded[second] = 9;
      const encodedOut = new Uint8Array(chain.encodedByteLength).fill(3);
      for (const chunk of [decoded, { data: payload, stride: [1, rows] }]) {
        assertThrows(() => chain.encode(chunk), InvalidElementError, expected);
        assertThrows(() => chain.encode(chunk, { out: encodedOut }), InvalidElementError, expected);
      }
      assert.ok(encodedOut.every((byte) => byte === 3));
      const plain = createCodecChain({ dataType: "bool", shape, codecs: ["bytes"] });
      assertThrows(() => plain.encode({ data: payload, stride: [1, rows] }), InvalidElementError, expected);
    });

    test(`leave out and the encoded bytes unchanged (${shape})`, () => {
      const chain = createCodecChain({
        ...bools,
        dataType: "uint16",
        codecs: [transpose(1, 0), little, "crc32c"],
      });
      const encoded = chain.encode(new Uint16Array(rows * columns).fill(5));
      encoded[rows] ^= 1;
      const before = encoded.slice();
      const out = new Uint16Array(rows * columns).fill(3);
      assertThrows(() => chain.decode(encoded, { out }), ChecksumMismatchError);
      assertThrows(() => chain.decode(encoded, { inPlace: true }), ChecksumMismatchError);
      assertThrows(() => chain.decode(encoded, { strided: true }), ChecksumMismatchError);
      assert.ok(out.every((element) => element === 3));
      assert.deepEqual(encoded, before);
      assert.equal(chain.decode(encoded, { verify: false, out }).data, out);
    });

    test(`do not occur where any byte counts as true (${shape})`, () => {
      const chain = createCodecChain(
        { ...bools, codecs: bools.codecs.slice(0, 2) },
        { invalidBool: "coerce" },
      );
      const payload = new Uint8Array(rows * columns);
      payload[(columns - 1) * rows] = 7;
      const { data } = chain.decode(payload);
      assert.equal(data[first], 1);
      assert.equal(
        data.reduce((a, b) => a + b),
        1,
      );
      const decoded = new Uint8Array(payload.length);
      decoded[first] = 7;
      const encoded = chain.encode(decoded);
      assert.equal(encoded[(columns - 1) * rows], 1);
    });
  }
});
