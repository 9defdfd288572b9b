// `npm run mutants:js [-- options|errors ...]`: which changes of TypeScript no test notices, by Stryker, which is not a
// dependency: npm fetches it. It changes js/ while it runs, and restores it (or leaves a backup in .stryker-tmp).
// Rust has `cargo mutants`.
//
// Survivors that change nothing: in `hasProperties`, the fast path, and the test for objects, which the tag of a primitive value
// decides alike.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { packForTests } from "./pack.mjs";
import { ensurePackages, ROOT, run } from "./run.mjs";

const STRYKER = "9.6.1";

/** Quick tests of each file. Each mutant runs all of them in one process, in about a second. */
const TESTS = {
  options: ["js/invalid-options", "js/options-object", "js/option-out", "js/is-zarr-codec-error"],
  errors: [
    ...["js/invalid-argument", "js/is-zarr-codec-error", "js/chunk-length", "js/long-messages"],
    ...["js/invalid-element", "js/load-codec-chain"],
    ...["shards/open-shard", "shards/damage", "zarrita/errors"],
  ],
};

const wanted = process.argv.slice(2);
if (wanted[0] === "--build") {
  await build("js");
  packForTests();
  process.exit();
}
const folder = join(ROOT, "target/mutants");
ensurePackages();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, tests] of Object.entries(TESTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const imports = tests.map((test) => pathToFileURL(join(ROOT, "tests", `${test}.test.mjs`)).href);
  writeFileSync(
    join(folder, `${name}.mjs`),
    imports.map((url) => `import ${JSON.stringify(url)};\n`).join(""),
  );
  const config = join(folder, `${name}.json`);
  writeFileSync(config, JSON.stringify(configuration(name)));
  const packages = ["core", "tap-runner"].map((part) => `--package=@stryker-mutator/${part}@${STRYKER}`);
  run("npm", ["exec", "--yes", ...packages, "--package=typescript@6", "--", "stryker", "run", config]);
}
// Without mutants.
await build("js");
packForTests();

function configuration(name) {
  return {
    mutate: [`js/${name}.ts`],
    inPlace: true,
    ignorePatterns: ["/target", "/dist", "/www", "/bench", "/js/generated", "/js/wasm/generated"],
    buildCommand: "node scripts/mutants.mjs --build",
    testRunner: "tap",
    tap: {
      testFiles: [`target/mutants/${name}.mjs`],
      nodeArgs: ["-r", "{{hookFile}}", "--test-reporter=tap", "{{testFile}}"],
    },
    coverageAnalysis: "perTest",
    concurrency: 1,
    timeoutMS: 60_000,
    reporters: ["clear-text", "progress-append-only"],
  };
}
