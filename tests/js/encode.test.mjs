// The arguments and results of encode.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { InvalidArgumentError } from "zarr-codecs";
import { assertSameBytes, assertThrows, BIG, chainOf, VALUES, withChecksum } from "./helpers.mjs";

describe("encode", () => {
  const chain = chainOf({ shape: [1, 2] });

  test("accepts an array, or a chunk with one", () => {
    const data = Float32Array.from(VALUES);
    const around = Float32Array.of(9, ...VALUES, 9);
    for (const chunk of [
      data,
      around.subarray(1, 3),
      { data },
      { data, shape: [1, 2] },
      { data, shape: [1, 2], stride: [2, 1] },
      { data, shape: [1, 2], stride: [99, 1] }, // The stride of a dimension of length 1 has no meaning.
      { data, shape: undefined, stride: undefined },
      Object.freeze({ data, shape: Object.freeze([1, 2]), stride: Object.freeze([2, 1]), more: true }),
      chain.decode(BIG),
    ]) {
      assertSameBytes(chain.encode(chunk), BIG);
    }
  });

  test("accepts Uint8ClampedArray for Uint8Array", () => {
    for (const dataType of ["uint8", "bool", "r8"]) {
      const ofBytes = chainOf({ dataType, endian: undefined, shape: [3] });
      const data = Uint8ClampedArray.of(0, 1, 1);
      assertSameBytes(ofBytes.encode(data), data);
      assertSameBytes(ofBytes.encode({ data, shape: [3] }), data);
    }
    const ofSigned = chainOf({ dataType: "int8", endian: undefined, shape: [3] });
    assertThrows(() => ofSigned.encode(new Uint8ClampedArray(3)), InvalidArgumentError, {
      argument: "chunk",
    });
  });

  test("returns new bytes that share no memory", () => {
    for (const endian of ["little", "big"]) {
      const chain = chainOf({ shape: [2], endian });
      const data = Float32Array.from(VALUES);
      const [first, second] = [chain.encode(data), chain.encode(data)];
      assert.equal(first.constructor, Uint8Array);
      assert.equal(first.buffer.byteLength, 8);
      assert.ok(first.buffer !== second.buffer && first.buffer !== data.buffer);
      first.fill(0);
      assert.deepEqual([...data], VALUES);
    }
  });

  test("appends each checksum, computed over all preceding bytes", () => {
    const encoded = chainOf({ shape: [2], checksums: 3 }).encode(Float32Array.from(VALUES));
    assertSameBytes(encoded, withChecksum(withChecksum(withChecksum(BIG))));
  });
});
