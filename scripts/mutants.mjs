// `npm run mutants:js [-- options|errors|crc32c|shards ...]`: which changes of TypeScript no test notices, by Stryker, which
// is not a dependency: npm fetches it. It changes js/ while it runs, and restores it (or leaves a backup in .stryker-tmp).
// Rust has `cargo mutants`.
//
// Survivors that change nothing:
// - `hasProperties`: the fast path, and the test for objects, which the tag of a primitive value decides alike.
// - errors.ts: the value of the brand, of which only the presence counts; a stack without the message, which V8 does not have.
// - crc32c/: the fast path for bytes in the window; other names and types in the metadata that a codec alone is resolved with.
// - crc32c/repair.ts: the test of the code before a repair that is verified anyway.
// - shards/abort.ts: `once`, and a listener that is removed twice.
// - shards/index-reader.ts: the binary search, which only skips chunks that are skipped later.
// - verify/: what is read or loaded once more without it (codecs by shape, indexes that are kept, order of inner chunks, whole
//   values in place of ranges); how long to wait; the turns of others; the numbers in `order.ts`, whose order is any.
// - verify/: a second look at what Rust, the guard, the caller or the chain as a whole has checked: formats with checksums, `level`
//   and `inner` in `reader.ts`, metadata in `check.ts`, errors that are rethrown, first and last of a group, arrays among groups.
// - verify/check.ts: the name and members of the codec that stands in for unknown ones, of which only `decode` is called.
// - verify/hierarchy.ts: "possible", of which only counts that it is no "numbered"; the cause, which results do not have.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { packForTests } from "./pack.mjs";
import { ensurePackages, ROOT, run } from "./run.mjs";

const STRYKER = "9.6.1";

/** Quick tests of each file or folder. A mutant runs those that reach it, until one fails. */
const TESTS = {
  options: ["js/invalid-options", "js/options-object", "js/option-out", "js/is-zarr-codec-error"],
  errors: [
    ...["js/invalid-argument", "js/is-zarr-codec-error", "js/chunk-length", "js/long-messages"],
    ...["js/invalid-element", "js/load-codec-chain"],
    ...["shards/open-shard", "shards/damage", "zarrita/errors"],
  ],
  crc32c: [
    ...["js/crc32c", "js/checksum-mismatch", "js/option-verify", "js/streams", "js/transform-streams"],
    ...["js/invalid-argument", "zarrita/checksums", "zarrita/numcodecs", "zarrita/options"],
  ],
  shards: [
    ...["shards/metadata", "shards/open-shard", "shards/requests", "shards/damage", "shards/reading"],
    ...["verify/layout", "js/shards", "js/shards-damaged"],
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
  const config = join(folder, `${name}.json`);
  writeFileSync(config, JSON.stringify(configuration(name, tests)));
  const packages = ["core", "tap-runner"].map((part) => `--package=@stryker-mutator/${part}@${STRYKER}`);
  run("npm", ["exec", "--yes", ...packages, "--package=typescript@6", "--", "stryker", "run", config]);
}
// Without mutants.
await build("js");
packForTests();

function configuration(name, tests) {
  return {
    mutate: [`js/${name}.ts`, `js/${name}/*.ts`],
    inPlace: true,
    ignorePatterns: ["/target", "/dist", "/www", "/bench", "/js/generated", "/js/wasm/generated"],
    buildCommand: "node scripts/mutants.mjs --build",
    testRunner: "tap",
    tap: {
      testFiles: tests.map((test) => `tests/${test}.test.mjs`),
      nodeArgs: ["-r", "{{hookFile}}", "--test-reporter=tap", "{{testFile}}"],
    },
    coverageAnalysis: "perTest",
    concurrency: 1,
    timeoutMS: 60_000,
    reporters: ["clear-text", "progress-append-only"],
  };
}
