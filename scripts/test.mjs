// `npm test`: everything, from a fresh clone. `npm run test:rust`, `test:wasm` and `test:js` are its parts;
// `npm run test:page` is the page in more browsers.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { packForTests } from "./pack.mjs";
import { ensurePackages, ensureTools, ROOT, run } from "./run.mjs";

const parts = {
  /** The core, natively: units, properties, real chunks, and the examples in the documentation. */
  rust() {
    run("cargo", ["test", "--locked", "--workspace"]);
  },

  /** The wasm-bindgen layer, called from Rust, in Node and in Chrome. */
  wasm() {
    ensureTools("wasm-bindgen", "wasm-pack", "chromium");
    run("wasm-pack", ["test", "--node", "--release", "--", "--test", "wasm_node"]);
    run("wasm-pack", ["test", "--headless", "--chrome", "--release", "--", "--test", "wasm_browser"]);
  },

  /** The package as users get it: packed, installed, imported; in Node and in Chrome. Its portable build in Node. */
  async js() {
    ensureTools("chromium");
    await build();
    packForTests();
    run("node", ["--test", ...["js", "zarrita", "packaging", "browser", "page"].flatMap(testsIn)]);
    run("node", ["--import", "./tests/portable.mjs", "--test", ...testsIn("js")]);
    run("node", ["scripts/packaging.mjs", "--here", "--no-build"]);
  },

  /** The page in www/, in Chromium and in Firefox. */
  async page() {
    ensureTools("chromium", "firefox");
    await build();
    packForTests();
    run("node", ["--test", ...testsIn("page"), "tests/page/firefox.mjs"]);
  },
};

/** What `npm test` runs. */
const USUAL = ["rust", "wasm", "js"];

function testsIn(folder) {
  return readdirSync(join(ROOT, "tests", folder))
    .filter((file) => file.endsWith(".test.mjs"))
    .map((file) => `tests/${folder}/${file}`);
}

const wanted = process.argv.slice(2);
ensurePackages();
for (const [name, part] of Object.entries(parts)) {
  if ((wanted.length === 0 ? USUAL : wanted).includes(name)) await part();
}
