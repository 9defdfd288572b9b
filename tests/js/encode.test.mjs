// The arguments and results of encode.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCodecChain, InvalidArgumentError } from "zarr-codecs";
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

  test("rejects arrays of other types, whatever members they have, and strides that are no numbers", () => {
    const data = Float32Array.from(VALUES);
    const other = Object.assign(new Int32Array(2), { data });
    assertThrows(() => chain.encode(other), InvalidArgumentError, { argument: "chunk" });
    const square = chainOf({ shape: [2, 2] });
    for (const stride of [[1n, 1n], [1, Symbol("1")], [{}, 1], "21", [2, 1.5], [2, -1], [2, 0], [2]]) {
      const chunk = { data: new Float32Array(4), stride };
      assertThrows(() => square.encode(chunk), InvalidArgumentError, { argument: "chunk.stride" });
    }
  });

  test("names the first string that is none", () => {
    const dataType = { name: "fixed_length_utf32", configuration: { length_bytes: 4 } };
    const ofStrings = createCodecChain({
      dataType,
      shape: [2],
      codecs: [{ name: "bytes", configuration: { endian: "little" } }],
    });
    assertSameBytes(ofStrings.encode(["a", "b"]), Uint8Array.of(97, 0, 0, 0, 98, 0, 0, 0));
    for (const [strings, argument] of [
      [[5, "b"], "chunk[0]"],
      [["a", null], "chunk[1]"],
    ]) {
      assertThrows(() => ofStrings.encode(strings), InvalidArgumentError, { argument });
      const inChunk = argument.replace("chunk", "chunk.data");
      assertThrows(() => ofStrings.encode({ data: strings }), InvalidArgumentError, { argument: inChunk });
    }
  });
});
