// The same cases in a browser: a page that is built as a user's is, with the measurement in a worker.

import { join } from "node:path";
import { build, preview } from "vite";
import { launchChromium, startDriver } from "../scripts/browsers.mjs";
import { ROOT } from "../scripts/run.mjs";

const CONFIG = {
  configFile: false,
  root: join(ROOT, "bench/page"),
  base: "./",
  logLevel: "warn",
  resolve: { alias: { "zarr-codecs": join(ROOT, "dist/index.js") } },
  build: { outDir: join(ROOT, "target/bench/page"), emptyOutDir: true },
  worker: { format: "es" },
  // An isolated page has a finer clock.
  preview: {
    port: 0,
    headers: { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" },
  },
};

/**
 * A page in a browser.
 *
 * @typedef {object} Page
 * @property {string} browser its name and version
 * @property {(name: string, argument?: unknown) => Promise<any>} call calls a global function of the page
 * @property {() => Promise<void>} close ends the browser
 */

/** How each browser opens a page. @type {Record<string, (url: string) => Promise<Page>>} */
const OPEN = {
  async chromium(url) {
    const browser = await launchChromium("--js-flags=--expose-gc");
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.error(error));
    await page.goto(url);
    return {
      browser: `Chromium ${browser.version()}`,
      call: (name, argument) =>
        page.evaluate(([name, argument]) => globalThis[name](argument), [name, argument]),
      close: () => browser.close(),
    };
  },
  firefox: (url) => openByWebDriver("Firefox", url),
  webkit: (url) => openByWebDriver("WebKit", url),
};

async function openByWebDriver(name, url) {
  const { driver, quit } = await startDriver(name);
  await driver.get(url);
  const script = `const [name, argument, answer] = arguments;
    Promise.resolve(globalThis[name](argument)).then((value) => answer({ value }), (error) => answer({ error: String(error) }));`;
  return {
    browser: `${name} ${(await driver.getCapabilities()).getBrowserVersion()}`,
    async call(name, argument) {
      const { value, error } = await driver.executeAsyncScript(script, name, argument ?? null);
      if (error !== undefined) throw new Error(error);
      return value;
    },
    close: quit,
  };
}

/**
 * Runs cases by name in a browser: chromium, firefox or webkit.
 *
 * @param wanted `{ names, sizes, rounds }`
 * @param onEvent is called with what `runSuite` yields
 * @returns the browser's name and version
 */
export async function runInBrowser(name, wanted, onEvent) {
  await build(CONFIG);
  const server = await preview(CONFIG);
  try {
    const page = await OPEN[name](server.resolvedUrls.local[0]);
    try {
      await page.call("startBench", wanted);
      await followEvents(page, onEvent);
      return page.browser;
    } finally {
      await page.close();
    }
  } finally {
    await server.close();
  }
}

/** Passes on the page's events until the last one. */
async function followEvents(page, onEvent) {
  for (;;) {
    for (const { result, done, error } of await page.call("takeEvents")) {
      if (error !== undefined) throw new Error(error);
      if (done) return;
      onEvent(result ?? undefined); // WebDriver makes null of it.
    }
  }
}
