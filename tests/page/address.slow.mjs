// Slow: many tabs of a browser.
//
// The address of the page: what it says, and going back.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { usePage } from "./page.mjs";
import {
  breakAByteOf,
  eventually,
  expectAllRead,
  expectOpen,
  integrityOf,
  OURS,
  pixelIn,
  SIZE,
  viewerOf,
} from "./sections.mjs";

describe("the address", () => {
  const page = usePage();

  test("Back returns to the array and to the store before", async () => {
    const tab = await page.open();
    const viewer = viewerOf(tab);
    await viewer.expectImage();
    await viewer.show("2");
    await tab.waitForURL(/#array=\/2&/);
    await tab.getByRole("button", { name: "A world" }).click();
    await expectOpen(tab, "A world of data types");
    await tab.waitForURL(/source=[^#]*#array=\/counts&/);
    await tab.goBack();
    await expectOpen(tab, "Cells");
    await viewer.expectImage();
    assert.match(tab.url(), /#array=\/2&/);
    await tab.goBack();
    await tab.waitForURL(/#array=\/0&/);
    await viewer.expectImage();
    assert.equal(await viewer.level.inputValue(), "/0");
    await tab.goForward();
    await tab.goForward();
    await expectOpen(tab, "A world of data types");
  });

  test("axes, channels and a chunk are kept, too", async () => {
    const tab = await page.open();
    const viewer = viewerOf(tab);
    await viewer.expectImage();
    await viewer.section.getByLabel("Membranes", { exact: true }).uncheck();
    await viewer.section.getByLabel("Down").selectOption("z");
    await tab.waitForURL(/slice=0,:,0,:/);
    await viewer.section.getByLabel("Across").selectOption("y");
    await tab.waitForURL(/slice=0,:,:,0/);
    await viewer.section.getByLabel("Down").selectOption("x");
    await tab.waitForURL(/slice=0,0,:,:&channels=0,2&axes=3,2$/);
    const { hash } = new URL(tab.url());
    await tab.reload();
    await viewer.expectImage();
    await viewer.expectAt(30, 60, [160, 128], await elementsAt(tab, viewer));
    assert.equal(new URL(tab.url()).hash, hash);
    assert.equal(await viewer.section.getByLabel("Membranes", { exact: true }).isChecked(), false);

    const other = await page.open("#array=/0&chunk=1,2,3,4");
    await viewerOf(other).expectText("z 2");
    await other.waitForURL(/slice=1,2,40:72,56:88/);
  });

  test("a chunk that is selected is in the address, can be gone back from, and is selected by a link", async () => {
    const tab = await page.open();
    const integrity = integrityOf(tab);
    await viewerOf(tab).expectImage();
    await tab.waitForURL(/#array=\/0&/);
    await integrity.detailOf(5);
    await tab.keyboard.press("Enter");
    await tab.waitForURL(/#array=\/0&slice=0,0,:,:&.*chunk=0,0,0,5/);
    await viewerOf(tab).expectText("z 0");
    const link = tab.url();
    await tab.goBack();
    await viewerOf(tab).expectText("z 1");
    assert.doesNotMatch(tab.url(), /chunk=/);
    await tab.goForward();
    await viewerOf(tab).expectText("z 0");
    assert.equal(tab.url(), link);

    const breakAByte = breakAByteOf(tab);
    await breakAByte.flipAndNotice();
    assert.match(await breakAByte.verdict(OURS), /Chunk 0\/c\/0\/0\/0\/0 \[0, 0, 0, 5\]/);
    const picture = breakAByte.side(OURS).getByRole("application");
    await picture.click({ position: await pixelIn(picture, [40, 70], SIZE) });
    await tab.waitForURL(/chunk=0,0,2,4/);
    await tab.goBack();
    assert.equal(tab.url(), link);

    const other = await page.open(new URL(link).hash);
    await viewerOf(other).expectText("z 0");
    const linked = integrityOf(other);
    assert.match(await linked.detail(), /^0\/c\/0\/0\/0\/0 \[0, 0, 0, 5\] not checked/);
    await linked.verify();
    await linked.section.getByText("Stored checksum").waitFor();
    assert.match(await linked.detail(), /^0\/c\/0\/0\/0\/0 \[0, 0, 0, 5\] ✓ checksum verified/);
  });

  /** What is at y 60 and x 30 of the picture, read in the usual direction. */
  async function elementsAt(tab, viewer) {
    await viewer.expectText("y 64");
    const other = await page.open("#array=/0&slice=0,0,:,:&channels=0,2");
    const usual = viewerOf(other);
    await usual.expectImage();
    for (let attempt = 0; attempt < 100; attempt += 1) {
      await usual.look(60, 30, [128, 160]);
      if ((await usual.readout.textContent()).includes("y 60  x 30")) break;
      await tab.waitForTimeout(20);
    }
    return (await usual.readout.textContent()).replaceAll(/\s+/g, " ");
  }

  test("a link to a section lands there, also when what is above it grows", async () => {
    for (const path of ["#section=speed", "#integrity"]) {
      const tab = await page.open(path);
      await viewerOf(tab).expectImage();
      await expectAllRead(tab);
      const section = tab.locator(path.includes("speed") ? "#speed" : "#integrity");
      const place = () =>
        section.evaluate((section) => ({
          top: section.getBoundingClientRect().top,
          isLast: innerHeight + scrollY >= document.body.scrollHeight - 2,
        }));
      const isThere = ({ top, isLast }) => Math.abs(top - 64) < 30 || (isLast && top < 900);
      await eventually(tab, async () => isThere(await place()));
      const { top, isLast } = await place();
      assert.ok(isThere({ top, isLast }), `${path} is at ${top}`);
    }
  });
});
