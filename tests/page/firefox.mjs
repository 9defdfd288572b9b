// The page in Firefox: each section once, as the other files here test it in Chromium. `npm run test:firefox` runs it.

import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { zipSync } from "fflate";
import { By, Key } from "selenium-webdriver";
import { startDriver } from "../../scripts/browsers.mjs";
import { vector } from "./own-chunk.mjs";
import { servePage, useFolder } from "./page.mjs";
import { CELLS, DATA, EXPECTED, SIZE } from "./sections.mjs";

const { cells, sample } = EXPECTED;
const PATIENCE_MS = 20_000;

describe("the page in Firefox", () => {
  const folder = useFolder();
  let server;
  let driver;
  let quit;

  before(async () => {
    server = await servePage();
    ({ driver, quit } = await startDriver("Firefox"));
  });

  after(async () => {
    await quit?.();
    await server?.close();
  });

  beforeEach(async () => {
    await driver.get(server.url);
    await expectText("#viewer .readout", /Nuclei/);
  });

  const find = (selector) => driver.findElement(By.css(selector));
  const textOf = async (selector) => (await find(selector).getText()).replaceAll(/\s+/g, " ");
  const toMiddle = (element) =>
    driver.executeScript("arguments[0].scrollIntoView({ block: 'center' })", element);

  /** Clicks a button, after scrolling it out of the page's header. */
  async function press(text) {
    const button = await driver.findElement(By.xpath(`//button[text()="${text}"]`));
    await toMiddle(button);
    await button.click();
  }

  async function expectText(selector, pattern, patience = PATIENCE_MS) {
    let text;
    const seen = async () => {
      text = await textOf(selector).catch(() => "");
      return pattern.test(text);
    };
    await driver.wait(seen, patience).catch(() => assert.match(text, pattern));
  }

  /** Moves a slider as the keyboard does, from its start. */
  async function setSlider(selector, value) {
    const slider = await find(selector);
    await slider.sendKeys(Key.HOME, ...Array.from({ length: value }, () => Key.ARROW_RIGHT));
  }

  /** Moves the pointer to a pixel of the first level. */
  async function pointTo(picture, row, column) {
    const { width, height } = await picture.getRect();
    const x = Math.round(((column + 0.5) / SIZE[1]) * width - width / 2);
    const y = Math.round(((row + 0.5) / SIZE[0]) * height - height / 2);
    await toMiddle(picture);
    await driver.actions({ async: true }).move({ origin: picture, x, y }).perform();
  }

  async function verifyAll() {
    await press("Verify all");
    await expectText("#integrity .hint", / in [\d.]+ s$/);
    const counts = await driver.findElements(By.css("#integrity .legend b"));
    return Promise.all(counts.map(async (count) => Number(await count.getText())));
  }

  test("the image shows the elements that zarr-python reads", async () => {
    const picture = await find("#viewer .picture");
    for (const [z, y, x, [nuclei, membranes, vesicles]] of cells[0].points) {
      await setSlider('#viewer input[name="axis-z"]', z);
      await pointTo(picture, y, x);
      const elements = `Nuclei ${nuclei} Membranes ${membranes} Vesicles ${vesicles}`;
      await expectText("#viewer .readout", new RegExp(`^z ${z} y ${y} x ${x} ${elements}$`));
    }
  });

  test("every chunk is verified", async () => {
    const missing = cells[0].checksums.filter((checksum) => checksum === null).length;
    assert.deepEqual(await verifyAll(), [0, missing, cells[0].checksums.length - missing, 0, 0, 0, 0, 0, 0]);
  });

  test("a flipped bit is located with this package, and goes unnoticed without", async () => {
    await press("Flip one bit");
    await expectText(
      "#break-a-byte .side:nth-child(2) .verdict",
      /✗ ChecksumMismatchError Chunk 0\/c\/0\/0\/0\/0 \[.*bit \d of byte/,
    );
    await expectText(
      "#break-a-byte .side:nth-child(1) .verdict",
      /^No error\. Element .* is \d+ here; it was \d+\.$/,
    );
    assert.equal((await verifyAll()).at(-1), 1);
    await press("Restore it");
    await expectText("#break-a-byte .side:nth-child(2) .verdict", /^No error\.$/);
  });

  test("a zip is opened", async () => {
    const files = readdirSync(CELLS, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const entries = files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(CELLS.length + 1), [readFileSync(path), { level: 6 }]];
    });
    const path = join(folder, "cells.zip");
    writeFileSync(path, zipSync(Object.fromEntries(entries)));
    const input = await find('input[accept^=".zip"]');
    await input.sendKeys(path);
    await expectText("#store [role=status]", /^Open: cells\.zip$/);
    assert.equal(await input.getProperty("value"), "", "the same file can be picked again");
    assert.equal((await verifyAll()).at(-1), 0);
  });

  /** Drops the files of a folder with their paths, because WebDriver cannot drop folders. */
  async function dropFolder(path) {
    const paths = readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const files = paths.map((file) => [relative(dirname(path), file), [...readFileSync(file)]]);
    await driver.executeScript((files) => {
      const dataTransfer = new DataTransfer();
      for (const [name, bytes] of files) dataTransfer.items.add(new File([Uint8Array.from(bytes)], name));
      document
        .querySelector("#store .dropzone")
        .dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, files);
  }

  test("a folder is dropped", async () => {
    await dropFolder(join(DATA, "sample.zarr"));
    await expectText("#store [role=status]", /^Open: sample\.zarr$/);
    const arrays = await driver.findElements(By.css("#viewer .tree button"));
    assert.equal(arrays.length, Object.keys(sample).length);
    assert.equal((await verifyAll()).at(-1), 0);
  });

  test("invalid metadata are reported with their path", async () => {
    const copy = join(folder, "bad.zarr");
    cpSync(join(DATA, "sample.zarr"), copy, { recursive: true });
    const metadata = readFileSync(join(copy, "zarr.json"), "utf8");
    writeFileSync(join(copy, "zarr.json"), metadata.replace('"group"', '"grape"'));
    await dropFolder(copy);
    const expected = 'zarr\\.json: node_type: expected "array" or "group", got "grape"';
    await expectText("#store [role=alert]", new RegExp(`^bad\\.zarr could not be opened: ${expected}`));

    writeFileSync(join(copy, "zarr.json"), metadata.replaceAll('"endian": "big"', '"endian": "middle"'));
    await dropFolder(copy);
    await expectText("#store [role=status]", /^Open: bad\.zarr$/);
    await press("Verify all");
    await expectText(
      "#integrity .hint",
      /codecs\[0\]\.configuration\.endian: expected "little" or "big", got "middle"/,
    );
  });

  test("a chunk of the user's: its elements, and what is wrong with it", async () => {
    const { metadata, encoded, components } = vector("int16-big-crc32c-1d");
    const path = join(folder, "chunk");
    const pick = async (bytes) => {
      writeFileSync(path, bytes);
      await find("#own-chunk .dropzone input").sendKeys(path);
    };
    await expectText("#own-chunk .badge", /^decoded$/); // The example that the page opens first.
    const text = await find("#own-chunk textarea");
    await text.clear();
    await text.sendKeys(JSON.stringify(metadata));
    await pick(encoded);
    await expectText(
      "#own-chunk [aria-busy=false]",
      new RegExp(`decoded Int16Array of ${components.length} `),
    );
    const cells = await driver.findElements(By.css("#own-chunk tbody tr:first-child td"));
    const shown = await Promise.all(cells.map(async (cell) => Number(await cell.getText())));
    assert.ok(shown.length > 1);
    assert.deepEqual(shown, [...components.slice(0, shown.length)]);

    const broken = Uint8Array.from(encoded);
    broken[0] ^= 1;
    await pick(broken);
    await expectText("#own-chunk .error", /ChecksumMismatchError/);
  });

  test("speed: all results are equal, a plot and a table show them", async () => {
    const section = await find("#speed");
    const summary = await section.findElement(By.css("summary"));
    await toMiddle(summary);
    await summary.click();
    for (const box of await section.findElements(By.css("[type=checkbox]"))) {
      const isWanted = ["crc32c", "1024"].includes(await box.getAttribute("value"));
      if ((await box.isSelected()) === isWanted) continue;
      await toMiddle(box);
      await box.click();
    }
    const rounds = await section.findElement(By.css("[type=number]"));
    await rounds.clear();
    await rounds.sendKeys("3");
    await press("Run");
    await expectText("#speed progress + [role=status]", /^Measured on /, 120_000);
    assert.equal(await textOf("#speed .badge.good"), "all equal");
    assert.match(await textOf("#speed td.number"), /^[\d.]+ GB\/s \([\d.]+–[\d.]+\)$/);
    const plot = await find("#speed .plot canvas");
    assert.ok(await driver.executeScript("return arguments[0].width > 0", plot));
  });

  test("an address without a store is an error", async () => {
    await driver.get(`${server.url}?source=nowhere.zarr`);
    await expectText("#store [role=alert]", /nowhere\.zarr could not be opened: found no zarr\.json/);
  });
});
