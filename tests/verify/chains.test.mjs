// Chains with codecs of others, as zarr-python, tensorstore and zarrs wrote them: what is proven of their chunks.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fromHex } from "../js/vectors.mjs";
import { MemoryStore } from "../zarrita/stores.mjs";
import { flip, resultsOf, summaryOf, withBytes } from "./helpers.mjs";

/** The writers' files, with the number of arrays in each, so that a test of none cannot pass. */
const FILES = { "zarr-python.json": 254, "tensorstore.json": 216, "zarrs.json": 237 };

const read = (file) =>
  JSON.parse(readFileSync(new URL(`../vectors/chains/${file}`, import.meta.url), "utf8")).arrays;

const storeOf = ({ chunks }) =>
  new MemoryStore(chunks.map(({ key, encoded }) => [`/${key}`, fromHex(encoded)]));

/** Codecs that store a checksum of all they encode, which is verified whoever decodes. */
const CHECKSUM = /^(crc32c|(numcodecs\.)?(gzip|zlib)|numcodecs\.(crc32c?|adler32|fletcher32))$/;
const OWN = /^(transpose|reshape|bytes|crc32c|numcodecs\.(shuffle|crc32c?|adler32|fletcher32))$/;

function proofOf({ codecs }) {
  const names = codecs.map((codec) => codec.name ?? codec);
  if (names.some((name) => CHECKSUM.test(name))) return "checksum";
  // A frame of zstd may have one.
  if (codecs.some(({ configuration }) => configuration?.checksum)) return "checksum";
  return names.every((name) => OWN.test(name)) ? "length" : "decoded";
}

async function stored(array, store = storeOf(array), options = undefined) {
  const results = await resultsOf(store, "/", array.metadata, options);
  return results.filter(({ state }) => state !== "missing");
}

for (const [file, count] of Object.entries(FILES)) {
  test(`${file}: every chunk is sound, with the proof that its codecs allow`, async () => {
    const arrays = read(file);
    assert.equal(arrays.length, count);
    for (const array of arrays) {
      const found = (await stored(array)).map(({ key, state, proof }) => `${key} ${state} ${proof}`);
      const proof = proofOf(array.metadata);
      assert.deepEqual(
        found.sort(),
        array.chunks.map(({ key }) => `${key} sound ${proof}`).sort(),
        array.name,
      );
    }
  });
}

describe("chunks by zarr-python", () => {
  const arrays = Object.fromEntries(read("zarr-python.json").map((array) => [array.name, array]));

  async function damaged(array, change) {
    const store = withBytes(storeOf(array), { [`/${array.chunks[0].key}`]: change });
    const [result] = await stored(array, store);
    assert.equal(summaryOf(result), `${array.chunks[0].key} damaged none`);
    return result;
  }

  test("the checksum of gzip is verified, although zarrita's decoder skips it", async () => {
    const { length } = fromHex(arrays["gzip-9"].chunks[0].encoded);
    const { error } = await damaged(arrays["gzip-9"], flip(length - 8, 0));
    assert.equal(error.code, "checksum_mismatch");
    assert.notEqual(error.stored, error.computed);
  });

  test("half a chunk of the default codecs is damaged", async () => {
    const { error } = await damaged(arrays["default-int16"], (bytes) => bytes.subarray(0, bytes.length / 2));
    assert.deepEqual([error.code, error.path], ["external_codec", "codecs[1]"]);
  });

  test("a chunk of another length is damaged", async () => {
    const other = fromHex(arrays["zstd-one"].chunks[0].encoded);
    const { error } = await damaged(arrays["default-int16"], () => other);
    assert.equal(error.code, "chunk_length");
  });

  test("chunks of a codec that nobody provides are only present, unless a crc32c covers them", async () => {
    const blosc = arrays["blosc-lz4-shuffle-float32"];
    const codecs = blosc.metadata.codecs.map((codec) => (codec.name === "blosc" ? "other" : codec));
    const other = { ...blosc, metadata: { ...blosc.metadata, codecs } };
    const none = await stored(other, storeOf(other), {});
    assert.deepEqual(none.map(summaryOf), [`${blosc.chunks[0].key} sound present`]);
    const covered = arrays["places-blosc-crc32c"];
    const outer = await stored(covered, storeOf(covered), {});
    assert.deepEqual([...new Set(outer.map(({ proof }) => proof))], ["checksum"]);
  });
});
