// The option verify.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ChecksumMismatchError,
  ChunkLengthError,
  createCodecChain,
  decode,
  loadCodecChain,
} from "zarr-codecs";
import {
  assertError,
  assertSameBytes,
  assertThrows,
  BIG,
  chainOf,
  metadataOf,
  VALUES,
  withChecksum,
} from "./helpers.mjs";

const LITTLE = { name: "bytes", configuration: { endian: "little" } };

describe("the option verify", () => {
  const good = withChecksum(BIG);
  const bad = withChecksum(BIG, 5);
  const metadata = metadataOf({ shape: [2], checksums: 1 });

  test("of a chain applies to each chunk, unless a call overrides it", () => {
    const cases = [
      [undefined, undefined, true],
      [undefined, true, true],
      [undefined, false, false],
      [true, undefined, true],
      [true, false, false],
      [false, undefined, false],
      [false, false, false],
      [false, true, true],
    ];
    for (const [ofChain, ofCall, verifies] of cases) {
      const chain = createCodecChain(metadata, { verify: ofChain });
      for (const others of [{}, { copy: true }, { inPlace: true }, { out: new Float32Array(2) }]) {
        const options = { verify: ofCall, ...others };
        assert.deepEqual([...chain.decode(good.slice(), options).data], VALUES);
        if (verifies)
          assertThrows(() => chain.decode(bad.slice(), options), ChecksumMismatchError, { stored: 5 });
        else assert.deepEqual([...chain.decode(bad.slice(), options).data], VALUES);
      }
    }
  });

  test("of a single call applies to its chunk", () => {
    assertThrows(() => decode(bad, metadata), ChecksumMismatchError);
    assert.deepEqual([...decode(bad, metadata, { verify: false }).data], VALUES);
  });

  test("does not affect encoding, which computes checksums", () => {
    const chain = createCodecChain(metadata, { verify: false });
    assertSameBytes(chain.encode(Float32Array.from(VALUES)), good);
  });

  test("does not affect the check of lengths", () => {
    const chain = createCodecChain(metadata, { verify: false });
    assertThrows(() => chain.decode(BIG), ChunkLengthError, { expected: 12, actual: 8 });
  });

  test("applies to all checksums of a chunk", () => {
    const chain = chainOf({ shape: [2], checksums: 2 });
    const encoded = withChecksum(withChecksum(BIG, 1), 2);
    assert.deepEqual([...chain.decode(encoded, { verify: false }).data], VALUES);
  });

  test("warns or calls a function with the error, and the data is returned", async (t) => {
    const warn = t.mock.method(console, "warn", () => {});
    const errors = [];
    const report = (error) => errors.push(error);
    const loaded = await loadCodecChain(metadata);
    const uses = [
      (verify) => createCodecChain(metadata, { verify }).decode(bad),
      (verify) => createCodecChain(metadata).decode(bad, { verify, copy: true }),
      (verify) => createCodecChain(metadata).decode(bad.slice(), { verify, inPlace: true }),
      (verify) => createCodecChain(metadata).decode(bad, { verify, out: new Float32Array(2) }),
      (verify) => decode(bad, metadata, { verify }),
      (verify) => loaded.decode(bad, { verify }),
    ];
    for (const use of uses) {
      assert.deepEqual([...(await use("warn")).data], VALUES);
      assert.deepEqual([...(await use(report)).data], VALUES);
    }
    assert.equal(warn.mock.callCount(), uses.length);
    assert.match(warn.mock.calls[0].arguments[0], /^zarr-codecs: chunk is corrupt: crc32c stored 0x00000005/);
    assert.equal(errors.length, uses.length);
    for (const error of errors) assertError(error, ChecksumMismatchError, { stored: 5, byteLength: 8 });
    const thrown = new Error("mine");
    const throwing = () => {
      throw thrown;
    };
    for (const use of uses) await assert.rejects(async () => use(throwing), thrown);
  });

  test("is called once for each damaged part of a shard, with its place", () => {
    const configuration = { chunk_shape: [2], codecs: ["bytes", "crc32c"], index_codecs: [LITTLE, "crc32c"] };
    const codecs = [{ name: "sharding_indexed", configuration }];
    const shape = { dataType: "uint8", shape: [6], codecs, fillValue: 0 };
    const shard = createCodecChain(shape).encode(Uint8Array.of(1, 2, 3, 4, 5, 6));
    for (const at of [0, 13, shard.length - 1]) shard[at] ^= 0x10;
    const errors = [];
    const { data } = createCodecChain(shape, { verify: (error) => errors.push(error) }).decode(shard);
    assert.deepEqual([...data], [0x11, 2, 3, 4, 5, 0x16]);
    const places = errors.map(({ chunk, range }) => [chunk, range]);
    assert.deepEqual(places, [
      [undefined, { offset: 18, length: 52 }],
      [[0], { offset: 0, length: 6 }],
      [[2], { offset: 12, length: 6 }],
    ]);
  });

  test("applies to external codecs whose formats have checksums", async () => {
    const chain = await loadCodecChain({ dataType: "uint8", shape: [4], codecs: ["bytes", "gzip"] });
    const encoded = await chain.encode(Uint8Array.of(1, 2, 3, 4));
    encoded[encoded.length - 8] ^= 1; // The CRC-32.
    const errors = [];
    const { data } = await chain.decode(encoded, { verify: (error) => errors.push(error) });
    assert.deepEqual([...data], [1, 2, 3, 4]);
    assert.deepEqual(
      errors.map(({ code }) => code),
      ["checksum_mismatch"],
    );
  });
});
