// Verifies every file of a folder of 102,400 in Chromium, which takes minutes: `npm run test:all`.

import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { writeMany } from "./many.mjs";
import { useFolder, usePage } from "./page.mjs";
import { dropPath, expectOpen, integrityOf } from "./sections.mjs";

/** One millisecond for each file, where the machine is busy with other work. */
const MOST_TO_VERIFY_MS = 180_000;

describe("a folder of 102,400 files", () => {
  const page = usePage();
  const store = join(useFolder(), "many.zarr");
  writeMany(store);

  test("all of them are verified", async (t) => {
    const tab = await page.open();
    await expectOpen(tab, "Cells");
    await dropPath(tab, store);
    await expectOpen(tab, "many.zarr");
    const { section, start, counts, failures } = integrityOf(tab);
    await start();
    await section.getByText(/ in [\d.]+ s$/).waitFor({ timeout: MOST_TO_VERIFY_MS });
    t.diagnostic(await section.locator(".hint").first().textContent());
    assert.deepEqual(await counts(), { "checksum verified": 102_399, damaged: 1 });
    assert.match(await failures.innerText(), /^✗ damaged c\/3\/7 chunk is corrupt/);
  });
});
