// Slow: many tabs of a browser.
//
// What people drop, and zips of all kinds: each opens, or is answered by a sentence and a way on.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { zipSync } from "fflate";
import { useFolder, usePage } from "./page.mjs";
import { dropPath, expectOpen, integrityOf, viewerOf } from "./sections.mjs";
import { STORES, startServer } from "./server.mjs";

const storeFiles = (store, folder = store) =>
  Object.fromEntries(
    [...STORES]
      .filter(([path]) => path.startsWith(`${store}/`))
      .map(([path, bytes]) => [folder + path.slice(store.length), bytes]),
  );

describe("drops and zips", () => {
  const page = usePage();
  const folder = useFolder();

  const complaint = (tab) => tab.locator("#store").getByRole("alert");
  const openPage = async () => {
    const tab = await page.open();
    await expectOpen(tab, "Cells");
    return tab;
  };

  test("an empty folder, a folder without a store, and a single file are sentences", async () => {
    const tab = await openPage();
    mkdirSync(join(folder, "empty"));
    await dropPath(tab, join(folder, "empty"));
    await complaint(tab).getByText("empty could not be opened: there is no Zarr store in it").waitFor();
    mkdirSync(join(folder, "other/deep"), { recursive: true });
    writeFileSync(join(folder, "other/deep/notes.txt"), "nothing");
    await dropPath(tab, join(folder, "other"));
    await complaint(tab).getByText("other could not be opened: there is no Zarr store in it").waitFor();
    await dropPath(tab, join(folder, "other/deep/notes.txt"));
    await complaint(tab).getByText("notes.txt is a single file, not a store").waitFor();
    await tab.getByRole("button", { name: "Cells" }).click();
    await expectOpen(tab, "Cells");
    assert.equal(await complaint(tab).isVisible(), false);
  });

  test("a link that is dropped is opened", async () => {
    const server = await startServer(STORES);
    const tab = await openPage();
    await tab.evaluate((url) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData("text/uri-list", url);
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }, `${server.url}colours.zarr`);
    await expectOpen(tab, `${server.url}colours.zarr`);
    await viewerOf(tab).expectText("Red");
  });

  test("of several zips, and of several stores in one, one is chosen", async () => {
    const tab = await openPage();
    const paths = ["colours", "shards"].map((name) => {
      const path = join(folder, `${name}.zip`);
      writeFileSync(path, zipSync(storeFiles(`${name}.zarr`)));
      return path;
    });
    await tab.locator('input[accept^=".zip"]').setInputFiles(paths);
    await tab.getByText("2 stores were dropped. Choose one:").waitFor();
    await tab.getByRole("button", { name: "shards.zip" }).click();
    await expectOpen(tab, "shards.zip");

    const both = join(folder, "both.zip");
    writeFileSync(
      both,
      zipSync({ ...storeFiles("colours.zarr", "in/colours.zarr"), ...storeFiles("shards.zarr") }),
    );
    await tab.locator('input[accept^=".zip"]').setInputFiles(both);
    await tab.getByText("both.zip contains 2 stores. Choose one:").waitFor();
    await tab.getByRole("button", { name: "in/colours.zarr" }).click();
    await expectOpen(tab, "both.zip, in/colours.zarr");
    await viewerOf(tab).expectText("Red");
    assert.equal((await integrityOf(tab).verifyAll()).failed, 0);
  });

  for (const [name, behaviour] of Object.entries({
    parts: {},
    "whole files only, and no HEAD": { ranges: "none", head: "refused" },
    "whole files only": { ranges: "none" },
  })) {
    test(`a zip on a server that sends ${name}`, async () => {
      const files = new Map([
        ["stored.zip", zipSync(storeFiles("shards.zarr"), { level: 0 })],
        ["deflated.zip", zipSync(storeFiles("shards.zarr"), { level: 6 })],
      ]);
      const server = Object.assign(await startServer(files), behaviour);
      for (const zip of files.keys()) {
        const tab = await page.open(`?source=${server.url}${zip}`, { mayFail: true });
        const viewer = viewerOf(tab);
        await viewer.expectText("d0 32");
        await viewer.expectAt(63, 1, [64, 64], "d0 63 d1 1 4033");
        assert.equal((await integrityOf(tab).verifyAll()).failed, 0);
      }
    });
  }
});
