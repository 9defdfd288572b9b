// The page in www/, built as it is deployed, and a browser to test it in.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before } from "node:test";
import { fileURLToPath } from "node:url";
import { build, preview } from "vite";
import { launchChromium } from "../../scripts/browsers.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Not the root of the server: the page must work from any path. */
const BELOW = "some/path/";

const config = { root: join(ROOT, "www"), logLevel: "error" };

/** Builds the page into a new folder. Returns the folder. */
export async function buildPage() {
  const target = join(ROOT, "target");
  mkdirSync(target, { recursive: true });
  const outDir = mkdtempSync(join(target, "page-"));
  await build({ ...config, build: { outDir: join(outDir, BELOW), emptyOutDir: true } });
  return outDir;
}

/** Serves the page: that in the folder `PAGE_BUILD`, which many files of tests share, else a build of its own. */
export async function servePage() {
  const { PAGE_BUILD } = process.env;
  const outDir = PAGE_BUILD ?? (await buildPage());
  const server = await preview({ ...config, build: { outDir }, preview: { port: 0 } });
  return {
    url: server.resolvedUrls.local[0] + BELOW,
    async close() {
      await server.close();
      if (PAGE_BUILD === undefined) rmSync(outDir, { recursive: true });
    },
  };
}

/** Serves the page and starts a browser. */
export async function startPage(launch = launchChromium) {
  const server = await servePage();
  const browser = await launch();
  return {
    browser,
    url: server.url,
    /**
     * Opens the page in a new tab.
     *
     * @param {object} [options] of Playwright, for its context
     * @param {string} [path] query and hash
     * @returns the tab, and the warnings and errors in its console
     */
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

const isFailedRequest = (problem) => problem.startsWith("Failed to load resource");

/**
 * Serves the page for the tests of a file. Each test opens a tab of its own, which is closed after it; nothing but requests
 * that failed on purpose may have been written to its console.
 */
export function usePage(launch = launchChromium) {
  let started;
  let opened = [];
  before(async () => {
    started = await startPage(launch);
  });
  after(() => started?.close());
  afterEach(async () => {
    const tabs = opened;
    opened = [];
    for (const { tab } of tabs) await tab.context().close();
    const unexpected = tabs.flatMap(({ problems, mayFail }) =>
      problems.filter((problem) => !(mayFail && isFailedRequest(problem))),
    );
    assert.deepEqual(unexpected, [], "the console");
  });
  return {
    get browser() {
      return started.browser;
    },
    get url() {
      return started.url;
    },
    /** Opens a tab; requests may fail where `mayFail` says so. */
    async open(path = "", { mayFail = false, ...options } = {}) {
      const size = { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" };
      const { tab, problems } = await started.open({ ...size, ...options }, path);
      opened.push({ tab, problems, mayFail });
      return tab;
    },
  };
}

/** Makes a folder for the tests of a file. */
export function useFolder() {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The longest task that tests accept, in milliseconds of processor time: people notice longer ones. */
export const LONGEST_TASK_MS = 50;

/**
 * Returns the processor time, in milliseconds, of the page's longest task during an action. (Time on the clock would also
 * depend on how busy the machine is. Other work makes tasks longer, never shorter, so the shortest of three attempts to stay
 * below a limit counts.)
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

/** Fails if axe finds a barrier in a part of the page. */
export async function expectAccessible(tab, selector) {
  if (!(await tab.evaluate(() => "axe" in globalThis))) {
    await tab.addScriptTag({ path: fileURLToPath(import.meta.resolve("axe-core/axe.min.js")) });
  }
  const { violations } = await tab.evaluate((selector) => globalThis.axe.run(selector), selector);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`);
  assert.deepEqual(found, []);
}
