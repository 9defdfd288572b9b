// The page as a whole: accessible, narrow enough, and silent towards other servers.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { expectAccessible, usePage } from "./page.mjs";
import { breakAByteOf, expectOpen, integrityOf } from "./sections.mjs";

describe("the whole page", () => {
  const page = usePage();

  for (const colorScheme of ["light", "dark"]) {
    test(`labels, contrast and roles are in order, ${colorScheme}`, async () => {
      const tab = await page.open("", { colorScheme });
      await expectOpen(tab, "Cells");
      await breakAByteOf(tab).flipAndNotice();
      await integrityOf(tab).verifyAll();
      await expectAccessible(tab, "body");
    });
  }

  test("it fits a narrow screen", async () => {
    const tab = await page.open("", { viewport: { width: 360, height: 740 } });
    await expectOpen(tab, "Cells");
    await integrityOf(tab).verifyAll();
    assert.ok((await tab.evaluate(() => document.documentElement.scrollWidth)) <= 360);
  });

  test("it sends requests to its own server only", async () => {
    const tab = await page.open();
    const origins = [];
    tab.on("request", (request) => origins.push(new URL(request.url()).origin));
    await tab.reload();
    await expectOpen(tab, "Cells");
    await integrityOf(tab).verifyAll();
    assert.ok(origins.length > 10);
    assert.deepEqual([...new Set(origins)], [new URL(page.url).origin]);
  });
});
