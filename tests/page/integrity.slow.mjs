// Slow: many tabs of a browser.
//
// "Integrity": sound, damaged and missing chunks, and those without a checksum.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { crc32c } from "zarr-codecs";
import { fromHex } from "../js/vectors.mjs";
import { CHAINS } from "./own-chunk.mjs";
import { useFolder, usePage } from "./page.mjs";
import {
  breakAByteOf,
  dropPath,
  EXPECTED,
  expectOpen,
  hex,
  integrityOf,
  OURS,
  VERIFIED,
} from "./sections.mjs";

const CHUNKS = 30;

/** One byte and its checksum, in which `mistake` flips bits. */
function withChecksum(byte, mistake = 0) {
  const bytes = new Uint8Array(5);
  bytes[0] = byte;
  const stored = (crc32c(bytes.subarray(0, 1)) ^ mistake) >>> 0;
  new DataView(bytes.buffer).setUint32(1, stored, true);
  return bytes;
}

describe("integrity", () => {
  const page = usePage();
  const folder = useFolder();

  async function openPage() {
    const tab = await page.open();
    await expectOpen(tab, "Cells");
    return { tab, integrity: integrityOf(tab) };
  }

  /** Opens a store of one array of `bool` in which each chunk is one element. */
  async function openChunks(name, codecs, chunks, length = chunks.length) {
    const { tab, integrity } = await openPage();
    const store = join(folder, name);
    mkdirSync(join(store, "c"), { recursive: true });
    const metadata = {
      zarr_format: 3,
      node_type: "array",
      data_type: "bool",
      shape: [length],
      codecs,
      chunk_grid: { name: "regular", configuration: { chunk_shape: [1] } },
      chunk_key_encoding: { name: "default" },
      fill_value: false,
    };
    writeFileSync(join(store, "zarr.json"), JSON.stringify(metadata));
    for (const [number, chunk] of chunks.entries()) writeFileSync(join(store, `c/${number}`), chunk);
    await dropPath(tab, store);
    await expectOpen(tab, name);
    return { tab, integrity };
  }

  test("all chunks are verified, and each shows what is proven of it", async () => {
    const { tab, integrity } = await openPage();
    const { checksums } = EXPECTED.cells[0];
    assert.equal(checksums.filter((checksum) => checksum === null).length, VERIFIED.missing);
    assert.deepEqual(await integrity.verifyAll(), VERIFIED);
    await integrity.detailOf(0);
    for (const [number, checksum] of checksums.slice(1, 30).entries()) {
      await tab.keyboard.press("ArrowRight");
      const expected = checksum
        ? "✓ checksum verified Meaning All of its bytes are covered by a checksum, which is right. Bytes 516"
        : "missing Meaning The store does not have it";
      assert.ok((await integrity.detail()).includes(expected), expected);
      if (checksum === null || number > 6) continue;
      // Read again once somebody looks at it for a moment.
      await integrity.section.getByText(hex(checksum)).first().waitFor();
      assert.ok(
        (await integrity.detail()).includes(
          `Stored checksum ${hex(checksum)} Computed ${hex(checksum)} Bytes`,
        ),
      );
    }
    // The first cell of the second block, under the pointer.
    const canvas = await integrity.grid.locator("canvas").boundingBox();
    await tab.mouse.move(canvas.x + 140 + 14 + 8, canvas.y + 16 + 8 + 14);
    assert.match(await integrity.detail(), /^0\/c\/0\/0\/0\/0 \[0, 1, 1, 0\] ✓ checksum verified/);
  });

  test("verifying can be cancelled", async () => {
    const { tab, integrity } = await openPage();
    await tab.context().route("**/c/**", () => {}); // Not answered.
    await integrity.start();
    await integrity.section.getByRole("button", { name: "Cancel" }).click();
    await tab.getByText(/: cancelled$/).waitFor();
  });

  test("the reasons of failures are listed, and how many more there are", async () => {
    const wrong = Array.from({ length: CHUNKS - 3 }, () => withChecksum(1, 1 << 9));
    const chunks = [withChecksum(1), withChecksum(1).subarray(1), withChecksum(2), ...wrong];
    const { integrity } = await openChunks("failures.zarr", ["bytes", "crc32c"], chunks);
    assert.deepEqual(await integrity.verify(), { "checksum verified": 1, damaged: CHUNKS - 1 });
    const failures = await integrity.failures.allInnerTexts();
    assert.equal(failures.length, 21);
    assert.match(failures[0], /^✗ damaged c\/1 encoded chunk is 4 bytes, expected 5/);
    assert.equal(failures.at(-1), `and ${CHUNKS - 1 - 20} more`);

    const tooShort = await integrity.detailOf(1);
    assert.match(tooShort, /^c\/1 ✗ damaged Error encoded chunk is 4 bytes, expected 5/);
    assert.doesNotMatch(tooShort, /checksum 0x|Computed/);
    assert.match(await integrity.detailOf(2), /^c\/2 ✗ damaged Error bool element 0 is 2/);
    const mismatch = await integrity.detailOf(3);
    const sum = crc32c(Uint8Array.of(1));
    const texts = `Stored checksum ${hex((sum ^ (1 << 9)) >>> 0)} Computed ${hex(sum)}`;
    assert.ok(mismatch.includes(texts), mismatch);
  });

  test("without a checksum nothing is verified, but a wrong length is found", async () => {
    const chunks = [Uint8Array.of(1), Uint8Array.of(1, 0)];
    const { integrity } = await openChunks("lengths.zarr", ["bytes"], chunks);
    assert.deepEqual(await integrity.verify(), { "right length, no checksum": 1, damaged: 1 });
    assert.match(
      await integrity.detailOf(0),
      /– right length, no checksum .*changed elements would not be noticed/,
    );
    assert.match(await integrity.detailOf(1), /✗ damaged Error encoded chunk is 2 bytes, expected 1/);
  });

  test("chunks of zarr-python's default codecs are decoded, and damaged ones found", async () => {
    const { arrays } = CHAINS;
    const { metadata, chunks } = arrays.find(({ name }) => name === "zstd-0");
    const { tab, integrity } = await openPage();
    const store = join(folder, "default.zarr");
    mkdirSync(join(store, "c"), { recursive: true });
    writeFileSync(join(store, "zarr.json"), JSON.stringify(metadata));
    for (const { key, encoded } of chunks) writeFileSync(join(store, key), fromHex(encoded));
    writeFileSync(join(store, "c/1"), fromHex(chunks[1].encoded).subarray(0, -1));
    await dropPath(tab, store);
    await expectOpen(tab, "default.zarr");
    await tab.locator("#viewer").getByText("c/1: ExternalCodecError: codecs[1]: zstd: ").waitFor();
    assert.deepEqual(await integrity.verify(), { "decoded, no checksum": 2, damaged: 1 });
    assert.match(await integrity.detailOf(0), /◐ decoded, no checksum Meaning .*no checksum covers it/);
    assert.match(await integrity.detailOf(1), /✗ damaged Error codecs\[1\]: zstd: /);
    const report = await integrity.report();
    assert.match(report, /^3 chunks: 1 damaged, 2 decoded, no checksum; /m);
    assert.match(report, /^damaged: c\/1: codecs\[1\]: zstd: /m);
  });

  test("a chain whose format has a checksum is not said to have none", async () => {
    const { metadata, chunks } = CHAINS.arrays.find(({ metadata }) =>
      metadata.codecs.some(({ name }) => name === "gzip"),
    );
    const { tab } = await openPage();
    const store = join(folder, "gzip.zarr");
    mkdirSync(store);
    writeFileSync(join(store, "zarr.json"), JSON.stringify(metadata));
    for (const { key, encoded } of chunks) {
      mkdirSync(join(store, dirname(key)), { recursive: true });
      writeFileSync(join(store, key), fromHex(encoded));
    }
    await dropPath(tab, store);
    await expectOpen(tab, "gzip.zarr");
    const breakAByte = breakAByteOf(tab);
    await breakAByte.bits.getByText("in the middle of the compressed chunk").waitFor();
    assert.equal(await breakAByte.section.getByText("has no c").count(), 0);
    await breakAByte.flip();
    await breakAByte.expectVerdict(OURS, /^✗ /);
  });

  test("a report that the browser does not let into the clipboard is an error", async () => {
    const { tab, integrity } = await openPage();
    await integrity.verifyAll();
    await tab.context().grantPermissions(["geolocation"]); // And no others.
    await integrity.section.getByRole("button", { name: "Copy report" }).click();
    await tab.getByText("The report could not be copied.").waitFor();
  });

  test("among thousands of chunks the keyboard scrolls to its cell, and failures are larger", async () => {
    const chunks = [withChecksum(1, 1), withChecksum(1), withChecksum(1, 1)];
    const { tab, integrity } = await openChunks("thousands.zarr", ["bytes", "crc32c"], chunks, 13_000);
    const counts = { "checksum verified": 1, damaged: 2, missing: 12_997 };
    assert.deepEqual(await integrity.verify(), counts);
    const { grid } = integrity;
    const [, verified, failed] = await grid.locator("canvas").evaluate((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(1, 1, 15, 5);
      const counts = [0, 0, 0];
      for (let pixel = 0; pixel < 75; pixel += 1) {
        if (data[4 * pixel + 3] > 127) counts[Math.floor((pixel % 15) / 5)] += 1;
      }
      return counts;
    });
    assert.equal(failed, 25);
    assert.ok(verified < 12, `${verified} pixels`);

    const hidden = () =>
      grid.evaluate(({ scrollTop, scrollHeight, clientHeight }) => [
        scrollTop,
        scrollHeight - clientHeight - scrollTop,
      ]);
    await grid.focus();
    await tab.keyboard.press("End");
    const [above, below] = await hidden();
    assert.ok(above > 100 && below < 30, `${above} above, ${below} below`);
    await tab.keyboard.press("Home");
    assert.ok((await hidden())[0] < 5);
  });
});
