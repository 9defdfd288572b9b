// Damages chunks by other implementations as their formats can reveal it, and expects the class of error that follows.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isZarrCodecError, loadCodecChain } from "zarr-codecs";
import { registry } from "zarrita";
import { assertEach, assertRejects, readChains } from "./chain-helpers.mjs";
import { chainChunksOf, DAMAGE_COUNT, damagedChunks, randomIntegers } from "./chains.mjs";
import { assertSameBytes, RUNS } from "./helpers.mjs";

describe("a damaged chunk", () => {
  const described = readChains("damaged.json");

  test("is there for every damage", () => {
    assert.equal([...damagedChunks(described, readChains)].length, DAMAGE_COUNT);
    for (const { where, sound, damaged } of damagedChunks(described, readChains)) {
      assert.notDeepEqual(damaged, sound, where);
    }
  });

  for (const each of described) {
    const damages = [...damagedChunks([each], readChains)];
    const [{ metadata, sound }] = damages;
    const providers = { "zarrita's codecs": registry, "no codecs of the caller": undefined };
    for (const [provider, codecs] of Object.entries(providers)) {
      test(`of ${each.array}, ${each.chunk} (${each.file}) is found with ${provider}`, async () => {
        const chain = await loadCodecChain(metadata, { codecs });
        const { data } = await chain.decode(sound);
        await assertEach(damages, async ({ where, damaged, expected }) => {
          const given = damaged.slice();
          await assertRejects(chain.decode(given), expected, where);
          assertSameBytes(given, damaged, where);
        });
        assertSameBytes((await chain.decode(sound)).data, data, each.array);
      });
    }
  }
});

/** The arrays in which a checksum is computed after the compressor, and before it. */
const COMPRESSORS = {
  blosc: ["places-blosc-crc32c", "places-crc32c-blosc"],
  zstd: ["places-zstd-crc32c", "places-crc32c-zstd"],
  gzip: ["places-gzip-crc32c", "places-crc32c-crc32c-gzip"],
};
const FLIPS = 2 * RUNS;

/** Loads the chain of an array, and returns a function that decodes one of its chunks with a random bit flipped. */
async function flipper(file, array) {
  const chunks = [...chainChunksOf(readChains(file))].filter(({ name }) => name === array);
  const chain = await loadCodecChain(chunks[0].metadata, { codecs: registry });
  const random = randomIntegers(array.length);
  return () => {
    const { encoded, components } = chunks[random(chunks.length)];
    const damaged = encoded.slice();
    const bit = random(8 * damaged.length);
    damaged[bit >> 3] ^= 1 << (bit & 7);
    return { where: `${file}, ${array}, bit ${bit}`, components, decoding: chain.decode(damaged) };
  };
}

for (const file of ["zarr-python.json", "tensorstore.json", "zarrs.json"]) {
  for (const [compressor, [behind, before]] of Object.entries(COMPRESSORS)) {
    test(`every one of ${FLIPS} flipped bits in ${behind} (${file}) is a wrong checksum`, async () => {
      const flip = await flipper(file, behind);
      await assertEach(Array(FLIPS), async () => {
        const { where, decoding } = flip();
        await assertRejects(decoding, ["ChecksumMismatchError"], where);
      });
    });

    test(`none of ${FLIPS} flipped bits in ${before} (${file}) changes what ${compressor} decodes to`, async () => {
      const flip = await flipper(file, before);
      let found = 0;
      await assertEach(Array(FLIPS), async () => {
        const { where, components, decoding } = flip();
        try {
          // Not every bit matters: a header of gzip has a time.
          assertSameBytes((await decoding).data, components, where);
        } catch (error) {
          if (!isZarrCodecError(error)) throw error;
          found += 1;
        }
      });
      assert.ok(found > 0.8 * FLIPS, `${found} found`);
    });
  }
}
