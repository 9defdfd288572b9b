// The option inPlace.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ChecksumMismatchError, createCodecChain, InvalidArgumentError } from "zarr-codecs";
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

describe("the option inPlace", () => {
  test("decodes into the encoded bytes", () => {
    for (const length of LENGTHS) {
      for (const endian of ["little", "big"]) {
        const chain = chainOf({ shape: [length], endian, checksums: 1 });
        const encoded = withChecksum(noise(4 * length));
        const { data: expected } = chain.decode(encoded, { copy: true });
        const { data } = chain.decode(encoded, { inPlace: true });
        assert.equal(data.buffer, encoded.buffer);
        assert.equal(data.byteOffset, encoded.byteOffset);
        assertSameBytes(data, expected);
      }
    }
  });

  test("normalises other bool elements in place", () => {
    const chain = chainOf({
      dataType: "bool",
      endian: undefined,
      shape: [4],
      options: { invalidBool: "coerce" },
    });
    const encoded = Uint8Array.of(0, 1, 2, 255);
    const { data } = chain.decode(encoded, { inPlace: true });
    assert.deepEqual([...data], [0, 1, 1, 1]);
    assert.equal(data.buffer, encoded.buffer);
  });

  test("does not change the bytes when a check fails", () => {
    for (const length of LENGTHS) {
      const chain = chainOf({ shape: [length], checksums: 1 });
      const encoded = withChecksum(noise(4 * length));
      encoded[encoded.length - 5] ^= 1;
      const before = encoded.slice();
      assertThrows(() => chain.decode(encoded, { inPlace: true }), ChecksumMismatchError);
      assertSameBytes(encoded, before);
    }
  });

  test("returns a new array where the bytes are misaligned or too short", () => {
    const chain = chainOf({ shape: [2] });
    const encoded = atOffset(BIG, 1);
    const { data } = chain.decode(encoded, { inPlace: true });
    assert.deepEqual([...data], VALUES);
    assert.notEqual(data.buffer, encoded.buffer);
    const widened = chainOf({ dataType: "float16", shape: [2], options: { float16: "float32" } });
    assert.deepEqual([...widened.decode(Uint8Array.of(0x3c, 0, 0xc0, 0), { inPlace: true }).data], VALUES);
  });

  test("cannot be combined with out or copy, whatever the codecs are", () => {
    const bytes = { name: "bytes", configuration: { endian: "little" } };
    const configuration = { chunk_shape: [2, 2], codecs: [bytes], index_codecs: [bytes] };
    for (const codecs of [
      [bytes],
      [bytes, { name: "numcodecs.shuffle", configuration: { elementsize: 4 } }],
      [{ name: "sharding_indexed", configuration }],
    ]) {
      const chain = createCodecChain({ dataType: "float32", shape: [4, 4], codecs, fillValue: 0 });
      const data = Float32Array.from({ length: 16 }, (_, i) => i);
      const encoded = chain.encode(data);
      assert.deepEqual(chain.decode(encoded.slice(), { inPlace: true }).data, data);
      for (const others of [{ copy: true }, { out: new Float32Array(16) }]) {
        const message = "options.inPlace cannot be combined with out or copy";
        const expected = { argument: "options.inPlace", message };
        assertThrows(
          () => chain.decode(encoded, { inPlace: true, ...others }),
          InvalidArgumentError,
          expected,
        );
      }
    }
  });

  test("is off by default", () => {
    const chain = chainOf({ shape: [2] });
    for (const options of [undefined, {}, { inPlace: false }, { inPlace: undefined }]) {
      const encoded = BIG.slice();
      chain.decode(encoded, options);
      assertSameBytes(encoded, BIG);
    }
  });
});
