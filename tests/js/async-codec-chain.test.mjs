// The options and arguments of chains with codecs of others: as those of other chains.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  AsyncCodecChain,
  ChecksumMismatchError,
  ChunkLengthError,
  InvalidArgumentError,
  loadCodecChain,
  openShard,
} from "zarr-codecs";
import { assertRejects } from "./chain-helpers.mjs";
import { assertSameBytes, assertThrows, withChecksum } from "./helpers.mjs";

const CODECS = [
  { name: "bytes", configuration: { endian: "big" } },
  { name: "gzip", configuration: { level: 1 } },
  { name: "crc32c" },
];
const BYTES = Uint8Array.of(0, 1, 0, 2, 0, 3);
const ENCODED = withChecksum(gzipSync(BYTES));
const load = (options) => loadCodecChain({ dataType: "uint16", shape: [3], codecs: CODECS }, options);

describe("a chain with codecs of others", () => {
  test("is not constructed", () => {
    const message = "AsyncCodecChain cannot be constructed: use loadCodecChain";
    assertThrows(() => new AsyncCodecChain(), InvalidArgumentError, { argument: "AsyncCodecChain", message });
  });

  test("decodes into out, and encodes into out", async () => {
    const chain = await load();
    const out = new Uint16Array(3);
    assert.equal((await chain.decode(ENCODED, { out })).data, out);
    assert.deepEqual(out, Uint16Array.of(1, 2, 3));
    const encoded = await chain.encode(out);
    const bytes = new Uint8Array(encoded.length);
    assert.equal(await chain.encode(out, { out: bytes }), bytes);
    assertSameBytes(bytes, encoded);
    await assert.rejects(chain.encode(out, { out: new Uint8Array(3) }), {
      name: "InvalidArgumentError",
      argument: "out",
      message: `out: expected Uint8Array of ${encoded.length} elements, got Uint8Array of 3`,
    });
    await assert.rejects(chain.encode(out, { out: new Int8Array(3) }), {
      name: "InvalidArgumentError",
      argument: "out",
      message: `out: expected Uint8Array of ${encoded.length} elements, got Int8Array of 3`,
    });
  });

  test("verifies checksums unless it is told not to", async () => {
    const wrong = ENCODED.with(-1, ENCODED.at(-1) ^ 1);
    const chain = await load();
    await assertRejects(chain.decode(wrong), ["ChecksumMismatchError"], "by default");
    await assertRejects(chain.decode(wrong, { verify: true }), ["ChecksumMismatchError"], "true");
    assert.deepEqual((await chain.decode(wrong, { verify: false })).data, Uint16Array.of(1, 2, 3));
    const lenient = await load({ verify: false });
    assert.deepEqual((await lenient.decode(wrong)).data, Uint16Array.of(1, 2, 3));
    await assertRejects(lenient.decode(wrong, { verify: true }), ["ChecksumMismatchError"], "of the call");
  });

  test("names the argument that is wrong", async () => {
    const chain = await load();
    for (const [reading, argument] of [
      [chain.decode("bytes"), "encoded"],
      [chain.encode("data"), "chunk"],
      [chain.encode(new Int16Array(3)), "chunk"],
      [chain.decode(ENCODED, { out: new Int16Array(3) }), "out"],
    ]) {
      await assert.rejects(reading, { name: "InvalidArgumentError", argument });
    }
    await assert.rejects(chain.encode(new Uint16Array(2)), ChunkLengthError);
    const detached = new Uint16Array(3);
    structuredClone(detached, { transfer: [detached.buffer] });
    await assert.rejects(chain.encode(detached), { name: "InvalidArgumentError", argument: "chunk" });
  });

  test("has the configuration of codecs of others as it is", async () => {
    const configuration = { level: null, list: [null, { a: 1 }] };
    const same = { encode: (bytes) => bytes, decode: (bytes) => bytes };
    const { codecs } = await loadCodecChain(
      { dataType: "uint16", shape: [3], codecs: [CODECS[0], { name: "other", configuration }] },
      { codecs: new Map([["other", () => ({ fromConfig: () => same })]]) },
    );
    assert.deepEqual(codecs[1], { name: "other", configuration });
    assert.ok(Object.isFrozen(codecs[1].configuration.list[1]));
  });

  test("does not encode into the memory of a codec of others", async () => {
    const memory = new Uint8Array(6);
    const encode = (bytes) => {
      memory.set(bytes);
      return memory;
    };
    const chain = await loadCodecChain(
      { dataType: "uint16", shape: [3], codecs: [CODECS[0], "other"] },
      { codecs: new Map([["other", () => ({ fromConfig: () => ({ encode, decode: encode }) })]]) },
    );
    assertSameBytes(await chain.encode(Uint16Array.of(1, 2, 3)), BYTES);
    await assert.rejects(chain.encode(Uint16Array.of(1, 2, 3), { out: memory }), {
      name: "InvalidArgumentError",
      argument: "out",
      message: "out overlaps the encoded bytes",
    });
  });

  test("says that a chunk for a codec of others cannot be read", async () => {
    const same = { kind: "array_to_array", encode: (chunk) => chunk, decode: (chunk) => chunk };
    const chain = await loadCodecChain(
      { dataType: "uint16", shape: [3], codecs: ["other", CODECS[0]] },
      { codecs: new Map([["other", () => ({ fromConfig: () => same })]]) },
    );
    const chunk = Object.defineProperty({}, "data", { get: () => assert.fail("mine") });
    await assert.rejects(chain.encode(chunk), {
      name: "InvalidArgumentError",
      argument: "chunk",
      message: "chunk could not be read",
    });
  });

  test("opens shards of inner chunks that codecs of others encode", async () => {
    const configuration = { chunk_shape: [2], codecs: CODECS, index_codecs: [CODECS[0], { name: "crc32c" }] };
    const chain = await loadCodecChain({
      dataType: "uint16",
      shape: [6],
      fillValue: 0,
      codecs: [{ name: "sharding_indexed", configuration }],
    });
    const encoded = await chain.encode(Uint16Array.of(1, 2, 0, 0, 5, 6));
    const shard = await openShard(chain, encoded);
    assert.deepEqual((await shard.decode([2])).data, Uint16Array.of(5, 6));
    assert.equal(await shard.decode([1]), undefined);
    encoded[shard.range([0]).offset + 12] ^= 1;
    await assertRejects(shard.decode([0]), ["ChecksumMismatchError"], "a damaged inner chunk");
  });

  test("finds damage of what the codec of others decodes", async () => {
    const inner = [CODECS[0], { name: "crc32c" }, CODECS[1]];
    const chain = await loadCodecChain({ dataType: "uint16", shape: [3], codecs: inner });
    const sound = withChecksum(BYTES);
    assert.deepEqual((await chain.decode(gzipSync(sound))).data, Uint16Array.of(1, 2, 3));
    await assert.rejects(chain.decode(gzipSync(sound.with(1, 9))), ChecksumMismatchError);
  });
});
