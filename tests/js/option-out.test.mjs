// The option out.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ChecksumMismatchError, ChunkLengthError, InvalidElementError } from "zarr-codecs";
import {
  assertSameBytes,
  assertThrows,
  atOffset,
  BIG,
  chainOf,
  LENGTHS,
  noise,
  VALUES,
  withChecksum,
} from "./helpers.mjs";

describe("the option out", () => {
  test("of decode accepts any array of the right type and length", () => {
    const chain = chainOf({ shape: [2] });
    class Mine extends Float32Array {}
    for (const out of [
      new Float32Array(2),
      new Mine(2),
      new Float32Array(new ArrayBuffer(24), 8, 2),
      new Float32Array(new SharedArrayBuffer(8)),
      new Float32Array(new ArrayBuffer(8, { maxByteLength: 16 })),
    ]) {
      const { data, shape, stride } = chain.decode(BIG, { out });
      assert.equal(data, out);
      assert.deepEqual([[...out], shape, stride], [VALUES, [2], [1]]);
    }
  });

  test("of encode accepts any Uint8Array of the right length, and returns it", () => {
    const chain = chainOf({ shape: [2] });
    for (const out of [
      new Uint8Array(8),
      Buffer.alloc(8),
      atOffset(new Uint8Array(8), 3),
      new Uint8Array(new SharedArrayBuffer(8)),
    ]) {
      assert.equal(chain.encode(Float32Array.from(VALUES), { out }), out);
      assertSameBytes(out, BIG);
    }
  });

  test("writes only there", () => {
    for (const length of LENGTHS) {
      for (const endian of ["little", "big"]) {
        const chain = chainOf({ shape: [length], endian, checksums: 1 });
        const encoded = withChecksum(noise(4 * length));
        const around = new Uint8Array(4 * length + 16).fill(0xa5);
        const out = new Float32Array(around.buffer, 8, length);
        chain.decode(encoded, { out });
        assertSameBytes(out, chain.decode(encoded).data);
        const outAgain = around.subarray(4, 4 + encoded.length);
        around.fill(0xa5);
        chain.encode(chain.decode(encoded, { copy: true }), { out: outAgain });
        assertSameBytes(outAgain, encoded);
        assertSameBytes(around.subarray(0, 4), new Uint8Array(4).fill(0xa5));
        assertSameBytes(around.subarray(4 + encoded.length), new Uint8Array(8).fill(0xa5));
      }
    }
  });

  test("of decode is unchanged when a check fails", () => {
    for (const length of LENGTHS) {
      for (const endian of ["little", "big"]) {
        const chain = chainOf({ shape: [length], endian, checksums: 1 });
        const encoded = withChecksum(noise(4 * length));
        encoded[encoded.length - 5] ^= 1;
        const out = new Float32Array(length).fill(7);
        assertThrows(() => chain.decode(encoded, { out }), ChecksumMismatchError);
        assertThrows(() => chain.decode(encoded.subarray(1), { out }), ChunkLengthError);
        assertSameBytes(out, new Float32Array(length).fill(7));
      }
      const ofBool = chainOf({ dataType: "bool", endian: undefined, shape: [4 * length] });
      const encoded = new Uint8Array(4 * length).fill(1);
      encoded[encoded.length - 1] = 2;
      const out = new Uint8Array(encoded.length).fill(7);
      assertThrows(() => ofBool.decode(encoded, { out }), InvalidElementError, { index: encoded.length - 1 });
      assertSameBytes(out, new Uint8Array(encoded.length).fill(7));
    }
  });

  test("of encode is unchanged when a check fails", () => {
    for (const length of [4, 65_536, 65_537, 200_000]) {
      const chain = chainOf({ dataType: "bool", endian: undefined, shape: [length], checksums: 1 });
      const data = new Uint8Array(length).fill(1);
      data[length - 1] = 2;
      const out = new Uint8Array(length + 4).fill(7);
      assertThrows(() => chain.encode(data, { out }), InvalidElementError, { index: length - 1 });
      assertThrows(() => chain.encode(data.subarray(1), { out }), ChunkLengthError);
      assertSameBytes(out, new Uint8Array(length + 4).fill(7));
    }
  });

  test("may be in the same buffer, if it does not overlap the input", () => {
    const buffer = new ArrayBuffer(16);
    new Uint8Array(buffer).set(BIG, 8);
    const out = new Float32Array(buffer, 0, 2);
    const chain = chainOf({ shape: [2] });
    assert.deepEqual([...chain.decode(new Uint8Array(buffer, 8), { out }).data], VALUES);
    assertSameBytes(chain.encode(out, { out: new Uint8Array(buffer, 8) }), BIG);
  });
});
