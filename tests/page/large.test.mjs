// An array of 256 MB in Chromium: while it is verified, the page answers at once.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createCodecChain } from "zarr-codecs";
import { dropPath, longestTask, startPage } from "./page.mjs";

const TARGET = fileURLToPath(new URL("../../target", import.meta.url));
const SHAPE = [64, 2048, 1024];
const CHUNK = [1, 1024, 256];
const CHUNKS = 64 * 2 * 4;
/** Longer than this, and people notice. */
const LONGEST_TASK_MS = 50;

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

describe("256 MB in Chromium", () => {
  let page;
  let folder;
  let tab;

  before(async () => {
    mkdirSync(TARGET, { recursive: true });
    folder = mkdtempSync(join(TARGET, "large-"));
    writeArray(join(folder, "large.zarr"));
    page = await startPage();
    ({ tab } = await page.open({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" }));
    await dropPath(tab, join(folder, "large.zarr"));
    await tab.getByText("Open: large.zarr").waitFor();
  });

  after(async () => {
    await page?.close();
    rmSync(folder, { recursive: true });
  });

  const longestOfThePage = (work) => longestTask(page.browser, tab, LONGEST_TASK_MS, work);

  test("a long task would be seen", async () => {
    const work = () =>
      tab.evaluate(
        () =>
          new Promise((resolve) =>
            setTimeout(() => {
              let sum = 0;
              for (let i = 0; i < 3e8; i += 1) sum += i % 7;
              // A task is in the trace when it has ended.
              setTimeout(() => resolve(sum));
            }),
          ),
      );
    assert.ok((await longestOfThePage(work)) > LONGEST_TASK_MS);
  });

  test("no task of the page takes long while the array is verified", async (t) => {
    const end = tab.getByText(/512 of 512 chunks, 268\.4 MB, in/);
    const longest = await longestOfThePage(async () => {
      await tab.getByRole("button", { name: "Verify all" }).click();
      await end.waitFor({ state: "hidden" });
      await end.waitFor({ timeout: 120_000 });
    });
    t.diagnostic(`${await tab.locator("#integrity .hint").textContent()}; longest task: ${longest} ms`);
    assert.ok(longest <= LONGEST_TASK_MS, `a task of ${longest} ms`);
    const counts = await tab.locator("#integrity .legend b").allTextContents();
    assert.deepEqual(counts.map(Number), [0, CHUNKS - 1, 1, 0]);
    assert.match(
      await tab.locator("#integrity .failures li").innerText(),
      /c\.63\.1\.3.*ChecksumMismatchError/s,
    );
  });

  test("nor while other slices are shown", async (t) => {
    const longest = await longestOfThePage(async () => {
      for (const index of [5, 9, 23]) {
        await tab.locator('#viewer input[name="axis-d0"]').fill(String(index));
        await tab.getByText(`d0 ${index}  d1`).waitFor();
      }
    });
    t.diagnostic(`longest task: ${longest} ms`);
    assert.ok(longest <= LONGEST_TASK_MS, `a task of ${longest} ms`);
  });
});
