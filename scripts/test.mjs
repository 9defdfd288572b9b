// `npm test`: runs all tests in Node and Chromium, or the parts named as arguments, as `npm run test:rust` does.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { packForTests } from "./pack.mjs";
import { ensurePackages, ensureTools, PORTABLE, ROOT, run, runTests } from "./run.mjs";

const parts = {
  /** The core, natively: unit tests, properties, real chunks, and the examples in the documentation. */
  rust() {
    run("cargo", ["test", "--locked", "--workspace"]);
  },

  /** The wasm-bindgen layer, called from Rust, in Node and in Chrome. */
  wasm() {
    ensureTools("wasm-bindgen", "wasm-pack", "chromium");
    run("wasm-pack", ["test", "--node", "--release", "--", "--test", "wasm_node"]);
    run("wasm-pack", ["test", "--headless", "--chrome", "--release", "--", "--test", "wasm_browser"]);
  },

  /** The installed package, in Node and in Chrome; its portable build in Node. */
  async js() {
    ensureTools("chromium");
    await ensurePacked();
    runTests(
      ["js", "zarrita", "shards", "array", "clients", "verify", "cli", "packaging", "browser"].flatMap(
        testsIn,
      ),
    );
    runTests(testsIn("js"), { flags: PORTABLE });
    run("node", ["scripts/packaging.mjs", "--here", "--no-build"]);
  },

  /** Clients that are installed on demand. */
  async clients() {
    ensureTools("chromium");
    await ensurePacked();
    runTests(["tests/clients/installed.mjs", "tests/clients/zarr-layer.mjs"]);
  },

  /** The command against real servers, which are installed on demand. */
  async servers() {
    ensureTools("servers");
    await ensurePacked();
    runTests(["tests/cli/servers.mjs"]);
  },

  /** The files in examples/ for clusters: Slurm is installed on demand. */
  async cluster() {
    ensureTools("slurm");
    await ensurePacked();
    runTests(["tests/cli/cluster.mjs"]);
  },

  /** Shards in workerd, which is installed on demand. */
  async workerd() {
    await ensurePacked();
    runTests(["tests/shards/workerd.mjs"]);
  },

  /** The page in www/, in Chromium. */
  async page() {
    ensureTools("chromium");
    await ensurePacked();
    runTests(testsIn("page"));
  },

  /** The page with a folder of 102,400 files, which takes minutes. */
  async files() {
    ensureTools("chromium");
    await ensurePacked();
    runTests(["tests/page/many-files.mjs"]);
  },

  /** The page in Firefox. */
  async firefox() {
    ensureTools("firefox");
    await ensurePacked();
    runTests(["tests/page/firefox.mjs", "tests/browser/firefox.mjs"]);
  },
};

/** The parts that `npm test` runs. */
const DEFAULT = ["rust", "wasm", "js", "page"];

let packing;

/** Builds the package and installs it for the tests, once. */
function ensurePacked() {
  packing ??= build().then(packForTests);
  return packing;
}

function testsIn(folder) {
  return readdirSync(join(ROOT, "tests", folder))
    .filter((file) => file.endsWith(".test.mjs"))
    .map((file) => `tests/${folder}/${file}`);
}

const { positionals } = parseArgs({ allowPositionals: true });
const wanted = positionals.length === 0 ? DEFAULT : positionals;
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`unknown part: ${unknown.join(", ")}; parts: ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}
ensurePackages();
for (const [name, part] of Object.entries(parts)) {
  if (wanted.includes(name)) await part();
}
