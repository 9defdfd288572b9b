// The checksum codecs of numcodecs, and crc32c and bytes after or before codecs of numcodecs.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ChecksumMismatchError, ChunkLengthError, createCodecChain } from "zarr-codecs";
import { assertRejects } from "../js/chain-helpers.mjs";
import { withChecksum } from "../js/helpers.mjs";
import { arrayMetadata, elementsOf, MemoryStore, readChunk, registered, storeWith } from "./stores.mjs";
import { VERSIONS } from "./versions.mjs";

const little = { name: "bytes", configuration: { endian: "little" } };
const NAMES = ["numcodecs.crc32c", "numcodecs.crc32", "numcodecs.adler32", "numcodecs.fletcher32"];
const DATA = Int16Array.of(1, -2, 3, 4);
const LENGTH_ERRORS = ["ChunkLengthError"];

/** Reads as a promise of it does, rejected with the error of this package: zarrita 0.7 throws it as the cause of its own. */
const unwrapped = (reading) =>
  reading.catch((error) => {
    throw error.name === "CodecPipelineError" ? error.cause : error;
  });

for (const [version, zarrita] of Object.entries(VERSIONS)) {
  describe(`codecs of numcodecs, zarrita ${version}`, () => {
    for (const name of NAMES) {
      test(`${name} is verified and written`, async () => {
        const codecs = [little, { name }];
        const chunk = createCodecChain({ dataType: "int16", shape: [4], codecs }).encode(DATA);
        const metadata = arrayMetadata({ codecs });
        await registered(zarrita, async () => {
          assert.deepEqual(await readChunk(zarrita, metadata, chunk), [...DATA]);
          for (const at of [0, 5, -1]) {
            const wrong = chunk.with(at, chunk.at(at) ^ 4);
            await assertRejects(
              unwrapped(readChunk(zarrita, metadata, wrong)),
              ["ChecksumMismatchError"],
              name,
            );
          }
          for (const length of [0, 3, 11]) {
            const reading = readChunk(zarrita, metadata, chunk.slice(0, length));
            await assertRejects(unwrapped(reading), LENGTH_ERRORS, `${name}, ${length}`);
          }
          const store = storeWith(metadata);
          const array = await zarrita.open.v3(store, { kind: "array" });
          await zarrita.set(array, null, { data: DATA, shape: [4], stride: [1] });
          assert.deepEqual(store.get("/c/0"), chunk);
          const { data } = await array.getChunk([0]);
          data.fill(0);
          assert.deepEqual(store.get("/c/0"), chunk, "memory of its own");
        });
      });

      test(`${name} does as the option verify says`, async () => {
        const codecs = [little, { name }];
        const chunk = createCodecChain({ dataType: "int16", shape: [4], codecs }).encode(DATA);
        const wrong = chunk.with(name.endsWith("2c") || name.endsWith("fletcher32") ? -1 : 0, 0x5a);
        const seen = [];
        for (const verify of [false, (error) => seen.push(error)]) {
          const read = () => readChunk(zarrita, arrayMetadata({ codecs }), wrong);
          assert.deepEqual(await registered(zarrita, read, { verify }), [...DATA]);
        }
        assert.ok(seen.length === 1 && seen[0] instanceof ChecksumMismatchError);
      });
    }

    test("numcodecs.crc32 may be at the end", async () => {
      const codecs = [little, { name: "numcodecs.crc32", configuration: { location: "end" } }];
      const chunk = createCodecChain({ dataType: "int16", shape: [4], codecs }).encode(DATA);
      const metadata = arrayMetadata({ codecs });
      await registered(zarrita, async () => {
        assert.deepEqual(await readChunk(zarrita, metadata, chunk), [...DATA]);
        const wrong = chunk.with(0, chunk[0] ^ 4);
        await assertRejects(unwrapped(readChunk(zarrita, metadata, wrong)), ["ChecksumMismatchError"], "end");
      });
    });

    test("crc32c after checksums of numcodecs knows its length, and shares no memory with the store", async () => {
      const codecs = [little, { name: "numcodecs.adler32" }, { name: "crc32c" }];
      const chunk = createCodecChain({ dataType: "int16", shape: [4], codecs }).encode(DATA);
      const metadata = arrayMetadata({ codecs });
      await registered(zarrita, async () => {
        assert.deepEqual(await readChunk(zarrita, metadata, chunk), [...DATA]);
        const error = await assertRejects(
          unwrapped(readChunk(zarrita, metadata, chunk.slice(0, -1))),
          LENGTH_ERRORS,
          "a byte less",
        );
        assert.ok(error instanceof ChunkLengthError);
        assert.deepEqual([error.expected, error.actual], [16, 15]);
        const store = storeWith(metadata, { "/c/0": chunk });
        const { data } = await (await zarrita.open.v3(store, { kind: "array" })).getChunk([0]);
        data.fill(0);
        assert.deepEqual(store.get("/c/0"), chunk);
      });
    });
  });
}

describe("codecs of numcodecs, zarrita 0.7", () => {
  const zarrita = VERSIONS["0.7"];
  const shuffle = { name: "numcodecs.shuffle", configuration: { elementsize: 2 } };

  test("crc32c after zarrita's numcodecs.shuffle knows its length", async () => {
    const codecs = [little, shuffle, { name: "crc32c" }];
    const chunk = createCodecChain({ dataType: "int16", shape: [4], codecs }).encode(DATA);
    const metadata = arrayMetadata({ codecs });
    await registered(zarrita, async () => {
      assert.deepEqual(await readChunk(zarrita, metadata, chunk), [...DATA]);
      const reading = readChunk(zarrita, metadata, chunk.slice(0, -1));
      const error = await assertRejects(unwrapped(reading), LENGTH_ERRORS, "a byte less");
      assert.deepEqual([error.expected, error.actual], [12, 11]);
    });
  });

  test("crc32c after strings, whose length is not known", async () => {
    const codecs = [{ name: "vlen-utf8" }, { name: "crc32c" }];
    const metadata = arrayMetadata({ dataType: "string", length: 2, codecs, fill_value: "" });
    const chunk = withChecksum([2, 0, 0, 0, 1, 0, 0, 0, 97, 2, 0, 0, 0, 98, 99]);
    await registered(zarrita, async () => {
      assert.deepEqual(await readChunk(zarrita, metadata, chunk), ["a", "bc"]);
      const reading = readChunk(zarrita, metadata, chunk.with(8, 98));
      await assertRejects(unwrapped(reading), ["ChecksumMismatchError"], "a wrong string");
    });
  });

  test("bytes whose length is no 32-bit integer are rejected", async () => {
    await registered(zarrita, async () => {
      const codec = (await zarrita.registry.get("numcodecs.adler32")()).fromConfig({});
      // Zeros that are never read, so no memory is used.
      const expected = {
        name: "InvalidArgumentError",
        message: /at most 4294967295 bytes .* got 4294967296$/,
      };
      await assert.rejects(async () => codec.decode(new Uint8Array(2 ** 32)), {
        ...expected,
        argument: "encoded",
      });
      await assert.rejects(async () => codec.encode(new Uint8Array(2 ** 32 - 4)), {
        ...expected,
        argument: "decoded",
      });
    });
  });

  test("bytes after a transposition and before a checksum leaves the order to zarrita", async () => {
    const codecs = [{ name: "transpose", configuration: { order: [1, 0] } }, little, { name: "crc32c" }];
    const chunk = createCodecChain({ dataType: "int16", shape: [2, 2], codecs }).encode(DATA);
    const metadata = arrayMetadata({
      codecs,
      shape: [2, 2],
      chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 2] } },
    });
    const store = storeWith(metadata, { "/c/0/0": chunk });
    await registered(zarrita, async () => {
      const array = await zarrita.open.v3(store, { kind: "array" });
      const read = await array.getChunk([0, 0]);
      assert.deepEqual(elementsOf(read), [...DATA]);
      assert.deepEqual(read.stride, [1, 2]);
    });
  });

  /** Reads the only chunk of an array of Zarr v2. */
  async function readVersion2(meta, chunk) {
    const others = { zarr_format: 2, shape: [2], chunks: [2], fill_value: 0, order: "C", compressor: null };
    const json = new TextEncoder().encode(JSON.stringify({ ...others, ...meta }));
    const store = new MemoryStore([
      ["/.zarray", json],
      ["/0", Uint8Array.from(chunk)],
    ]);
    return elementsOf(await (await zarrita.open.v2(store, { kind: "array" })).getChunk([0]));
  }

  test("a location of crc32c is rejected but in Zarr v2", async () => {
    const metadata = arrayMetadata({
      codecs: [little, { name: "crc32c", configuration: { location: "end" } }],
    });
    const reading = registered(zarrita, () => readChunk(zarrita, metadata, withChecksum(new Uint8Array(8))));
    const error = await assertRejects(unwrapped(reading), ["InvalidMetadataError"], "location");
    assert.equal(error.path, "codecs[1].configuration.location");
  });

  test("a filter of Zarr v2 may precede the byte order", async () => {
    const filters = [{ id: "shuffle", elementsize: 4 }];
    const reading = () => readVersion2({ dtype: ">i4", filters }, [0, 255, 0, 255, 0, 255, 7, 255]);
    assert.deepEqual(await registered(zarrita, reading), [7, -1]);
  });

  test("checksums are filters of Zarr v2", async () => {
    const filters = [{ id: "crc32c", location: "end" }];
    const chunk = withChecksum([0, 0, 0, 7, 255, 255, 255, 255]);
    await registered(zarrita, async () => {
      assert.deepEqual(await readVersion2({ dtype: ">i4", filters }, chunk), [7, -1]);
      const reading = readVersion2({ dtype: ">i4", filters }, chunk.with(0, 1));
      await assertRejects(unwrapped(reading), ["ChecksumMismatchError"], "a wrong checksum");
      const text = withChecksum([97, 0, 0, 0, 98, 0, 0, 0]);
      assert.deepEqual(await readVersion2({ dtype: "<U1", filters }, text), ["a", "b"]);
    });
  });
});
