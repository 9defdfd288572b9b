// Decoders of others that fail: what the checks of their formats find, and which decoders are tried again.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deflateSync, gzipSync } from "node:zlib";
import { ChecksumMismatchError, ExternalCodecError, InvalidArgumentError, loadCodecChain } from "zarr-codecs";

const LITTLE = { name: "bytes", configuration: { endian: "little" } };
const BYTES = Uint8Array.of(1, 0, 2, 0);
const VALUES = Uint16Array.of(1, 2);

/** Loads a chain of two elements whose second codec decodes by this function. */
function load(codec, decode) {
  const codecs = new Map([[codec.name ?? codec, () => ({ fromConfig: () => ({ decode }) })]]);
  return loadCodecChain({ dataType: "uint16", shape: [2], codecs: [LITTLE, codec] }, { codecs });
}

const fail = () => {
  throw new Error("the worker ended");
};

describe("where the decoder fails for a sound chunk", () => {
  for (const [name, encode] of [
    ["gzip", gzipSync],
    ["zlib", deflateSync],
  ]) {
    test(`${name}: its error is reported, unless checksums are not verified`, async () => {
      const chain = await load(name, fail);
      await assert.rejects(chain.decode(encode(BYTES)), {
        constructor: ExternalCodecError,
        message: `codecs[1]: ${name}: could not decode the chunk: the worker ended`,
      });
      assert.deepEqual((await chain.decode(encode(BYTES), { verify: false })).data, VALUES);
    });
  }
});

test("a decoder of zstd that verifies the checksum decodes without it", async () => {
  // One raw block; the last four bytes are a wrong checksum.
  const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x24, 4, 0x21, 0, 0, ...BYTES, 9, 9, 9, 9);
  const chain = await load("zstd", (encoded) => {
    if (encoded[4] & 4) throw new Error("wrong checksum");
    return encoded.slice(9, 13);
  });
  await assert.rejects(chain.decode(frame), { constructor: ChecksumMismatchError, stored: 0x09090909 });
  assert.deepEqual((await chain.decode(frame, { verify: false })).data, VALUES);
});

test("decoders of formats without a checksum are called once", async () => {
  const calls = [];
  const chain = await load("other", (encoded) => {
    calls.push(encoded);
    return fail();
  });
  await assert.rejects(chain.decode(BYTES), ExternalCodecError);
  assert.deepEqual(calls, [BYTES]);
});

test("errors of this package stay as they are", async () => {
  const error = new InvalidArgumentError("mine", { argument: "other" });
  const chain = await load("other", () => Promise.reject(error));
  await assert.rejects(chain.decode(BYTES), (thrown) => thrown === error);
});

test("an error has a cause if the codec failed, and none if the chunk is not valid", async () => {
  const rejected = async (codec, decode, bytes) =>
    (await load(codec, decode)).decode(bytes).catch((error) => error);
  const cause = new Error("no luck");
  const decode = () => Promise.reject(cause);
  assert.equal((await rejected("other", decode, BYTES)).cause, cause);
  assert.ok((await rejected("other", () => "text", BYTES)).cause instanceof TypeError);
  const gzip = new Uint8Array(gzipSync(BYTES));
  assert.equal((await rejected("gzip", decode, gzip)).cause, cause);
  const invalid = gzip.slice();
  invalid[10] |= 6; // A block of an unknown type.
  // A frame of zstd with one compressed block of two bytes, of which no decoder makes sense.
  const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x20, 4, 0x15, 0, 0, 9, 9);
  for (const [codec, bytes] of [
    ["gzip", invalid],
    ["gzip", gzip.subarray(3)],
    ["zstd", frame],
  ]) {
    const error = await rejected(codec, decode, bytes);
    assert.ok(error instanceof ExternalCodecError, codec);
    assert.equal(error.cause, undefined, codec);
  }
});

test("a codec without the configuration that it needs is not taken for damage", async () => {
  const codec = { name: "numcodecs.delta" };
  const Delta = {
    fromConfig: (configuration) => ({
      kind: "array_to_array",
      encode: (chunk) => chunk,
      decode: (chunk) => ({ ...chunk, data: chunk.data.map((_, i) => i * configuration.dtype.length) }),
    }),
  };
  const codecs = new Map([["numcodecs.delta", () => Delta]]);
  const metadata = { dataType: "uint16", shape: [2], codecs: [codec, LITTLE] };
  const chain = await loadCodecChain(metadata, { codecs });
  const error = await chain.decode(BYTES).catch((error) => error);
  assert.ok(error instanceof ExternalCodecError);
  assert.equal(error.path, "codecs[0]");
  assert.ok(error.cause instanceof TypeError);
});

test("codecs in the configuration of other codecs than shards are not loaded", async () => {
  const codecs = new Map([
    ["other", () => ({ fromConfig: () => ({ decode: (bytes) => bytes }) })],
    ["inner", () => assert.fail("loaded")],
  ]);
  const other = { name: "other", configuration: { codecs: ["inner"] } };
  const metadata = { dataType: "uint16", shape: [2], codecs: [LITTLE, other] };
  assert.deepEqual((await (await loadCodecChain(metadata, { codecs })).decode(BYTES)).data, VALUES);
});

test("each call gets an error of its own", async () => {
  const inner = [LITTLE, "crc32c"];
  const sharding = {
    name: "sharding_indexed",
    configuration: { chunk_shape: [1], codecs: inner, index_codecs: [LITTLE] },
  };
  const shards = await loadCodecChain({ dataType: "uint16", shape: [2], codecs: [sharding], fillValue: 0 });
  const damaged = await shards.encode(VALUES);
  damaged[0] ^= 1;
  const contradictory = await shards.encode(VALUES);
  contradictory[contradictory.length - 16] = 1; // Both inner chunks overlap.
  const plain = await loadCodecChain({ dataType: "uint16", shape: [2], codecs: inner });
  const gzip = await load("gzip", fail);
  for (const [chain, bytes, code] of [
    [plain, new Uint8Array(8).fill(7), "checksum_mismatch"],
    [plain, BYTES, "chunk_length"],
    [gzip, new Uint8Array(gzipSync(BYTES)), "external_codec"],
    [gzip, BYTES, "external_codec"],
    [shards, damaged, "checksum_mismatch"],
    [shards, contradictory, "invalid_element"],
    [shards, BYTES, "chunk_length"],
  ]) {
    const decode = () => chain.decode(bytes).catch((error) => error);
    const [a, b] = await Promise.all([decode(), decode()]);
    assert.deepEqual([a.code, b.code], [code, code]);
    assert.notEqual(a, b);
    assert.equal(a.message, b.message);
  }
});
