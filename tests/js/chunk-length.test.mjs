// ChunkLengthError: chunks whose length does not follow from the metadata.

import { describe, test } from "node:test";
import { ChunkLengthError } from "zarr-codecs";
import { assertThrows, atOffset, chainOf } from "./helpers.mjs";

describe("rejects a chunk of another length", () => {
  test("and explains the expected length", () => {
    const message = "encoded chunk is 4095 bytes, expected 4100 (64 x 16 elements x 4 bytes + 4 checksum)";
    const chain = chainOf({ shape: [64, 16], checksums: 1 });
    const fields = { expected: 4100, actual: 4095, message };
    assertThrows(() => chain.decode(new Uint8Array(4095)), ChunkLengthError, fields);
  });

  const CHUNKS = [
    ["without dimensions", { shape: [] }],
    ["without checksums", { shape: [3] }],
    ["with two checksums", { shape: [3], checksums: 2 }],
    ["of bytes", { shape: [2, 3], dataType: "uint8" }],
    ["of complex numbers", { shape: [2], dataType: "complex128" }],
  ];
  for (const [what, metadata] of CHUNKS) {
    test(`${what}, when decoding and encoding`, () => {
      const chain = chainOf(metadata);
      const { encodedByteLength, decodedByteLength } = chain;
      for (const actual of new Set([
        0,
        1,
        2,
        3,
        4,
        5,
        7,
        8,
        63,
        1000,
        encodedByteLength - 1,
        encodedByteLength + 1,
      ])) {
        if (actual === encodedByteLength || actual < 0) continue;
        assertThrows(() => chain.decode(new Uint8Array(actual)), ChunkLengthError, {
          expected: encodedByteLength,
          actual,
        });
      }
      const ArrayType = chain.decode(chain.encode(arrayOf(chain))).data.constructor;
      const tooLong = new ArrayType(decodedByteLength / ArrayType.BYTES_PER_ELEMENT + 1);
      for (const chunk of [tooLong, { data: tooLong, shape: chain.shape }]) {
        assertThrows(() => chain.encode(chunk), ChunkLengthError, {
          expected: decodedByteLength,
          actual: tooLong.byteLength,
        });
      }
    });
  }

  const arrayOf = ({ dataType, decodedByteLength }) => {
    const ArrayType = { uint8: Uint8Array, complex128: Float64Array }[dataType] ?? Float32Array;
    return new ArrayType(decodedByteLength / ArrayType.BYTES_PER_ELEMENT);
  };

  test("before checking checksums or elements", () => {
    for (const [dataType, endian] of [
      ["bool", undefined],
      ["float32", "little"],
    ]) {
      const chain = chainOf({ dataType, endian, shape: [9], checksums: 1 });
      for (const verify of [true, false]) {
        for (const actual of [0, 1, 2, 3]) {
          const encoded = new Uint8Array(actual).fill(7);
          const fields = { expected: chain.encodedByteLength, actual };
          assertThrows(() => chain.decode(encoded, { verify }), ChunkLengthError, fields);
        }
      }
    }
  });

  test("up to the longest possible", () => {
    const chain = chainOf({ dataType: "uint8", shape: [2 ** 32 - 1] });
    const fields = { expected: 2 ** 32 - 1, actual: 1 };
    assertThrows(() => chain.decode(new Uint8Array(1)), ChunkLengthError, fields);
    assertThrows(() => chain.encode(new Uint8Array(1)), ChunkLengthError, fields);
  });
});

test("the length of a view counts, not that of its buffer", () => {
  const chain = chainOf({ shape: [2] });
  const view = atOffset(new Uint8Array(7), 1);
  assertThrows(() => chain.decode(view), ChunkLengthError, { actual: 7 });
});
