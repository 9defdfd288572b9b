// The page in Firefox: each section once, as the other files here test it in Chromium. `npm run test:firefox` runs it.

import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, test } from "node:test";
import { zipSync } from "fflate";
import { launchFirefox } from "../../scripts/browsers.mjs";
import { colours, ownChunkOf, vector } from "./own-chunk.mjs";
import { useFolder, usePage } from "./page.mjs";
import {
  breakAByteOf,
  CELLS,
  DATA,
  EXPECTED,
  expectOpen,
  integrityOf,
  OURS,
  SIZE,
  THEIRS,
  VERIFIED,
  viewerOf,
} from "./sections.mjs";

const { cells, sample } = EXPECTED;

/** The files of a folder: each path from the folder's parent on, and its bytes. */
function filesOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return paths.map((path) => [relative(dirname(folder), path), readFileSync(path)]);
}

describe("the page in Firefox", () => {
  const page = usePage(launchFirefox);
  const folder = useFolder();

  async function open(path, options) {
    const tab = await page.open(path, options);
    await viewerOf(tab).expectImage();
    return tab;
  }

  test("the image shows the elements that zarr-python reads", async () => {
    const viewer = viewerOf(await open());
    for (const [z, y, x, [nuclei, membranes, vesicles]] of cells[0].points) {
      await viewer.setSlider("z", z);
      const elements = `Nuclei ${nuclei} Membranes ${membranes} Vesicles ${vesicles}`;
      await viewer.expectAt(y, x, SIZE, `z ${z} y ${y} x ${x} ${elements}`);
    }
  });

  test("every chunk is verified", async () => {
    const tab = await open();
    assert.deepEqual(await integrityOf(tab).verifyAll(), VERIFIED);
  });

  test("a flipped bit is located with this package, and goes unnoticed without", async () => {
    const tab = await open();
    const breakAByte = breakAByteOf(tab);
    await breakAByte.flip();
    await breakAByte.expectVerdict(OURS, /✗ ChecksumMismatchError Chunk 0\/c\/0\/0\/0\/0 \[.*bit \d of byte/);
    await breakAByte.expectVerdict(THEIRS, /^No error\. Element .* is \d+ here; it was \d+\.$/);
    assert.equal((await integrityOf(tab).verifyAll()).failed, 1);
    await breakAByte.restore();
    await breakAByte.expectVerdict(OURS, /^No error\.$/);
  });

  test("a zip is opened", async () => {
    const path = join(folder, "cells.zip");
    writeFileSync(path, zipSync(Object.fromEntries(filesOf(CELLS)), { level: 6 }));
    const tab = await open();
    const input = tab.locator('input[accept^=".zip"]');
    await input.setInputFiles(path);
    await expectOpen(tab, "cells.zip");
    assert.equal(await input.inputValue(), "", "the same file can be picked again");
    assert.equal((await integrityOf(tab).verifyAll()).failed, 0);
  });

  /** Drops the files of a folder with their paths, because Playwright cannot drop folders in Firefox. */
  async function dropFolder(tab, path) {
    const files = filesOf(path).map(([name, bytes]) => [name, [...bytes]]);
    const dataTransfer = await tab.evaluateHandle((files) => {
      const dataTransfer = new DataTransfer();
      for (const [name, bytes] of files) dataTransfer.items.add(new File([Uint8Array.from(bytes)], name));
      return dataTransfer;
    }, files);
    await tab.locator("#store .dropzone").dispatchEvent("drop", { dataTransfer });
  }

  test("a folder is dropped", async () => {
    const tab = await open();
    await dropFolder(tab, join(DATA, "sample.zarr"));
    await expectOpen(tab, "sample.zarr");
    const arrays = viewerOf(tab).section.locator(".tree button");
    assert.equal(await arrays.count(), Object.keys(sample).length);
    assert.equal((await integrityOf(tab).verifyAll()).failed, 0);
  });

  test("invalid metadata are reported with their path", async () => {
    const tab = await open();
    const copy = join(folder, "bad.zarr");
    cpSync(join(DATA, "sample.zarr"), copy, { recursive: true });
    const metadata = readFileSync(join(copy, "zarr.json"), "utf8");
    writeFileSync(join(copy, "zarr.json"), metadata.replace('"group"', '"grape"'));
    await dropFolder(tab, copy);
    const complaint = 'zarr.json: node_type: expected "array" or "group", got "grape"';
    await tab
      .locator("#store [role=alert]")
      .getByText(`bad.zarr could not be opened: ${complaint}`)
      .waitFor();

    writeFileSync(join(copy, "zarr.json"), metadata.replaceAll('"endian": "big"', '"endian": "middle"'));
    await dropFolder(tab, copy);
    await expectOpen(tab, "bad.zarr");
    const { section, start } = integrityOf(tab);
    await start();
    const reason = 'codecs[0].configuration.endian: expected "little" or "big", got "middle"';
    await section.locator(".hint").getByText(reason).waitFor();
  });

  test("a chunk of the user's: its elements, and what is wrong with it", async () => {
    const ownChunk = ownChunkOf(await open());
    await ownChunk.settled(); // The example that the page opens first.
    const { metadata, encoded, components } = vector("int16-big-crc32c-1d");
    await ownChunk.open({ metadata, encoded });
    await ownChunk.section.getByText(`decoded Int16Array of ${components.length} `).waitFor();
    const shown = (await ownChunk.row({ columns: components.length })).map(Number);
    assert.ok(shown.length > 1);
    assert.deepEqual(shown, [...components.slice(0, shown.length)]);

    const broken = Uint8Array.from(encoded);
    broken[0] ^= 1;
    await ownChunk.pick(broken);
    assert.match(await ownChunk.error.textContent(), /ChecksumMismatchError/);
  });

  test("speed: all results are equal, a plot and a table show them", async () => {
    const section = (await open()).locator("#speed");
    await section.locator("summary").click();
    for (const box of await section.getByRole("checkbox").all()) {
      await box.setChecked(["crc32c", "1024"].includes(await box.getAttribute("value")));
    }
    // Playwright's fill() appends to numbers in Firefox.
    const rounds = section.getByRole("spinbutton", { name: "Rounds" });
    await rounds.press("ControlOrMeta+A");
    await rounds.pressSequentially("3");
    assert.equal(await rounds.inputValue(), "3");
    await section.getByRole("button", { name: "Run", exact: true }).click();
    await section.getByText("Measured on").waitFor({ timeout: 120_000 });
    assert.equal(await section.locator(".badge.good").innerText(), "all equal");
    assert.match(await section.locator("td.number").first().innerText(), /^[\d.]+ GB\/s \([\d.]+–[\d.]+\)$/);
    assert.ok((await colours(section.locator(".plot canvas"))) > 1);
  });

  test("an address without a store is an error", async () => {
    const tab = await page.open("?source=nowhere.zarr", { mayFail: true });
    await tab.getByText("nowhere.zarr could not be opened: found no zarr.json").waitFor();
  });
});
