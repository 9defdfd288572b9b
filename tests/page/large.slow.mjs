// Slow, and measures time: an array of 256 MB, and many chunks. The page stays responsive.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createCodecChain } from "zarr-codecs";
import { LONGEST_TASK_MS, longestTask, useFolder, usePage } from "./page.mjs";
import { dropPath, expectOpen, integrityOf, viewerOf } from "./sections.mjs";

const SHAPE = [64, 2048, 1024];
const CHUNK = [1, 1024, 256];
const CHUNKS = 64 * 2 * 4;

const METADATA = {
  zarr_format: 3,
  node_type: "array",
  shape: SHAPE,
  data_type: "uint16",
  chunk_grid: { name: "regular", configuration: { chunk_shape: CHUNK } },
  chunk_key_encoding: { name: "default", configuration: { separator: "." } },
  codecs: [{ name: "bytes", configuration: { endian: "big" } }, { name: "crc32c" }],
  fill_value: 0,
  attributes: {},
};

/** Writes the array, with one bit of its last chunk flipped. */
function writeArray(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "zarr.json"), JSON.stringify(METADATA));
  const chain = createCodecChain({ dataType: "uint16", shape: CHUNK, codecs: METADATA.codecs });
  const elements = new Uint16Array(1024 * 256);
  for (let number = 0; number < CHUNKS; number += 1) {
    elements.forEach((_, i) => {
      elements[i] = i * (number + 1);
    });
    const encoded = chain.encode(elements);
    if (number === CHUNKS - 1) encoded[1000] ^= 16;
    writeFileSync(join(folder, `c.${number >> 3}.${(number >> 2) & 1}.${number & 3}`), encoded);
  }
}

describe("256 MB", () => {
  const page = usePage();
  const folder = useFolder();
  const path = join(folder, "large.zarr");
  writeArray(path);

  async function openArray() {
    const tab = await page.open();
    await expectOpen(tab, "Cells");
    await dropPath(tab, path);
    await expectOpen(tab, "large.zarr");
    return tab;
  }

  const longestOfThePage = (tab, work) => longestTask(page.browser, tab, LONGEST_TASK_MS, work);

  test("a long task is measured", async () => {
    const tab = await page.open();
    const work = () =>
      tab.evaluate(
        () =>
          new Promise((resolve) =>
            setTimeout(() => {
              let sum = 0;
              for (let i = 0; i < 3e8; i += 1) sum += i % 7;
              // A task is traced when it has ended.
              setTimeout(() => resolve(sum));
            }),
          ),
      );
    assert.ok((await longestOfThePage(tab, work)) > LONGEST_TASK_MS);
  });

  test("no task of the page takes long while the array is verified", async (t) => {
    const tab = await openArray();
    const end = tab.getByText(/512 of 512 chunks, 267\.9 MB, in/);
    const longest = await longestOfThePage(tab, async () => {
      await tab.getByRole("button", { name: "Verify all" }).click();
      await end.waitFor({ state: "hidden" });
      await end.waitFor({ timeout: 120_000 });
    });
    t.diagnostic(`${await tab.locator("#integrity .hint").textContent()}; longest task: ${longest} ms`);
    assert.ok(longest <= LONGEST_TASK_MS, `a task of ${longest} ms`);
    const { counts, failures } = integrityOf(tab);
    assert.deepEqual(await counts(), { "checksum verified": CHUNKS - 1, damaged: 1 });
    assert.match(await failures.innerText(), /c\.63\.1\.3.*crc32c stored 0x/s);
  });

  test("no task of the page takes long while other slices are shown", async (t) => {
    const tab = await openArray();
    const viewer = viewerOf(tab);
    const longest = await longestOfThePage(tab, async () => {
      for (const index of [5, 9, 23]) {
        await viewer.setSlider("d0", index);
        await viewer.expectText(`d0 ${index}  d1`);
      }
    });
    t.diagnostic(`longest task: ${longest} ms`);
    assert.ok(longest <= LONGEST_TASK_MS, `a task of ${longest} ms`);
  });
});
