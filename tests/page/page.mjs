// The page in www/, built as it is deployed, in Chromium.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, preview } from "vite";
import { launchChromium } from "../browser/chromium.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Not at the root of the server: the page must work from any path. */
const BELOW = "some/path/";

/** Builds the page into a folder of its own, for test files run beside each other, and serves it. */
export async function servePage() {
  const target = join(ROOT, "target");
  mkdirSync(target, { recursive: true });
  const outDir = mkdtempSync(join(target, "page-"));
  const config = { root: join(ROOT, "www"), logLevel: "warn" };
  await build({ ...config, build: { outDir: join(outDir, BELOW), emptyOutDir: true } });
  const server = await preview({ ...config, build: { outDir }, preview: { port: 0 } });
  return {
    url: server.resolvedUrls.local[0] + BELOW,
    async close() {
      await server.close();
      rmSync(outDir, { recursive: true });
    },
  };
}

/**
 * Serves the page and starts a browser.
 *
 * @returns `open` gives a new tab and what it complained about; its options are Playwright's for a context
 */
export async function startPage() {
  const server = await servePage();
  const browser = await launchChromium();
  return {
    browser,
    url: server.url,
    async open(options = {}, path = "") {
      const context = await browser.newContext(options);
      const tab = await context.newPage();
      const problems = [];
      tab.on("pageerror", (error) => problems.push(String(error)));
      tab.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) problems.push(message.text());
      });
      await tab.goto(server.url + path);
      return { tab, problems };
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
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

/** Presses “Verify all”, and gives how many chunks are in which state when that is done. */
export async function verifyAll(tab) {
  await tab.getByRole("button", { name: "Verify all" }).click();
  await tab.waitForFunction(() =>
    / in [\d.]+ s$/.test(document.querySelector("#integrity .hint").textContent),
  );
  const counts = await tab.locator("#integrity .legend b").allTextContents();
  const [unchecked, verified, failed, missing] = counts.map((count) => Number(count.replaceAll(",", "")));
  return { unchecked, verified, failed, missing };
}

/**
 * The milliseconds of processor time that the page's longest task took while something happened. Time on the clock would
 * also tell how busy the machine is. What else the machine does makes tasks longer, never shorter: of three attempts to
 * stay below a limit the best one tells of the page.
 */
export async function longestTask(browser, tab, limit, action) {
  let longest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 3 && longest > limit; attempt += 1) {
    longest = Math.min(longest, await longestOnce(browser, tab, action));
  }
  return longest;
}

async function longestOnce(browser, tab, action) {
  await browser.startTracing(tab, { categories: ["disabled-by-default-devtools.timeline"] });
  await action();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const thread = ({ pid, tid }) => `${pid} ${tid}`;
  const isMain = ({ name, args }) => name === "thread_name" && args.name === "CrRendererMain";
  const mainThreads = new Set(traceEvents.filter(isMain).map(thread));
  const tasks = traceEvents.filter((event) => event.name === "RunTask" && mainThreads.has(thread(event)));
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000));
}

/** Fails if axe finds something in a part of the page that makes it hard to use. */
export async function expectAccessible(tab, selector) {
  if (!(await tab.evaluate(() => "axe" in globalThis))) {
    await tab.addScriptTag({ path: fileURLToPath(import.meta.resolve("axe-core/axe.min.js")) });
  }
  const { violations } = await tab.evaluate((selector) => globalThis.axe.run(selector), selector);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`);
  assert.deepEqual(found, []);
}
