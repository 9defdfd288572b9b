// `npm run www:screenshots`: takes screenshots of the page in Chromium, light and dark, for the README.

import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { ensurePackages, ensureTools, ROOT } from "./run.mjs";

ensurePackages();
ensureTools("chromium");
await build();
const { startPage } = await import("../tests/page/page.mjs");

const FOLDER = join(ROOT, "www/screenshots");
const MARGIN = 12;
/** Taller sections are cropped. */
const TALLEST = 1150;

mkdirSync(FOLDER, { recursive: true });
const page = await startPage();
for (const colorScheme of ["light", "dark"]) {
  const viewport = { width: 1100, height: 900 };
  const { tab } = await page.open({ viewport, colorScheme, reducedMotion: "reduce" });
  const shoot = (name, selector) => screenshot(tab, `${name}-${colorScheme}`, selector);
  await tab.getByText(/Nuclei \d/).waitFor();
  await shoot("viewer", "#viewer .viewer");
  await tab.getByRole("button", { name: "Flip one bit" }).click();
  await tab.getByText("✗ ChecksumMismatchError").waitFor();
  await shoot("break-a-byte", "#break-a-byte .panel");
  await tab.getByRole("button", { name: "Verify all" }).click();
  await tab
    .locator("#integrity")
    .getByText(/ in [\d.]+ s$/)
    .waitFor();
  await shoot("integrity", "#integrity .panel");
  await shoot("own-chunk", "#own-chunk");
  await tab.getByRole("button", { name: "Run", exact: true }).click();
  await tab.getByText("Measured on").waitFor({ timeout: 300_000 });
  await shoot("speed", "#speed");
}
await page.close();

async function screenshot(tab, name, selector) {
  await tab.evaluate(() => scrollTo(0, 0));
  const { x, y, width, height } = await tab.locator(selector).first().boundingBox();
  const path = join(FOLDER, `${name}.png`);
  const clip = {
    x: x - MARGIN,
    y: y - MARGIN,
    width: width + 2 * MARGIN,
    height: Math.min(TALLEST, height + 2 * MARGIN),
  };
  await tab.screenshot({ path, fullPage: true, clip });
  console.log(`${path} ${statSync(path).size} bytes`);
}
