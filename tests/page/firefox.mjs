// The page in Firefox: the main path, and what is said of an address without a store. `npm run test:page` runs it.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { Browser, Builder, By, Key, until } from "selenium-webdriver";
import firefox from "selenium-webdriver/firefox.js";
import { servePage } from "./page.mjs";

const CELLS = fileURLToPath(new URL("../../www/data/cells.ome.zarr", import.meta.url));
const { cells } = JSON.parse(readFileSync(new URL("expected.json", import.meta.url), "utf8"));
const PATIENCE_MS = 20_000;

describe("the page in Firefox", () => {
  let server;
  let driver;

  before(async () => {
    server = await servePage();
    const options = new firefox.Options().addArguments("-headless", "--width=1280", "--height=1000");
    options.setPreference("ui.prefersReducedMotion", 1);
    driver = await new Builder().forBrowser(Browser.FIREFOX).setFirefoxOptions(options).build();
    await driver.get(server.url);
  });

  after(async () => {
    await driver?.quit();
    await server?.close();
  });

  const find = (selector) => driver.findElement(By.css(selector));
  const textOf = async (selector) => (await find(selector).getText()).replaceAll(/\s+/g, " ");
  const toMiddle = (element) =>
    driver.executeScript("arguments[0].scrollIntoView({ block: 'center' })", element);

  /** Clicks a button, where the head of the page does not lie over it. */
  async function press(text) {
    const button = await driver.findElement(By.xpath(`//button[text()="${text}"]`));
    await toMiddle(button);
    await button.click();
  }

  async function expectText(selector, pattern) {
    let text;
    const seen = async () => {
      text = await textOf(selector).catch(() => "");
      return pattern.test(text);
    };
    await driver.wait(seen, PATIENCE_MS).catch(() => assert.match(text, pattern));
  }

  /** Moves a slider as the keyboard does, from its start. */
  async function setSlider(selector, value) {
    const slider = await find(selector);
    await slider.sendKeys(Key.HOME, ...Array.from({ length: value }, () => Key.ARROW_RIGHT));
  }

  /** The mouse to a pixel of a picture, whose size is that of the first level. */
  async function pointTo(picture, row, column) {
    const { width, height } = await picture.getRect();
    const x = Math.round(((column + 0.5) / 160) * width - width / 2);
    const y = Math.round(((row + 0.5) / 128) * height - height / 2);
    await toMiddle(picture);
    const actions = driver.actions({ async: true }).move({ origin: picture, x, y });
    await actions.perform();
    return actions;
  }

  async function verifyAll() {
    await press("Verify all");
    await expectText("#integrity .hint", / in [\d.]+ s$/);
    const counts = await driver.findElements(By.css("#integrity .legend b"));
    return Promise.all(counts.map(async (count) => Number(await count.getText())));
  }

  test("the image shows the elements that zarr-python reads", async () => {
    await expectText("#viewer .readout", /Nuclei/);
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
    assert.deepEqual(await verifyAll(), [0, cells[0].checksums.length - missing, 0, missing]);
  });

  test("a flipped bit is named by us, and not noticed without us", async () => {
    await press("Flip one bit");
    await expectText(
      "#break-a-byte .side:nth-child(2) .verdict",
      /✗ ChecksumMismatchError Chunk 0\/c\/0\/0\/0\/0 \[.*bit \d of byte/,
    );
    await expectText(
      "#break-a-byte .side:nth-child(1) .verdict",
      /^No error\. Element .* is \d+ here; it was \d+\.$/,
    );
    assert.equal((await verifyAll())[2], 1);
    await press("Mend it");
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
    const path = join(tmpdir(), `cells-${process.pid}.zip`);
    writeFileSync(path, zipSync(Object.fromEntries(entries)));
    await find('input[accept^=".zip"]').sendKeys(path);
    await driver.wait(
      until.elementTextContains(await find("#store [role=status]"), "Open: cells-"),
      PATIENCE_MS,
    );
    assert.equal((await verifyAll())[2], 0);
    rmSync(path);
  });

  test("an address without a store is complained about", async () => {
    await driver.get(`${server.url}?source=nowhere.zarr`);
    await expectText(
      "#store [role=alert]",
      /nowhere\.zarr could not be opened\. There is no zarr\.json here/,
    );
  });
});
