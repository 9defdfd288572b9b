// A page in Chromium that imports the installed package; its files come from tests/, without a server.

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

/**
 * Opens the page.
 *
 * @param {Record<string, () => Promise<string>>} [scripts] other modules that it can import, by name
 * @returns the browser, the tab, and the messages and errors of its console
 */
export async function openPage(scripts = {}) {
  const problems = [];
  const pathOf = (name) => `/scripts/${name}.js`;
  const imports = [...(await packageImports()), ...Object.keys(scripts).map((name) => [name, pathOf(name)])];
  const importMap = JSON.stringify({ imports: Object.fromEntries(imports) });
  const page = `<!doctype html><script type="importmap">${importMap}</script>`;

  const respond = async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/") return route.fulfill({ body: page, contentType: "text/html", headers: HEADERS });
    const script = Object.keys(scripts).find((name) => pathOf(name) === pathname);
    if (script) return route.fulfill({ body: await scripts[script](), contentType: CONTENT_TYPES[".js"] });
    const path = join(TESTS, pathname);
    if (!existsSync(path)) return route.fulfill({ status: 404 });
    route.fulfill({
      body: await readFile(path),
      contentType: CONTENT_TYPES[extname(path)],
      headers: HEADERS,
    });
  };

  const browser = await launchChromium();
  const tab = await browser.newPage();
  tab.on("pageerror", (error) => problems.push(String(error)));
  tab.on("console", (message) => problems.push(message.text()));
  await tab.route(`${ORIGIN}/**`, respond);
  await tab.goto(`${ORIGIN}/`);
  return { browser, tab, problems };
}
