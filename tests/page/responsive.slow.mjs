// Slow, and measures time: large stores and chunks are opened at once, and the page stays responsive.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { MOST_TO_OPEN_MS, writeMany } from "./many.mjs";
import { ownChunkOf } from "./own-chunk.mjs";
import { LONGEST_TASK_MS, longestTask, useFolder, usePage } from "./page.mjs";
import { dropPath, expectOpen, integrityOf, viewerOf } from "./sections.mjs";
import { encoded, startServer } from "./server.mjs";

/** Decoding 64 MiB and scanning so many elements takes several times as long. */
const LONGEST_TO_DECODE_MS = 150;

describe("the page stays responsive", () => {
  const page = usePage();
  const folder = useFolder();

  test("no task of the page takes long while an array of 111,556 chunks is opened", async (t) => {
    const metadata = {
      zarr_format: 3,
      node_type: "array",
      shape: [1000, 1000],
      data_type: "uint8",
      fill_value: 0,
      codecs: ["bytes"],
      attributes: {},
      chunk_key_encoding: { name: "default" },
      chunk_grid: { name: "regular", configuration: { chunk_shape: [3, 3] } },
    };
    const files = new Map([["many.zarr/zarr.json", encoded(metadata)]]);
    const chunk = Uint8Array.from({ length: 9 }, (_, i) => i);
    for (let row = 0; row < 334; row += 1) {
      for (let column = 0; column < 334; column += 1) files.set(`many.zarr/c/${row}/${column}`, chunk);
    }
    const server = await startServer(files);
    const tab = await page.open();
    await viewerOf(tab).expectImage();
    const address = tab.getByLabel("Address of a store");
    const longest = await longestTask(page.browser, tab, LONGEST_TASK_MS, async () => {
      await address.fill(`${server.url}many.zarr`);
      await address.press("Enter");
      await viewerOf(tab).expectText("d0 ");
      await tab.waitForTimeout(2000);
    });
    t.diagnostic(`longest task: ${longest} ms`);
    assert.ok(longest <= LONGEST_TASK_MS, `a task of ${longest} ms`);
  });

  test("a folder of 102,400 files opens at once, and shows how far its verification is", async (t) => {
    const store = join(folder, "many.zarr");
    writeMany(store);
    const tab = await page.open();
    await expectOpen(tab, "Cells");
    const start = performance.now();
    const since = () => Math.round(performance.now() - start);
    await dropPath(tab, store);
    await expectOpen(tab, "many.zarr");
    const viewer = viewerOf(tab);
    await viewer.expectText("d0 ");
    t.diagnostic(`the picture is there after ${since()} ms`);
    assert.ok(since() < MOST_TO_OPEN_MS, `${since()} ms`);
    assert.equal(await viewer.section.locator(".notice").isVisible(), false);

    // Verifying all of them takes a minute or more, as many-files.slow.mjs does.
    const integrity = integrityOf(tab);
    await integrity.start();
    await integrity.section.getByText(/^\d,\d+ of 102,400 chunks/).waitFor();
    await integrity.section.getByRole("button", { name: "Cancel" }).click();
    await integrity.section.getByText(/: cancelled$/).waitFor();
    const { "checksum verified": verified, "not checked": unchecked, damaged = 0 } = await integrity.counts();
    assert.equal(verified + unchecked + damaged, 102_400);
    assert.ok(verified >= 1000);
  });

  test("a chunk of 64 MiB leaves the page responsive", async () => {
    const tab = await page.open();
    const { section, paste, settled } = ownChunkOf(tab);
    await settled();
    const path = join(folder, "large");
    writeFileSync(path, Buffer.alloc(64 << 20, 63));
    await paste({
      dataType: "float32",
      shape: [4096, 4096],
      codecs: [{ name: "bytes", configuration: { endian: "big" } }],
    });
    const longest = await longestTask(page.browser, tab, LONGEST_TO_DECODE_MS, async () => {
      await section.getByLabel("Pick a chunk file").setInputFiles(path);
      await section.getByText("Float32Array of 16,777,216").waitFor({ timeout: 60_000 });
      await settled();
    });
    assert.ok(longest <= LONGEST_TO_DECODE_MS, `a task of ${longest} ms`);
  });
});
