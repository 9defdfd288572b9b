// The same cases in Chromium: a page that is built as a user's is, with the measurement in a worker.

import { join } from "node:path";
import { build, preview } from "vite";
import { launchChromium } from "../scripts/browsers.mjs";
import { ROOT } from "../scripts/run.mjs";

const CONFIG = {
  configFile: false,
  root: join(ROOT, "bench/page"),
  base: "./",
  logLevel: "warn",
  resolve: { alias: { "zarr-codecs": join(ROOT, "dist/index.js") } },
  build: { outDir: join(ROOT, "target/bench/page"), emptyOutDir: true },
  worker: { format: "es" },
  // A page that is isolated from others has the finer clock.
  preview: {
    port: 0,
    headers: { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" },
  },
};

/**
 * Runs cases by name in Chromium.
 *
 * @param wanted `{ names, sizes, rounds }`
 * @param onEvent is called with what `runSuite` yields
 * @returns the browser's name and version
 */
export async function runInBrowser(wanted, onEvent) {
  await build(CONFIG);
  const server = await preview(CONFIG);
  const browser = await launchChromium("--js-flags=--expose-gc");
  try {
    const page = await browser.newPage();
    page.on("pageerror", (error) => console.error(error));
    await page.exposeFunction("onBenchEvent", onEvent);
    await page.goto(server.resolvedUrls.local[0]);
    await page.evaluate((wanted) => globalThis.runBench(wanted), wanted);
    return `Chromium ${browser.version()}`;
  } finally {
    await browser.close();
    await server.close();
  }
}
