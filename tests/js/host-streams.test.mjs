// The codecs of hosts without node:zlib, such as browsers, which decode by streams.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync, gzipSync } from "node:zlib";

delete process.getBuiltinModule; // Before this package looks for it.
const { ChunkLengthError, loadCodecChain } = await import("zarr-codecs");

for (const [name, encode] of [
  ["gzip", gzipSync],
  ["zlib", deflateSync],
]) {
  test(`${name}: decodes and encodes`, async () => {
    const chain = await loadCodecChain({ dataType: "uint8", shape: [200_000], codecs: ["bytes", name] });
    const data = new Uint8Array(200_000).map((_, i) => i * i);
    assert.deepEqual((await chain.decode(encode(data))).data, data);
    assert.deepEqual((await chain.decode(await chain.encode(data))).data, data);
  });
}

test("streams of a length that is not known are decoded", async () => {
  const chain = await loadCodecChain({ dataType: "uint8", shape: [3], codecs: ["bytes", "zlib", "gzip"] });
  const encoded = gzipSync(deflateSync(Uint8Array.of(1, 2, 3)));
  assert.deepEqual((await chain.decode(encoded)).data, Uint8Array.of(1, 2, 3));
});

test("zstd is decoded on every host", async () => {
  const chain = await loadCodecChain({ dataType: "uint8", shape: [3], codecs: ["bytes", "zstd"] });
  const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x20, 3, 0x19, 0, 0, 1, 2, 3); // One raw block.
  assert.deepEqual((await chain.decode(frame)).data, Uint8Array.of(1, 2, 3));
});

test("the stream of a chunk that is much too long is canceled", async (t) => {
  const { mock } = t.mock.method(ReadableStreamDefaultReader.prototype, "cancel");
  const chain = await loadCodecChain({ dataType: "uint8", shape: [2], codecs: ["bytes", "zlib"] });
  await assert.rejects(chain.decode(deflateSync(new Uint8Array(1e6))), {
    constructor: ChunkLengthError,
    message: "codecs[1]: zlib: encoded bytes hold at least 3 decoded bytes, expected 2",
  });
  assert.equal(mock.callCount(), 1);
});
