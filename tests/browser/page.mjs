// A page that imports the installed package; its files come from tests/, without a server.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { launchChromium } from "../../scripts/browsers.mjs";

export const TESTS = fileURLToPath(new URL("..", import.meta.url));
const ORIGIN = "http://localhost";

const CONTENT_TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json" };

// A page served with these has SharedArrayBuffer.
const HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** Returns the entries of the package for an import map, resolved by its package.json. */
async function packageImports() {
  const manifest = JSON.parse(await readFile(join(TESTS, "node_modules/zarr-codecs/package.json"), "utf8"));
  const entries = Object.entries(manifest.exports).filter(([, target]) => target.default !== undefined);
  return entries.map(([name, target]) => [
    join("zarr-codecs", name),
    join("/node_modules/zarr-codecs", target.default),
  ]);
}

const pathOf = (name) => `/scripts/${name}.js`;

/** Returns the page. */
async function page(scripts) {
  const imports = [...(await packageImports()), ...Object.keys(scripts).map((name) => [name, pathOf(name)])];
  const importMap = JSON.stringify({ imports: Object.fromEntries(imports) });
  return `<!doctype html><script type="importmap">${importMap}</script>`;
}

/** Returns a function that returns the answer to a request for a path. */
async function resources(scripts) {
  const index = await page(scripts);
  return async (pathname) => {
    if (pathname === "/") return { body: index, contentType: "text/html", headers: HEADERS };
    const script = Object.keys(scripts).find((name) => pathOf(name) === pathname);
    if (script) return { body: await scripts[script](), contentType: CONTENT_TYPES[".js"] };
    const path = join(TESTS, pathname);
    if (!existsSync(path)) return { status: 404 };
    return { body: await readFile(path), contentType: CONTENT_TYPES[extname(path)], headers: HEADERS };
  };
}

/**
 * Opens the page.
 *
 * @param {Record<string, () => Promise<string>>} [scripts] other modules that it can import, by name
 * @param {() => Promise<import("playwright-core").Browser>} [launch] starts the browser
 * @returns the browser, the tab, and the messages and errors of its console
 */
export async function openPage(scripts = {}, launch = launchChromium) {
  const problems = [];
  const answer = await resources(scripts);
  const browser = await launch();
  const tab = await browser.newPage();
  tab.on("pageerror", (error) => problems.push(String(error)));
  tab.on("console", (message) => problems.push(message.text()));
  await tab.route(`${ORIGIN}/**`, async (route) =>
    route.fulfill(await answer(new URL(route.request().url()).pathname)),
  );
  await tab.goto(`${ORIGIN}/`);
  return { browser, tab, problems };
}
