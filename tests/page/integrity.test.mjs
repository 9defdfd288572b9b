// Verifying in Chromium: what is said of chunks that are wrong, and of those of which nobody can tell.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { crc32c } from "zarr-codecs";
import { dropPath, startPage, verifyAll } from "./page.mjs";

const CHUNKS = 30;

describe("integrity", () => {
  let page;
  let folder;
  let tab;
  let problems;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "page-"));
    page = await startPage();
    ({ tab, problems } = await page.open({
      viewport: { width: 1280, height: 900 },
      reducedMotion: "reduce",
    }));
    await tab.getByText("Open: Cells").waitFor();
  });

  after(async () => {
    await page?.close();
    rmSync(folder, { recursive: true });
  });

  const detail = async () => (await tab.locator("#integrity .detail").innerText()).replaceAll(/\s+/g, " ");

  /** Drops a store of one array of `bool`, whose chunks have one element each. */
  async function dropChunks(name, codecs, chunks, length = chunks.length) {
    const store = join(folder, name);
    mkdirSync(join(store, "c"), { recursive: true });
    const metadata = {
      ...{ zarr_format: 3, node_type: "array", data_type: "bool", shape: [length], codecs },
      chunk_grid: { name: "regular", configuration: { chunk_shape: [1] } },
      ...{ chunk_key_encoding: { name: "default" }, fill_value: false },
    };
    writeFileSync(join(store, "zarr.json"), JSON.stringify(metadata));
    for (const [number, chunk] of chunks.entries()) writeFileSync(join(store, `c/${number}`), chunk);
    await dropPath(tab, store);
    await tab.getByText(`Open: ${name}`).waitFor();
  }

  /** One byte and its checksum, or another one. */
  function withChecksum(byte, mistake = 0) {
    const bytes = new Uint8Array(5);
    bytes[0] = byte;
    const stored = (crc32c(bytes.subarray(0, 1)) ^ mistake) >>> 0;
    new DataView(bytes.buffer).setUint32(1, stored, true);
    return bytes;
  }

  async function detailOf(number) {
    const grid = tab.locator("#integrity .chunk-grid");
    await grid.focus();
    await tab.keyboard.press("Home");
    for (let at = 0; at < number; at += 1) await tab.keyboard.press("ArrowRight");
    return detail();
  }

  test("the reason of every failure is told, and how many more there are", async () => {
    const wrong = Array.from({ length: CHUNKS - 3 }, () => withChecksum(1, 1 << 9));
    const chunks = [withChecksum(1), withChecksum(1).subarray(1), withChecksum(2), ...wrong];
    await dropChunks("failures.zarr", ["bytes", "crc32c"], chunks);
    assert.deepEqual(await verifyAll(tab), { unchecked: 0, verified: 1, failed: CHUNKS - 1, missing: 0 });
    const failures = await tab.locator("#integrity .failures li").allInnerTexts();
    assert.equal(failures.length, 21);
    assert.match(failures[0], /^✗ c\/1 ChunkLengthError: /);
    assert.equal(failures.at(-1), `and ${CHUNKS - 1 - 20} more`);

    const tooShort = await detailOf(1);
    assert.match(
      tooShort,
      /^c\/1 ✗ failed Bytes 4 .*Error ChunkLengthError: encoded chunk is 4 bytes, expected 5/,
    );
    assert.doesNotMatch(tooShort, /checksum 0x|Computed/);
    const checksum = `0x${crc32c(Uint8Array.of(2)).toString(16).padStart(8, "0")}`;
    assert.match(
      await detailOf(2),
      new RegExp(
        `Stored checksum ${checksum} Computed ${checksum} .*Error InvalidElementError: bool element 0 is 2`,
      ),
    );
    const mismatch = await detailOf(3);
    assert.match(mismatch, /Stored checksum 0x.* Computed 0x/);
    assert.doesNotMatch(mismatch, /Error/);
  });

  test("without a checksum nothing is verified; a wrong length is found", async () => {
    await dropChunks("lengths.zarr", ["bytes"], [Uint8Array.of(1), Uint8Array.of(1, 0)]);
    assert.deepEqual(await verifyAll(tab), { unchecked: 1, verified: 0, failed: 1, missing: 0 });
    assert.match(await detailOf(0), /not checked .*Note no checksum in the codec chain/);
    assert.match(await detailOf(1), /✗ failed .*Error ChunkLengthError/);
  });

  test("a bit that is hidden where there is no checksum is found by nobody, and the page says so", async () => {
    await tab.getByRole("button", { name: "A world of data types" }).click();
    await tab.getByText("Open: A world").waitFor();
    await tab
      .locator("#viewer")
      .getByRole("button", { name: /^elevation/ })
      .click();
    await tab.getByRole("button", { name: "Hide one somewhere" }).click();
    const said = tab.locator("#break-a-byte").getByText("One bit of this array is flipped now");
    await said.waitFor();
    assert.match(await said.innerText(), /flipped now\. Without a crc32c, nothing can locate it\.$/);
    assert.deepEqual(await verifyAll(tab), { unchecked: 9, verified: 0, failed: 0, missing: 0 });
    await tab.getByRole("button", { name: "Restore it" }).click();
  });

  test("a report that the browser does not let into the clipboard is complained about", async () => {
    await verifyAll(tab);
    await tab.context().grantPermissions(["geolocation"]); // And no others.
    await tab.getByRole("button", { name: "Copy report" }).click();
    await tab.getByText("The report could not be copied.").waitFor();
    await tab.context().clearPermissions();
  });

  test("among thousands of chunks the keyboard scrolls to its own, and failures are larger than the rest", async () => {
    const chunks = [withChecksum(1, 1), withChecksum(1), withChecksum(1, 1)];
    await dropChunks("thousands.zarr", ["bytes", "crc32c"], chunks, 13_000);
    assert.deepEqual(await verifyAll(tab), { unchecked: 0, verified: 1, failed: 2, missing: 12_997 });
    const grid = tab.locator("#integrity .chunk-grid");
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

  test("nothing is written to the console", () => {
    assert.deepEqual(problems, []);
  });
});
