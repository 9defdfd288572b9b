// `npm test` and `npm run test:all`: run the tests, or the parts named as arguments (`npm test -- rust js`).
//
// `npm test` runs what a change can break and a processor decides alone: the same on every run, in minutes. `npm run test:all`
// runs all else: what is slow, statistical or measured (`*.slow.mjs`), other browsers, servers, clusters, clients and runtimes.

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { packForTests } from "./pack.mjs";
import { ensurePackages, ensureRust, ensureTools, PORTABLE, ROOT, run, runTests } from "./run.mjs";

/** The folders whose tests import the installed package. */
const PACKAGE = [
  "js",
  "zarrita",
  "shards",
  "array",
  "store",
  "clients",
  "verify",
  "cli",
  "packaging",
  "browser",
];

/** The parts of `npm test`. */
const quick = {
  /** The core, natively: unit tests, properties, real chunks, and the examples in the documentation. */
  rust() {
    ensureRust();
    run("cargo", ["test", "--locked"]);
  },

  /** The installed package, in Node and in Chrome. */
  async js() {
    ensureTools("chromium");
    await ensurePacked();
    runTests(testsIn(PACKAGE, ".test.mjs"));
  },

  /** The page in www/, in Chromium: what is looked at most. */
  async page() {
    ensureTools("chromium");
    await ensurePacked();
    await withPage((env) => runTests(testsIn(["page"], ".test.mjs"), { env }));
  },
};

/** The parts of `npm run test:all`. */
const slow = {
  /** Tests that are slow or statistical, or measure time or memory, one file at a time. */
  async slow() {
    ensureTools("chromium");
    await ensurePacked();
    const flags = ["--test-concurrency=1"];
    await withPage((env) => runTests(testsIn([...PACKAGE, "page"], ".slow.mjs"), { flags, env }));
  },

  /** The wasm-bindgen layer, called from Rust, in Node and in Chrome. */
  wasm() {
    ensureTools("wasm-bindgen", "wasm-pack", "chromium");
    run("wasm-pack", ["test", "--node", "--", "--test", "wasm_node"]);
    run("wasm-pack", ["test", "--headless", "--chrome", "--", "--test", "wasm_browser"]);
  },

  /** The tests of codecs in the portable build, chunks of other writers among them. */
  async portable() {
    await ensurePacked();
    runTests(testsIn(["js"], ".test.mjs"), { flags: PORTABLE });
  },

  /** A quarter of a minute for each fuzz target. */
  fuzz() {
    run("node", ["scripts/fuzz.mjs", "--minutes", "0.25", "--seed", "1"]);
  },

  /** The package and the page in Firefox. */
  async firefox() {
    ensureTools("firefox");
    await ensurePacked();
    runTests(["tests/page/firefox.mjs", "tests/browser/firefox.mjs"]);
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

  /** The package in every runtime, browser and bundler. */
  async packaging() {
    await ensurePacked();
    run("node", ["scripts/packaging.mjs", "--no-build"]);
  },

  /** A hundredth of the endurance run. */
  async endurance() {
    await ensurePacked();
    run("node", ["--expose-gc", "tests/endurance/main.mjs", "--scale", "0.01"]);
  },
};

let packing;

/** Builds the package and installs it for the tests, once. */
function ensurePacked() {
  packing ??= build().then(packForTests);
  return packing;
}

/** Builds the page once for all files of its tests, which find it by a variable of the environment. */
async function withPage(test) {
  const { buildPage } = await import("../tests/page/page.mjs");
  const PAGE_BUILD = await buildPage();
  test({ PAGE_BUILD });
  rmSync(PAGE_BUILD, { recursive: true });
}

/** Returns the files in folders of tests/ whose names end like this. */
function testsIn(folders, ending) {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, "tests", folder))
      .filter((file) => file.endsWith(ending))
      .map((file) => `tests/${folder}/${file}`),
  );
}

const parts = { ...quick, ...slow };
const { values, positionals } = parseArgs({
  options: { all: { type: "boolean", default: false } },
  allowPositionals: true,
});
const wanted = positionals.length > 0 ? positionals : Object.keys(values.all ? slow : quick);
const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`unknown part: ${unknown.join(", ")}; parts: ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}
ensurePackages();
for (const [name, part] of Object.entries(parts)) {
  if (wanted.includes(name)) await part();
}
