// The same cases in a browser: a page that is built as a user's is, with the measurement in a worker.

import { EventEmitter, on } from "node:events";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { build, preview } from "vite";
import { openBrowser } from "../scripts/browsers.mjs";
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

const TITLES = { chromium: "Chromium", firefox: "Firefox", webkit: "WebKit" };

/** A plugin that emits what the page posts to its server as `event`s. */
const emitEvents = (emitter) => ({
  name: "events",
  configurePreviewServer({ middlewares }) {
    middlewares.use("/events", async (request, response) => {
      emitter.emit("event", await json(request));
      response.end();
    });
  },
});

/**
 * Runs cases by name in a browser: chromium, firefox or webkit.
 *
 * @param wanted `{ names, sizes, rounds }`, and `suite` if it is not that of `bench/cases.js`
 * @param onEvent is called with what `runSuite` yields
 * @returns the browser's name and version
 */
export async function runInBrowser(name, wanted, onEvent) {
  await build(CONFIG);
  const page = new EventEmitter();
  const events = on(page, "event");
  const server = await preview({ ...CONFIG, plugins: [emitEvents(page)] });
  try {
    const url = `${server.resolvedUrls.local[0]}#${encodeURIComponent(JSON.stringify(wanted))}`;
    const { version, close } = await openBrowser(TITLES[name], url, "--js-flags=--expose-gc");
    try {
      for await (const [{ result, done, error }] of events) {
        if (error !== undefined) throw new Error(error);
        if (done) return `${TITLES[name]} ${version}`;
        onEvent(result);
      }
    } finally {
      await close();
    }
  } finally {
    await server.close();
  }
}
