// "Your own chunk": every value of chunks that others wrote, and the same values encoded in another way.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sameBytes } from "../js/vectors.mjs";
import {
  CHAINS,
  ownChunkOf,
  parseCell,
  rounded,
  shownComponents,
  TENSORSTORE,
  VECTORS,
  vector,
} from "./own-chunk.mjs";
import { usePage } from "./page.mjs";

const SHOWN = [
  "bool-crc32c-1d",
  "int8-crc32c-1d",
  "int16-big-crc32c-1d",
  "int32-little-crc32c-1d",
  "int64-big-crc32c-1d",
  "uint8-1d",
  "uint16-big-1d",
  "uint32-big-crc32c-3d",
  "uint64-little-crc32c-1d",
  "float16-big-crc32c-1d",
  "float32-big-crc32c-1d",
  "float64-little-crc32c-1d",
  "complex64-big-crc32c-3d",
  "complex128-big-crc32c-1d",
  "float32-big-crc32c-crc32c-1d",
  "float64-big-crc32c-0d",
];
/** Arrays by zarr-python with its default codecs, other compressors and other orders. */
const OF_CHAINS = [
  "default-bool",
  "default-int16",
  "default-float32",
  "default-complex64",
  "default-xarray-x",
  "zstd-9-checksum",
  "blosc-zstd-bitshuffle-float32",
  "blosc-lz4-shuffle-uint16",
  "gzip-9",
  "transpose-201-int16-big-crc32c",
  "transpose-210-blosc",
  "numcodecs-shuffle-zlib-transpose",
  "places-crc32c-blosc-crc32c-zstd-crc32c",
];
const REENCODED = ["int16", "int64", "float16", "float32", "float64", "complex64", "complex128"];

describe("values of your own chunk", () => {
  const page = usePage();

  async function openSection() {
    const ownChunk = ownChunkOf(await page.open("", { acceptDownloads: true }));
    await ownChunk.settled();
    return ownChunk;
  }

  test("every value of chunks by zarr-python and tensorstore", async () => {
    const ownChunk = await openSection();
    for (const [file, name] of [
      ...SHOWN.map((name) => [VECTORS, name]),
      [TENSORSTORE, "r24-1d"],
      ...OF_CHAINS.map((name) => [CHAINS, name]),
    ]) {
      const chunk = vector(name, file);
      await ownChunk.open(chunk);
      assert.equal(await ownChunk.error.count(), 0, name);
      const { data_type: dataType, chunk_grid: grid } = chunk.metadata;
      const cells = await ownChunk.elements(grid.configuration.chunk_shape);
      const shown = cells.flatMap((cell) => parseCell(cell, dataType));
      assert.deepEqual(rounded(shown, dataType), shownComponents(chunk, dataType), name);
    }
  });

  test("values that are encoded again are what zarr-python writes", async () => {
    const ownChunk = await openSection();
    for (const dataType of REENCODED) {
      for (const [from, to] of [
        ["big-crc32c-1d", "little-1d"],
        ["little-3d", "big-crc32c-3d"],
      ]) {
        await ownChunk.open(vector(`${dataType}-${from}`));
        await ownChunk.section.getByLabel("Byte order").selectOption(to.split("-")[0]);
        await ownChunk.section
          .getByRole("checkbox", { name: "with crc32c" })
          .setChecked(to.includes("crc32c"));
        const written = await ownChunk.download(() => ownChunk.button("Download").click());
        assert.ok(sameBytes(written, vector(`${dataType}-${to}`).encoded), `${dataType}: ${from} as ${to}`);
      }
    }
  });
});
