// What tests do on the page: open stores, look at arrays, flip bits, verify.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The stores that come with the page. */
export const DATA = fileURLToPath(new URL("../../www/data", import.meta.url));
export const CELLS = join(DATA, "cells.ome.zarr");

/** What zarr-python reads of them. */
export const EXPECTED = JSON.parse(readFileSync(new URL("expected.json", import.meta.url), "utf8"));

/** The channels of the image, in order. */
export const LABELS = ["Nuclei", "Membranes", "Vesicles"];
/** The size of its first level. */
export const SIZE = [128, 160];
/** How many chunks of that level are stored, and how many are not. */
export const VERIFIED = { unchecked: 0, verified: 684, decoded: 0, failed: 0, missing: 36 };

/** The sides of "Break a byte". */
export const [THEIRS, OURS] = [0, 1];

export const hex = (checksum) => `0x${checksum.toString(16).padStart(8, "0")}`;

const inOneLine = (text) => text.replaceAll(/\s+/g, " ");

/** Repeats a check until it passes, for at most ten seconds. */
export async function eventually(tab, check) {
  const deadline = Date.now() + 10_000;
  while (!(await check()) && Date.now() < deadline) await tab.waitForTimeout(20);
}

/** Waits for a store, by the name that the page shows. */
export async function expectOpen(tab, name) {
  await tab.getByText(`Open: ${name}`).waitFor();
}

/** Waits until every section that reads chunks of the open image has read them. */
export async function expectAllRead(tab) {
  await tab.locator('#viewer .stage[aria-busy="false"]').waitFor();
  const section = tab.locator("#break-a-byte");
  await section.locator(".side canvas").last().waitFor();
  await section.locator(".verdict").last().getByText("No error.").waitFor();
}

/** Drops a file or a folder of the disk where stores are opened, as the desktop would. */
export async function dropPath(tab, path) {
  const zone = tab.locator("#store .dropzone");
  await zone.scrollIntoViewIfNeeded();
  const { x, y } = await zone.boundingBox();
  const session = await tab.context().newCDPSession(tab);
  for (const type of ["dragEnter", "dragOver", "drop"]) {
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    await session.send("Input.dispatchDragEvent", { type, x: x + 9, y: y + 9, data });
  }
}

/** The viewer. */
export function viewerOf(tab) {
  const section = tab.locator("#viewer");
  const picture = section.getByRole("application");
  const canvas = picture.locator("canvas");

  const viewer = {
    section,
    picture,
    readout: section.locator(".readout"),

    /** Waits for a picture of the image. */
    expectImage: () => viewer.expectText("Nuclei"),

    /** Waits until the readout contains a text. */
    async expectText(text) {
      const seen = async () => (await viewer.readout.textContent()).includes(text);
      await eventually(tab, seen);
      assert.ok((await viewer.readout.textContent()).includes(text), `"${text}" in the readout`);
    },

    /** Waits until the readout is a text, apart from white space. */
    async expectReadout(text) {
      const read = async () => inOneLine(await viewer.readout.textContent());
      await eventually(tab, async () => (await read()) === text);
      assert.equal(await read(), text);
    },

    /** Moves the pointer to a pixel of the picture. */
    async look(row, column, size) {
      await picture.hover({ position: await pixelIn(picture, [row, column], size) });
    },

    /** Moves to a pixel until the readout is a text: a picture moves when what surrounds it appears. */
    async expectAt(row, column, size, text) {
      const read = async () => inOneLine(await viewer.readout.textContent());
      await eventually(tab, async () => {
        await viewer.look(row, column, size);
        return (await read()) === text;
      });
      assert.equal(await read(), text);
    },

    async setSlider(name, value) {
      await section.locator(`input[name="axis-${name}"]`).fill(String(value));
    },

    slider: (name) => section.locator(`input[name="axis-${name}"]`).inputValue(),

    level: section.getByLabel("Level of the pyramid"),

    /** Shows an array by its name. */
    async show(name) {
      await section.getByRole("button", { name: new RegExp(`^${name}`) }).click();
    },

    /** The colours in the middles of all elements, while the whole array is shown. */
    pixels: (size = SIZE) =>
      canvas.evaluate((canvas, [rows, columns]) => {
        const { width, height } = canvas;
        const context = new OffscreenCanvas(width, height).getContext("2d");
        context.drawImage(canvas, 0, 0);
        const { data } = context.getImageData(0, 0, width, height);
        return Array.from({ length: rows * columns }, (_, i) => {
          const y = Math.floor(((Math.floor(i / columns) + 0.5) * height) / rows);
          const x = Math.floor((((i % columns) + 0.5) * width) / columns);
          return [...data.slice(4 * (y * width + x), 4 * (y * width + x) + 4)];
        }).flat();
      }, size),

    /** Waits until the pixels pass a check. */
    async expectPixels(check, message, size = SIZE) {
      await eventually(tab, async () => check(await viewer.pixels(size)));
      const pixels = await viewer.pixels(size);
      assert.ok(check(pixels), message);
    },
  };
  return viewer;
}

/** Where on a picture the middle of a pixel is. */
export async function pixelIn(picture, [row, column], [height, width]) {
  const box = await picture.boundingBox();
  return { x: ((column + 0.5) / width) * box.width, y: ((row + 0.5) / height) * box.height };
}

/** "Break a byte". */
export function breakAByteOf(tab) {
  const section = tab.locator("#break-a-byte");
  const button = (name) => section.getByRole("button", { name });
  const breakAByte = {
    section,
    bits: section.locator(".bits"),
    side: (side) => section.locator(".side").nth(side),
    verdict: async (side) => inOneLine(await section.locator(".verdict").nth(side).innerText()),

    /** Waits until a side says what a pattern describes. */
    async expectVerdict(side, pattern) {
      await eventually(tab, async () => pattern.test(await breakAByte.verdict(side)));
      assert.match(await breakAByte.verdict(side), pattern);
    },

    /** Flips a bit, without waiting for the outcome. */
    flip: () => button("Flip one bit").click(),

    /** Flips a bit that has a checksum. */
    async flipAndNotice() {
      await breakAByte.flip();
      await breakAByte.expectVerdict(OURS, /^✗ ChecksumMismatchError/);
    },

    hide: () => button("Hide one somewhere").click(),
    restore: () => button("Restore it").click(),
  };
  return breakAByte;
}

/** "Integrity". */
export function integrityOf(tab) {
  const section = tab.locator("#integrity");
  const grid = section.locator(".chunk-grid");
  const integrity = {
    section,
    grid,
    failures: section.locator(".failures li"),
    start: () => section.getByRole("button", { name: "Verify all" }).click(),

    /** The counts of chunks by state, those that are not 0. */
    async counts() {
      const texts = await section.locator(".legend > span").allInnerTexts();
      const counts = texts.map((text) => /^(.*?)\s*([\d,]+)$/s.exec(text.trim()).slice(1));
      const numbers = counts.map(([name, count]) => [name, Number(count.replaceAll(",", ""))]);
      return Object.fromEntries(numbers.filter(([, count]) => count > 0));
    },

    /** Verifies all chunks, and counts them by state. */
    async verify() {
      await integrity.start();
      await section.getByText(/ in [\d.]+ s$/).waitFor();
      return integrity.counts();
    },

    /** Verifies all chunks, and counts them: with checksum, decoded, wrong, missing, and others. */
    async verifyAll() {
      const {
        "checksum verified": verified = 0,
        "decoded, no checksum": decoded = 0,
        ...others
      } = await integrity.verify();
      const { damaged = 0, unreadable = 0, missing = 0, ...unproven } = others;
      const unchecked = Object.values(unproven).reduce((sum, count) => sum + count, 0);
      return { unchecked, verified, decoded, failed: damaged + unreadable, missing };
    },

    detail: async () => inOneLine(await section.locator(".detail").innerText()),

    /** The details of a chunk, by the keyboard. */
    async detailOf(number) {
      await grid.focus();
      await tab.keyboard.press("Home");
      for (let at = 0; at < number; at += 1) await tab.keyboard.press("ArrowRight");
      return integrity.detail();
    },

    /** Copies the report, and reads it from the clipboard. */
    async report() {
      await tab.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await section.getByRole("button", { name: "Copy report" }).click();
      await section.getByText("The report is in the clipboard.").waitFor();
      return tab.evaluate(() => navigator.clipboard.readText());
    },
  };
  return integrity;
}
