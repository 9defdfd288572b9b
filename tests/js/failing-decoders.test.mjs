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

test("what is thrown is the cause of the error, which has none otherwise", async () => {
  const rejected = async (decode) => (await load("other", decode)).decode(BYTES).catch((error) => error);
  const cause = new Error("no luck");
  assert.equal((await rejected(() => Promise.reject(cause))).cause, cause);
  assert.equal("cause" in (await rejected(() => "text")), false);
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
