// The package in Chromium, with zarrita of every version: real stores, and a wrong checksum.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { delimiter, extname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";

const TESTS = fileURLToPath(new URL("..", import.meta.url));
const ORIGIN = "http://localhost";
const PACKAGE = "/node_modules/zarr-codecs/dist";
const VERSIONS = { 0.4: "zarrita-0.4", 0.5: "zarrita-0.5", 0.6: "zarrita-0.6", 0.7: "zarrita" };
const IMPORTS = {
  "zarr-codecs": `${PACKAGE}/index.js`,
  "zarr-codecs/register": `${PACKAGE}/register.js`,
  "zarr-codecs/zarrita": `${PACKAGE}/zarrita.js`,
  ...Object.fromEntries(Object.values(VERSIONS).map((name) => [name, `/bundled/${name}.js`])),
};
const PAGE = `<!doctype html><script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`;

const EXECUTABLE = process.env.PATH.split(delimiter)
  .flatMap((folder) => ["chromium", "google-chrome"].map((name) => join(folder, name)))
  .find(existsSync);

const CONTENT_TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json" };

/** A version of zarrita in one file, as its own imports name packages. */
async function bundle(name) {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "${name}";`, resolveDir: TESTS },
    ...{ bundle: true, write: false, format: "esm", logLevel: "error" },
  });
  return outputFiles[0].text;
}

async function respond(route) {
  const { pathname } = new URL(route.request().url());
  if (pathname === "/") return route.fulfill({ body: PAGE, contentType: "text/html" });
  const bundled = /^\/bundled\/(.*)\.js$/.exec(pathname)?.[1];
  if (bundled) return route.fulfill({ body: await bundle(bundled), contentType: "text/javascript" });
  const path = join(TESTS, pathname);
  if (!existsSync(path)) return route.fulfill({ status: 404 });
  route.fulfill({ body: await readFile(path), contentType: CONTENT_TYPES[extname(path)] });
}

describe("zarrita in Chromium", () => {
  let browser;
  let tab;
  const problems = [];

  before(async () => {
    const found = EXECUTABLE ? { executablePath: EXECUTABLE } : { channel: "chrome" };
    browser = await chromium.launch({ ...found, args: ["--no-sandbox"] });
    tab = await browser.newPage();
    tab.on("pageerror", (error) => problems.push(String(error)));
    tab.on("console", (message) => problems.push(message.text()));
    await tab.route(`${ORIGIN}/**`, respond);
    await tab.goto(`${ORIGIN}/`);
  });

  after(() => browser?.close());

  for (const [version, name] of Object.entries(VERSIONS)) {
    test(`zarrita ${version} reads real stores, and a wrong checksum is found`, async () => {
      const seen = await tab.evaluate(async (name) => {
        const zarrita = await import(name);
        const { register } = await import("zarr-codecs/register");
        const { arrayMetadata, readChunk, readStores } = await import("/zarrita/stores.mjs");
        const unregister = register(zarrita.registry);
        const seen = { wrong: [] };
        for (const file of ["zarr-python.json", "tensorstore.json"]) {
          const { read, wrong } = await readStores(zarrita, await (await fetch(`/zarrita/${file}`)).json());
          seen[file] = read;
          seen.wrong.push(...wrong);
        }
        const metadata = arrayMetadata({
          codecs: [{ name: "bytes", configuration: { endian: "big" } }, { name: "crc32c" }],
        });
        const damaged = await readChunk(zarrita, metadata, new Uint8Array(12)).catch(
          (error) => error.cause ?? error,
        );
        seen.code = damaged.code;
        unregister();
        return seen;
      }, name);
      const missing = version < "0.7" ? 2 : 0; // Fill values whose components differ take zarrita 0.7.
      assert.deepEqual(seen, {
        wrong: [],
        "zarr-python.json": 50 - missing,
        "tensorstore.json": 54 - missing,
        code: "checksum_mismatch",
      });
    });
  }

  test("importing zarr-codecs/zarrita is all there is to do", async () => {
    const codes = await tab.evaluate(async () => {
      const zarrita = await import("zarrita");
      const { arrayMetadata, readChunk } = await import("/zarrita/stores.mjs");
      const metadata = arrayMetadata({
        codecs: [{ name: "bytes", configuration: { endian: "big" } }, { name: "crc32c" }],
      });
      const read = () =>
        readChunk(zarrita, metadata, new Uint8Array(12)).then(
          () => "not verified",
          (error) => error.cause.code,
        );
      const alone = await read();
      const { unregister } = await import("zarr-codecs/zarrita");
      const registered = await read();
      unregister();
      return [alone, registered, await read()];
    });
    assert.deepEqual(codes, ["not verified", "checksum_mismatch", "not verified"]);
  });

  test("nothing is written to the console", () => {
    assert.deepEqual(problems, []);
  });
});
