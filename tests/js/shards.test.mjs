// Decodes and encodes every shard of other implementations.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { createCodecChain, loadCodecChain } from "zarr-codecs";
import { registry } from "zarrita";
import { assertEach, ENCODERS } from "./chain-helpers.mjs";
import { chainChunksOf } from "./chains.mjs";
import { assertSameBytes, atOffset, readVectors } from "./helpers.mjs";
import { isOwn, SHARD_COUNTS } from "./shards.mjs";

/** As the vectors hold elements of `float16`. */
const BITS = { float16: "bits" };

const strideOf = (shape) => shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));

function assertShard(chunk, { where, shape, components }) {
  assert.equal(chunk.data.constructor, components.constructor, where);
  assertSameBytes(chunk.data, components, where);
  assert.deepEqual(chunk.shape, shape, where);
  assert.deepEqual(chunk.stride, strideOf(shape), where);
}

for (const [file, count] of Object.entries(SHARD_COUNTS)) {
  const vectors = readVectors(`shards/${file}`);
  const all = [...chainChunksOf(vectors)];

  describe(`shards in ${file}, by ${vectors.writer}`, () => {
    let own;
    let loaded;
    before(async () => {
      own = all
        .filter(({ metadata }) => isOwn(metadata))
        .map((shard) => ({ ...shard, chain: createCodecChain(shard.metadata, BITS) }));
      loaded = await Promise.all(
        all.map(async (shard) => ({
          ...shard,
          chain: await loadCodecChain(shard.metadata, { ...BITS, codecs: registry }),
        })),
      );
    });

    test("are complete", () => {
      assert.equal(vectors.arrays.length, count);
      assert.ok(own.length > 40);
      assert.ok(loaded.length > own.length);
    });

    test("have the metadata that the chain reports", async () => {
      await assertEach(loaded, ({ where, metadata, shape, components, chain }) => {
        assert.equal(chain.dataType, metadata.data_type, where);
        assert.deepEqual(chain.shape, shape, where);
        assert.equal(chain.decodedByteLength, components.byteLength, where);
        assert.equal(chain.encodedByteLength, undefined, where);
        assert.equal(chain.codecs.length, metadata.codecs.length, where);
      });
    });

    test("decode at any offset, without changing the shard", async () => {
      await assertEach(own, (shard) => {
        for (const offset of [0, 3, 8]) {
          const given = atOffset(shard.encoded, offset);
          assertShard(shard.chain.decode(given), shard);
          assertSameBytes(given, shard.encoded, shard.where);
        }
      });
      await assertEach(loaded, async (shard) => {
        assertShard(await shard.chain.decode(atOffset(shard.encoded, 3)), shard);
      });
    });

    test("decode into an array", async () => {
      await assertEach(loaded, async (shard) => {
        const out = new shard.components.constructor(shard.components.length);
        const decoded = await shard.chain.decode(shard.encoded, { out });
        assert.equal(decoded.data, out, shard.where);
        assertShard(decoded, shard);
      });
    });

    test("encode to bytes that decode to the same", async () => {
      await assertEach(all, async (shard) => {
        const chain = await loadCodecChain(shard.metadata, { ...BITS, codecs: ENCODERS });
        const given = shard.components.slice();
        const encoded = await chain.encode(given);
        assertSameBytes(given, shard.components, shard.where);
        assertShard(await chain.decode(encoded), shard);
        if (isOwn(shard.metadata)) assert.equal(encoded.length, shard.encoded.length, shard.where);
      });
    });
  });
}

test("shards encode to the bytes of zarrs, which also writes inner chunks in C order", async () => {
  const shards = [...chainChunksOf(readVectors("shards/zarrs.json"))];
  await assertEach(
    shards.filter(({ metadata }) => isOwn(metadata)),
    ({ where, metadata, encoded, components }) => {
      assertSameBytes(createCodecChain(metadata, BITS).encode(components), encoded, where);
    },
  );
});
