// Slow: many tabs of a browser.
//
// "Break a byte": a flipped bit is noticed where a checksum is stored, and nowhere else.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { usePage } from "./page.mjs";
import {
  breakAByteOf,
  EXPECTED,
  expectOpen,
  hex,
  integrityOf,
  OURS,
  pixelIn,
  SIZE,
  THEIRS,
  viewerOf,
} from "./sections.mjs";
import { STORES, startServer } from "./server.mjs";

const { cells } = EXPECTED;

/** The number of a chunk in the first level, whose grid is 3 x 3 x 8 x 10. */
const chunkNumber = ([c, z, y, x]) => ((c * 3 + z) * 8 + (y >> 4)) * 10 + (x >> 4);

const NO_CHECKSUM = "This codec chain has no checksum: a flipped bit goes unnoticed.";

describe("break a byte", () => {
  const page = usePage();

  async function openPage(path, options) {
    const tab = await page.open(path, options);
    const breakAByte = breakAByteOf(tab);
    await breakAByte.bits.getByText("in the file").waitFor();
    for (const side of [THEIRS, OURS]) await breakAByte.expectVerdict(side, /^No error\.$/);
    return { tab, breakAByte };
  }

  test("zarrita alone shows another number; with us, chunk, checksums and bit are named", async () => {
    const [z, y, x, values] = cells[0].points.find(
      ([z, y, x]) => cells[0].checksums[chunkNumber([0, z, y, x])] !== null,
    );
    const { tab, breakAByte } = await openPage(`#array=/0&slice=0,${z},:,:`);
    const target = breakAByte.side(THEIRS).getByRole("application");
    await target.click({ position: await pixelIn(target, [y, x], SIZE) });

    const stored = hex(cells[0].checksums[chunkNumber([0, z, y, x])]);
    await breakAByte.expectVerdict(OURS, /^✗ ChecksumMismatchError/);
    const verdict = await breakAByte.verdict(OURS);
    const entry = [0, z, (y >> 4) % 4, (x >> 4) % 6].join(", ");
    const key = ["0/c/0/0", y >> 6, Math.floor(x / 96)].join("/");
    const [, bit] = /bit (\d) of byte/.exec(verdict);
    const byte = 2 * ((y % 16) * 16 + (x % 16));
    assert.ok(verdict.includes(`Chunk ${key} [${entry}] Stored ${stored} Computed 0x`), verdict);
    assert.ok(!verdict.includes(`Computed ${stored}`));
    assert.ok(verdict.includes(`bit ${bit} of byte ${byte}: element [0, ${z}, ${y}, ${x}]`), verdict);

    const broken = values[0] ^ (1 << (8 + Number(bit)));
    const element = `Element \\[0, ${z}, ${y}, ${x}\\]`;
    const silence = new RegExp(`^No error. ${element} is ${broken} here; it was ${values[0]}.$`);
    await breakAByte.expectVerdict(THEIRS, silence);
    assert.match(await viewerOf(tab).section.getByRole("alert").innerText(), /ChecksumMismatchError/);

    const integrity = integrityOf(tab);
    assert.equal((await integrity.verifyAll()).failed, 1);
    const failures = await integrity.failures.allInnerTexts();
    assert.equal(failures.length, 1);
    assert.ok(failures[0].includes(`${key} [${entry}]`), failures[0]);
    assert.ok(failures[0].includes(`stored ${stored}`), failures[0]);
    const report = await integrity.report();
    assert.match(
      report,
      /^Integrity of \/0 in Cells \(cells.ome.zarr\)\n720 chunks: 1 damaged, 683 checksum verified, 36 missing; /,
    );
    const reason = `chunk is corrupt: crc32c stored ${stored}, computed 0x`;
    assert.ok(report.includes(`damaged: ${key} [${entry}]: ${reason}`), report);
  });

  test("the keyboard alone flips a bit, and restores it", async () => {
    const { tab, breakAByte } = await openPage();
    const bit = tab.getByRole("button", { name: "byte 1, bit 0" });
    assert.equal(await bit.getAttribute("aria-pressed"), "false");
    await bit.focus();
    await tab.keyboard.press("Enter");
    await breakAByte.expectVerdict(OURS, /bit 0 of byte \d*[13579]:/);
    await tab.getByRole("button", { name: "Restore it" }).focus();
    await tab.keyboard.press("Enter");
    await breakAByte.expectVerdict(OURS, /^No error\.$/);
  });

  test("a hidden flipped bit is found by verifying all chunks, and shown", async () => {
    const { tab, breakAByte } = await openPage();
    await breakAByte.hide();
    await tab.getByText("One bit of this array is flipped now").waitFor();
    const integrity = integrityOf(tab);
    assert.equal((await integrity.verifyAll()).failed, 1);
    await integrity.section.locator(".failures button").click();
    await viewerOf(tab).section.locator(".picture rect").first().waitFor();
    await breakAByte.restore();
    await breakAByte.expectVerdict(OURS, /^No error\.$/);
  });

  test("a flipped bit is reported where it is, and nowhere else", async () => {
    const { tab, breakAByte } = await openPage("#array=/0&slice=0,1,:,:");
    const viewer = viewerOf(tab);
    const { bits } = breakAByte;
    await breakAByte.flipAndNotice();
    await breakAByte.expectVerdict(THEIRS, /^No error. Element \[0, 1, 57, 72\] is \d+ here; it was \d+.$/);
    await viewer.setSlider("z", 2);
    for (const side of [THEIRS, OURS]) await breakAByte.expectVerdict(side, /^No error.$/);
    await bits.getByText("Element [0, 2, 57, 72] in the file").waitFor();
    await tab.getByText("The flipped bit is not in this picture.").waitFor();
    await viewer.level.selectOption("/1");
    await viewer.setSlider("z", 1);
    await tab.waitForFunction(() => location.hash.includes("slice=0,1,"));
    for (const side of [THEIRS, OURS]) await breakAByte.expectVerdict(side, /^No error.$/);
    await bits.getByText("Element [0, 1, 28, 36] in the file").waitFor();
    await viewer.level.selectOption("/0");
    await viewer.setSlider("z", 1);
    await breakAByte.expectVerdict(OURS, /^✗ ChecksumMismatchError/);
    await bits.getByText("Element [0, 1, 57, 72] in the file").waitFor();
    assert.equal(await bits.locator(".flipped").count(), 1);
  });

  test("without a checksum both pictures are wrong, and nothing notices", async () => {
    const { tab, breakAByte } = await openPage("?source=sample.zarr#array=/elevation");
    await tab.getByText(NO_CHECKSUM).waitFor();
    await breakAByte.flip();
    for (const side of [THEIRS, OURS]) {
      const pattern = /^No error. Element \[32, 64\] is (\S+) here; it was (?!\1\.)\S+\.$/;
      await breakAByte.expectVerdict(side, pattern);
    }
  });

  test("a bit that is hidden where no checksum is stored is not found, and the page says so", async () => {
    const { tab, breakAByte } = await openPage("?source=sample.zarr#array=/elevation");
    await breakAByte.hide();
    const situation = "One bit of this array is flipped now. Without a checksum, nothing can locate it.";
    await tab.getByText(situation).waitFor();
    const counts = await integrityOf(tab).verifyAll();
    assert.deepEqual(counts, { unchecked: 9, verified: 0, decoded: 0, failed: 0, missing: 0 });
    await viewerOf(tab).show("temperature");
    await tab.getByText("The flipped bit is not in this picture.").waitFor();
  });

  test("a chunk that cannot be read is reported, and nothing is thrown", async () => {
    const { tab, breakAByte } = await openPage("?source=sample.zarr#array=/elevation", { mayFail: true });
    await expectOpen(tab, "A world");
    await tab.context().route("**/c/**", (route) => route.abort());
    await tab.reload();
    await breakAByte.section.getByText("UnreadableError: the server did not answer").first().waitFor();
  });

  test("a bit of a compressed chunk, and of one in a shard, is flipped and noticed", async () => {
    const { url } = await startServer(STORES);
    for (const [store, pattern] of [
      ["shards.zarr", /^✗ /],
      ["weather.zarr", /^(✗ |No error\. Element)/],
    ]) {
      const tab = await page.open(`?source=${url}${store}`);
      const breakAByte = breakAByteOf(tab);
      await breakAByte.bits.getByText("in the middle of the compressed chunk").waitFor();
      await breakAByte.flip();
      await breakAByte.expectVerdict(OURS, pattern);
      assert.equal(await breakAByte.bits.locator(".flipped").count(), 1);
      await breakAByte.restore();
      for (const side of [THEIRS, OURS]) {
        if (store === "weather.zarr" || side === OURS) await breakAByte.expectVerdict(side, /^No error\.$/);
      }
    }
  });
});
