// Decodes and encodes every chunk of a chain with transposed orders, compressors and checksums by other implementations.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { loadCodecChain } from "zarr-codecs";
import { registry } from "zarrita";
import { assertEach, assertRejects, ENCODERS, readChains } from "./chain-helpers.mjs";
import { CHAIN_COUNTS, chainChunksOf, consistsOf } from "./chains.mjs";
import { assertSameBytes, atOffset } from "./helpers.mjs";

/** Arrays with automatic shuffling (-1), with which zarrita's blosc does not encode. */
const NOT_ENCODED = ["numcodecs-blosc-zlib", "numcodecs-blosc-zlib-typesize"];

const strideOf = (shape) => shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));

function assertChunk(chunk, { where, shape, components }) {
  assert.equal(chunk.data.constructor, components.constructor, where);
  assertSameBytes(chunk.data, components, where);
  assert.deepEqual(chunk.shape, shape, where);
  assert.deepEqual(chunk.stride, strideOf(shape), where);
}

for (const [file, count] of Object.entries(CHAIN_COUNTS)) {
  const vectors = readChains(file);

  /** Loads the chain of each chunk that consists of these codecs and ours, or of all chunks. */
  async function load(codecs, names) {
    const chunks = [...chainChunksOf(vectors)].filter(
      ({ metadata }) => names === undefined || consistsOf(metadata, names),
    );
    const chains = chunks.map(({ metadata, options }) => loadCodecChain(metadata, { ...options, codecs }));
    return Promise.all(chunks.map(async (chunk, i) => ({ ...chunk, chain: await chains[i] })));
  }

  describe(`chains in ${file}, by ${vectors.writer}`, () => {
    let chunks;
    before(async () => {
      chunks = await load(registry);
    });

    test("are complete", () => {
      assert.equal(vectors.arrays.length, count);
      assert.ok(chunks.length >= count);
    });

    test("have the metadata that the chain reports", async () => {
      await assertEach(chunks, ({ where, metadata, shape, encoded, components, chain }) => {
        assert.equal(chain.dataType, metadata.data_type, where);
        assert.deepEqual(chain.shape, shape, where);
        assert.equal(chain.decodedByteLength, components.byteLength, where);
        const isFixed = consistsOf(metadata);
        assert.equal(chain.encodedByteLength, isFixed ? encoded.length : undefined, where);
      });
    });

    test("decode at any offset, without changing the chunk", async () => {
      await assertEach(chunks, async (chunk) => {
        for (const offset of [0, 3, 8]) {
          const given = atOffset(chunk.encoded, offset);
          assertChunk(await chunk.chain.decode(given), chunk);
          assertSameBytes(given, chunk.encoded, chunk.where);
        }
      });
    });

    test("decode into an array", async () => {
      await assertEach(chunks, async (chunk) => {
        const out = new chunk.components.constructor(chunk.components.length);
        const decoded = await chunk.chain.decode(chunk.encoded, { out });
        assert.equal(decoded.data, out, chunk.where);
        assertChunk(decoded, chunk);
      });
    });

    test("decode all at once", async () => {
      const decoded = await Promise.all(chunks.map(({ chain, encoded }) => chain.decode(encoded)));
      assert.ok(decoded.length > 0);
      decoded.forEach((chunk, i) => {
        assertChunk(chunk, chunks[i]);
      });
    });

    test("decode without codecs of the caller", async () => {
      await assertEach(await load(), async (chunk) => {
        assertChunk(await chunk.chain.decode(chunk.encoded), chunk);
      });
    });

    test("encode to the same bytes with codecs of this package", async () => {
      await assertEach(await load(undefined, []), async ({ where, shape, chain, encoded, components }) => {
        assertSameBytes(await chain.encode(components), encoded, where);
        assertSameBytes(await chain.encode({ data: components, shape }), encoded, where);
      });
    });

    test("encode to bytes that decode to the same", async () => {
      await assertEach(await load(ENCODERS), async (chunk) => {
        const given = chunk.components.slice();
        const encoded = await chunk.chain.encode(given);
        assertSameBytes(given, chunk.components, chunk.where);
        assertChunk(await chunk.chain.decode(encoded), chunk);
      });
    });
  });
}

describe("chains by zarr-python", () => {
  test("of numcodecs.zlib decode as zlib too", async () => {
    const chunks = [...chainChunksOf(readChains("zarr-python.json"))];
    const compressed = chunks.filter(({ name }) => name.startsWith("numcodecs-zlib-"));
    await assertEach(compressed, async (chunk) => {
      const codecs = chunk.metadata.codecs.map(({ name, ...rest }) => ({
        ...rest,
        name: name === "numcodecs.zlib" ? "zlib" : name,
      }));
      const chain = await loadCodecChain({ ...chunk.metadata, codecs });
      assertChunk(await chain.decode(chunk.encoded), chunk);
    });
  });

  test("report that a codec of the caller cannot encode", async () => {
    const chunks = [...chainChunksOf(readChains("zarr-python.json"))];
    const refused = chunks.filter(({ name }) => NOT_ENCODED.includes(name));
    await assertEach(refused, async ({ where, metadata, components }) => {
      const chain = await loadCodecChain(metadata, { codecs: registry });
      await assertRejects(chain.encode(components), ["ExternalCodecError"], where);
    });
  });
});
