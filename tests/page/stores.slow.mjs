// Slow: many tabs of a browser.
//
// Opening stores: zips, folders, addresses, and those that cannot be opened.

import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, test } from "node:test";
import { zipSync } from "fflate";
import { useFolder, usePage } from "./page.mjs";
import {
  breakAByteOf,
  CELLS,
  DATA,
  dropPath,
  EXPECTED,
  expectOpen,
  integrityOf,
  OURS,
  SIZE,
  VERIFIED,
  viewerOf,
} from "./sections.mjs";

const { cells, sample } = EXPECTED;

/** A promise, and what fulfils it. */
function deferred() {
  let resolve;
  const promise = new Promise((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

describe("stores", () => {
  const page = usePage();
  const folder = useFolder();

  async function openImage(options) {
    const tab = await page.open("", options);
    await expectOpen(tab, "Cells");
    return tab;
  }

  const complaint = (tab) => tab.locator("#store").getByRole("alert").innerText();

  test("a zip is opened", async () => {
    const files = readdirSync(CELLS, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const entries = files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [join("folder/cells.zarr", path.slice(CELLS.length)), [readFileSync(path), { level: 0 }]];
    });
    const path = join(folder, "cells.zip");
    writeFileSync(path, zipSync(Object.fromEntries(entries)));
    const tab = await openImage();
    await tab.locator('input[accept^=".zip"]').setInputFiles(path);
    await expectOpen(tab, "cells.zip");
    assert.deepEqual(await integrityOf(tab).verifyAll(), VERIFIED);
  });

  test("a folder is picked", async () => {
    const tab = await openImage();
    await tab.locator("input[webkitdirectory]").setInputFiles(join(DATA, "sample.zarr"));
    await expectOpen(tab, "sample.zarr");
    const arrays = viewerOf(tab).section.locator(".tree button");
    assert.equal(await arrays.count(), Object.keys(sample).length);
  });

  test("a folder is dropped", async () => {
    const tab = await openImage();
    await dropPath(tab, CELLS);
    await expectOpen(tab, "cells.ome.zarr");
    const viewer = viewerOf(tab);
    const [[z, y, x, values]] = cells[0].points;
    await viewer.setSlider("z", z);
    const elements = `Nuclei ${values[0]} Membranes ${values[1]} Vesicles ${values[2]}`;
    await viewer.expectAt(y, x, SIZE, `z ${z} y ${y} x ${x} ${elements}`);
  });

  test("an address without a store, or without a server, is an error; nothing else is shown as if it were that store", async () => {
    const tab = await openImage({ mayFail: true });
    const address = tab.getByLabel("Address of a store");
    await address.fill(`${page.url}nothing.zarr`);
    await address.press("Enter");
    await tab.getByText("Nothing is open").waitFor();
    assert.match(await complaint(tab), /nothing\.zarr could not be opened: found no zarr\.json/);
    assert.equal(await viewerOf(tab).picture.isVisible(), false);

    const server = createServer().listen(0);
    const { port } = server.address();
    await new Promise((resolve) => server.close(resolve));
    await address.fill(`http://localhost:${port}/x.zarr`);
    await address.press("Enter");
    await tab.getByText(/the server did not answer/).waitFor();
    assert.equal(await address.inputValue(), `http://localhost:${port}/x.zarr`);
    assert.equal(new URL(tab.url()).searchParams.get("source"), `http://localhost:${port}/x.zarr`);

    await tab.getByRole("button", { name: "Cells" }).click();
    await expectOpen(tab, "Cells");
    await viewerOf(tab).expectImage();
    assert.deepEqual(await integrityOf(tab).verifyAll(), VERIFIED);
  });

  test("an address of another protocol, of a zip that is none, and of metadata is understood", async () => {
    writeFileSync(join(folder, "none.zip"), "no zip");
    const tab = await openImage({ mayFail: true });
    await tab.locator('input[accept^=".zip"]').setInputFiles(join(folder, "none.zip"));
    await tab.getByText("none.zip could not be opened: it is not a zip, or it was cut off").waitFor();
    const address = tab.getByLabel("Address of a store");
    await address.fill("s3://bucket/x.zarr");
    await address.press("Enter");
    await tab.getByText("browsers read from http and https only, not from s3: use").waitFor();
    await address.fill(`${page.url}sample.zarr/zarr.json`);
    await address.press("Enter");
    await expectOpen(tab, "A world of data types");
  });

  /** Drops a copy of the sample store in which its metadata are changed. */
  async function dropChanged(tab, name, change) {
    const copy = join(folder, name);
    cpSync(join(DATA, "sample.zarr"), copy, { recursive: true });
    const path = join(copy, "zarr.json");
    writeFileSync(path, change(readFileSync(path, "utf8")));
    await dropPath(tab, copy);
  }

  test("invalid metadata are reported with their path", async () => {
    const tab = await openImage();
    await dropChanged(tab, "no-json.zarr", (text) => text.slice(1));
    await tab.getByText(/no-json\.zarr could not be opened: zarr\.json is not valid JSON/).waitFor();
    await dropChanged(tab, "page.zarr", () => "<!doctype html><title>Not found</title>");
    await tab.getByText(/page\.zarr could not be opened: zarr\.json is a web page/).waitFor();
    await dropChanged(tab, "no-node.zarr", (text) => text.replace('"group"', '"grape"'));
    await tab.getByText(/zarr\.json: node_type: expected "array" or "group", got "grape"/).waitFor();

    await dropChanged(tab, "middle.zarr", (text) => text.replaceAll('"endian": "big"', '"endian": "middle"'));
    await expectOpen(tab, "middle.zarr");
    const { section, start } = integrityOf(tab);
    await start();
    const message = 'codecs[0].configuration.endian: expected "little" or "big", got "middle"';
    await section.getByText(message).waitFor();
  });

  test("a store in the address that cannot be opened stays there, to be corrected", async () => {
    const tab = await page.open("?source=nowhere.zarr", { mayFail: true });
    await tab.getByText(/nowhere\.zarr could not be opened/).waitFor();
    assert.equal(new URL(tab.url()).search, "?source=nowhere.zarr");
    const address = tab.getByLabel("Address of a store");
    assert.equal(await address.inputValue(), `${page.url}nowhere.zarr`);
    await address.fill(`${page.url}cells.ome.zarr`);
    await address.press("Enter");
    await expectOpen(tab, "Cells");
    assert.equal((await integrityOf(tab).verifyAll()).failed, 0);
    await breakAByteOf(tab).flipAndNotice();
  });

  test("opening can be cancelled, and nothing of the store before stays on the page", async () => {
    const tab = await openImage();
    const viewer = viewerOf(tab);
    await viewer.expectImage();
    await tab.context().route("**/sample.zarr/zarr.json", () => {});
    await tab.getByRole("button", { name: "A world" }).click();
    await tab.getByText("Opening A world").waitFor();
    assert.equal(await viewer.picture.isVisible(), false);
    await tab.locator("#store").getByRole("button", { name: "Cancel" }).click();
    await tab.getByText("was not opened").waitFor();
    await tab.getByRole("button", { name: "Cells" }).click();
    await viewer.expectImage();
  });

  test("if no store can be opened, because a worker is missing, all controls are inert", async () => {
    const tab = await openImage({ mayFail: true });
    await tab.context().route("**/ours-*.js", (route) => route.abort());
    await tab.reload();
    await tab.getByText("Cells (cells.ome.zarr) could not be opened").waitFor();
    const buttons = await tab.locator("#break-a-byte button, #integrity button").all();
    assert.ok(buttons.length > 3);
    for (const button of buttons) {
      await button.dispatchEvent("focus");
      assert.equal(await button.evaluate((button) => button.closest("[inert]") !== null), true);
    }
  });

  test("of two stores that are opened at once, the last one is shown, however slow the other is", async () => {
    const tab = await openImage();
    const { promise: wait, resolve: answer } = deferred();
    const isSample = (request) => request.url().endsWith("/sample.zarr/zarr.json");
    await tab.context().route("**/sample.zarr/zarr.json", async (route) => {
      await wait;
      await route.continue();
    });
    const answered = tab.context().waitForEvent("requestfinished", isSample);
    await tab.getByRole("button", { name: "A world" }).click();
    await tab.getByRole("button", { name: "Cells" }).click();
    await expectOpen(tab, "Cells");
    answer();
    await answered;
    const viewer = viewerOf(tab);
    await viewer.setSlider("z", 2);
    await viewer.expectText("z 2");
    await viewer.expectImage();
    assert.equal(await tab.getByText("Open: Cells").isVisible(), true);
  });

  test("an error of an array that is no longer shown is dropped", async () => {
    const tab = await page.open("?source=sample.zarr#array=/elevation", { mayFail: true });
    const viewer = viewerOf(tab);
    const bits = breakAByteOf(tab).bits.getByText("in the file");
    await bits.waitFor();
    const { promise: wait, resolve: answer } = deferred();
    const { promise: asked, resolve: confirm } = deferred();
    await tab.context().route("**/land_mask/c/**", async (route) => {
      confirm();
      await wait;
      await route.fulfill({ status: 403 }); // Which is not tried again.
    });
    await viewer.show("land_mask");
    await asked;
    await viewer.show("elevation");
    await bits.waitFor();
    await viewer.picture.waitFor();
    const answers = ["0/0", "0/1", "1/0", "1/1"].map((chunk) =>
      tab
        .context()
        .waitForEvent("requestfinished", (request) => request.url().endsWith(`land_mask/c/${chunk}`)),
    );
    answer();
    await Promise.all(answers);
    // The same thread decodes the next chunk after that.
    const breakAByte = breakAByteOf(tab);
    await breakAByte.flip();
    await breakAByte.expectVerdict(OURS, /Element/);
    assert.equal(await viewer.picture.isVisible(), true);
    assert.equal(await viewer.section.getByRole("alert").isVisible(), false);
  });
});
