// crc32c with the codec interface of numcodecs.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ChecksumMismatchError, InvalidArgumentError } from "zarr-codecs";
import { Crc32cCodec } from "zarr-codecs/crc32c";
import { assertError, assertSameBytes, assertThrows, noise, withChecksum } from "../js/helpers.mjs";

describe("crc32c as a codec of numcodecs", () => {
  const data = noise(100);

  test("has the interface", () => {
    assert.equal(Crc32cCodec.codecId, "crc32c");
    assert.deepEqual([Crc32cCodec.kind, new Crc32cCodec().kind], ["bytes_to_bytes", "bytes_to_bytes"]);
    assert.equal(new Crc32cCodec().computeEncodedSize(100), 104);
    for (const config of [undefined, null, {}, { id: "crc32c" }, { id: "crc32c", location: "end" }]) {
      assert.ok(Crc32cCodec.fromConfig(config) instanceof Crc32cCodec);
    }
  });

  test("encodes and decodes chunks of any length, also into out", () => {
    const codec = Crc32cCodec.fromConfig({ id: "crc32c" });
    for (const length of [100, 0, 7, 100]) {
      const bytes = data.subarray(0, length);
      const encoded = codec.encode(bytes);
      assertSameBytes(encoded, withChecksum(bytes), `encoded, ${length}`);
      assertSameBytes(codec.decode(encoded), bytes, `decoded, ${length}`);
      const out = new Uint8Array(length);
      assert.equal(codec.decode(encoded, out), out);
      assertSameBytes(out, bytes, `out, ${length}`);
    }
  });

  test("decodes to a new buffer of exactly its length, because zarr.js reads the whole buffer", () => {
    const codec = new Crc32cCodec();
    const encoded = withChecksum(data);
    for (const bytes of [encoded, Uint8Array.of(9, ...encoded, 9).subarray(1, -1), encoded.buffer]) {
      const { buffer } = codec.decode(bytes);
      assert.notEqual(buffer, encoded.buffer);
      assertSameBytes(new Uint8Array(buffer), data, "the whole buffer");
    }
    const { buffer } = new Crc32cCodec({ verify: false }).decode(withChecksum(data, 0));
    assertSameBytes(new Uint8Array(buffer), data, "unverified");
  });

  test("warns or calls a function, and returns the data in a new buffer", (t) => {
    const damaged = withChecksum(data, 0);
    const warn = t.mock.method(console, "warn", () => {});
    const warned = new Crc32cCodec({ verify: "warn" }).decode(damaged);
    assertSameBytes(new Uint8Array(warned.buffer), data, "with a warning");
    assert.equal(warn.mock.callCount(), 1);
    const calls = [];
    const { buffer } = new Crc32cCodec({ verify: (error) => calls.push(error) }).decode(damaged);
    assertSameBytes(new Uint8Array(buffer), data, "with a function");
    const out = new Uint8Array(data.length);
    assert.equal(new Crc32cCodec({ verify: (error) => calls.push(error) }).decode(damaged, out), out);
    assertSameBytes(out, data, "out");
    assert.equal(calls.length, 2);
    for (const error of calls) assertError(error, ChecksumMismatchError, { stored: 0, byteLength: 100 });
    const thrown = new Error("mine");
    const throwing = new Crc32cCodec({
      verify() {
        throw thrown;
      },
    });
    assert.throws(
      () => throwing.decode(damaged),
      (error) => error === thrown,
    );
  });

  test("rejects invalid chunks, arguments and configurations", () => {
    const codec = Crc32cCodec.fromConfig();
    const damaged = withChecksum(data).fill(0, 5, 6);
    assertThrows(() => codec.decode(damaged), ChecksumMismatchError, { byteLength: 100 });
    assertThrows(() => codec.decode(withChecksum(data), new Uint8Array(99)), InvalidArgumentError, {
      argument: "out",
    });
    assertThrows(() => codec.encode("text"), InvalidArgumentError, { argument: "decoded" });
    assertThrows(() => new Crc32cCodec({ verify: "perhaps" }), InvalidArgumentError, {
      argument: "options.verify",
    });
    assert.throws(() => Crc32cCodec.fromConfig({ id: "crc32c", location: "start" }), {
      code: "invalid_metadata",
    });
    for (const config of [1, { id: "end" }, { location: "crc32c" }]) {
      assert.throws(() => Crc32cCodec.fromConfig(config), { code: "invalid_metadata" });
    }
    assert.throws(() => Crc32cCodec.fromConfig({ id: "blosc" }), {
      code: "invalid_metadata",
      path: "id",
      message: 'id: expected "crc32c", got "blosc"',
    });
    assert.throws(() => codec.decode(new Uint8Array(3)), { code: "chunk_length", expected: 4, actual: 3 });
    assertThrows(() => codec.decode("bytes"), InvalidArgumentError, { argument: "encoded" });
  });

  test("checks lengths whether it verifies or not, and before it writes to out", () => {
    const codec = new Crc32cCodec();
    const tooShort = { code: "chunk_length", expected: 4, actual: 3 };
    assert.throws(() => codec.decode(new Uint8Array(3), new Uint8Array(3)), tooShort);
    assert.throws(() => new Crc32cCodec({ verify: false }).decode(new Uint8Array(3)), tooShort);
    assertSameBytes(new Crc32cCodec({ verify: false }).decode(Uint8Array.of(1, 2, 3, 4)), new Uint8Array(0));
    const ofNothing = withChecksum([]);
    assertThrows(() => codec.decode(ofNothing, new Uint8Array(3)), InvalidArgumentError, { argument: "out" });
    const encoded = withChecksum(data);
    assertThrows(() => codec.decode(encoded, encoded.subarray(4)), InvalidArgumentError, {
      argument: "out",
      message: "out overlaps the encoded bytes",
    });
  });
});
