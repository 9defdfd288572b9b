// `npm run mutants:js [-- errors|shards|verify ...]`: which changes of TypeScript no test notices, by Stryker, which is not
// a dependency: npm fetches it. It changes js/ while it runs, and restores it (or leaves a backup in .stryker-tmp).
// Rust has `cargo mutants`.
//
// Survivors that change nothing:
// - `hasProperties`: the fast path, and the test for objects, which the tag of a primitive value decides alike.
// - errors.ts: the value of the brand, of which only the presence counts.
// - crc32c/: the fast path for bytes in the window; other names and types in the metadata that a codec alone is resolved with.
// - crc32c/repair.ts: the test of the code before a repair that is verified anyway.
// - shards/abort.ts: `once`, since signals abort once.
// - shards/divide.ts: the name of the codec that stands for the inner ones; errors other than of metadata, which nothing throws.
// - shards/index-reader.ts: the binary search, which only skips chunks that are skipped later.
// - shards/joined-request.ts: requests for the same suffix, which shared-requests.ts joins already; what spares a promise, or
//   copying for a call that has been rejected; an answer of the right length, checked again.
// - shards/places.ts: a place that is undefined; one that replaces another, which the bytes of no reader have.
// - shards/range-reader.ts: a second flush of an empty queue; a first range that is too far; that suffixes and offsets have
//   different names, since indexes are read before anything else.
// - shards/shard.ts: the limit for views, which are not worse for being joined.
// - shards/shared-requests.ts: who shares a request for an index, or removes it: ranges are shared as well, so that it would only
//   be decoded again; a result that is not kept, but awaited.
// - shards/turns.ts: one byte or one microtask more in a turn.
// - chain/: fast paths (C order, strings that fill the element, shards slab by slab or without promises, parts that are
//   whole), and caches; further checks of lengths that the chain or Rust has checked; names of arguments that have been
//   checked; new encoded bytes as a source of `out`; what a chain of its own codecs does not use; `check` by decoding; an
//   empty `catch`.
// - chain/host-codecs.ts: what only other hosts do (zstd, unshared memory, no `process` or `engine`); streams in place of
//   `node:zlib`; options that are undefined; one byte more or less of a limit that is chosen freely.
// - chain/load.ts: inner codecs that are no list, which Rust reports. chain/external-array.ts: the default shape, which only counts.
// - verify/: what is read or loaded once more without it (codecs by shape, indexes that are kept, order of inner chunks, whole
//   values in place of ranges); how long to wait; the turns of others; the numbers in `order.ts`, whose order is any.
// - verify/: a second look at what Rust, the guard, the caller or the chain as a whole has checked: formats with checksums, `level`
//   and `inner` in `reader.ts`, metadata in `check.ts`, errors that are rethrown, first and last of a group, arrays among groups.
// - verify/check.ts: the names and members of the codecs that stand in for unknown ones, of which only `decode` is called.
// - verify/requests.ts: `?.` of methods that are only called where the store has them. verify/plan.ts: which unit has which number.
// - verify/outcome.ts: names of proofs that no sound unit has. verify/whole-value.ts: what only matters where a checksum is decoded.
// - verify/shard-unit.ts: tails and values that are read once more; dimensions of arrays without any.
// - verify/array-units.ts: sharing codecs and layouts among arrays and chunks that are alike.
// - verify/hierarchy.ts: "possible", of which only counts that it is no "numbered"; the cause, which results do not have.
// - numcodecs.ts: the option verify of a codec that only checks its configuration. fill-value.ts: the option float16, which matters
//   only on hosts with Float16Array. metadata.ts: one value or character less of limits that are chosen freely.
// - typed-array.ts: whether memory is zeroed or uninitialised; bytes that take the slow path; `Float16Array`, which Node 20 lacks.
// - intrinsics.ts: getters that the host lacks, and an empty `catch`; looking for bounds of views that are not empty; buffers that are
//   copied though they are not shared, and the prototype, which is only faster.
// - wasm/window.ts, wasm/chunks.ts: the fast path through the window, views that are kept, and how a view is copied, since the slow path does the
//   same; a second check of what is decoded or encoded; a check for nothing; checksums of which there are none; whether memory is
//   zeroed; a copy of what does not overlap, or by Rust; the name of an argument that has been checked; an empty `catch`; what
//   `parts` keeps (its key is unique with either sign), and one part more; how often a chunk is split.
// - wasm/blocks.ts: one block more, which is the first one again. wasm/instance.ts: another start of what runs, since the glue keeps
//   its instance. wasm/loaders/portable.ts: its module, which the glue creates as well. (Only tests in workerd load workerd.ts,
//   and only those of the command thread.ts.)
// - zarrita/codecs.ts: one more copy (of bytes that are copied already; `crc32c` also where `bytes` copies); members that are absent
//   where there are no codecs, so no place of one; a place that is undefined.
// - zarrita/lists.ts: the name of the codec that stands for others, and its kind, which is Rust's default; codecs that are absent; one
//   index more, at which `bytes` itself is; an empty `catch`.
// - zarrita/lazily.ts: the fast path for what is there, which spares a promise. zarrita/registry.ts: the brand and its value,
//   of which only the presence counts; setting the entry that is in effect.
// - zarrita/view.ts: big-endian hosts; codecs that are absent; a member that is there (`?.` for the type checker).
// - zarrita/stores/: `?.` of methods that lazy-store.ts only calls where the store has them; fast paths (keys without an added axis,
//   arrays without a special fill value, known arrays found at once, the last pass of `copyWithin`); what is read once more,
//   forgotten without effect, or counted although closed meanwhile; one more or less of a limit that is chosen freely.
// - zarrita/stores/checked-*.ts: a copy of a payload that nobody reads; a list of checksums alone, which is invalid; a suffix as a part
//   at an unknown offset, which contains no chunk either.
// - zarrita/stores/chunk-keys.ts: anchors at the start of keys, which have no line breaks; names such as `.zarray.bak`, which zarrita
//   does not request.
// - zarrita/stores/consolidated.ts, nodes.ts, json.ts: errors other than of metadata, which nothing throws; `?.` on a list of the same
//   length; `isArray` undefined in place of false; a path without slashes; an empty `catch`.
// - zarrita/stores/fill-value.ts: integers as strings for `uint` types, which are never shown as such.
// - zarrita/stores/shard-reader.ts, sharded-array.ts: an unused reader of chunks that are read whole; the shape of chunks without
//   shards, of which nothing is divided; names that contain `complex_` elsewhere than at the start.
// - zarrita/stores/translation.ts: the flags of names that are no strings, rejected later; hosts that have Float16Array; the start of
//   `r8`, since what follows its first character must be a number.

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
    "js/invalid-argument",
    "js/is-zarr-codec-error",
    "js/chunk-length",
    "js/long-messages",
    "js/invalid-element",
    "js/load-codec-chain",
    "shards/open-shard",
    "shards/damage",
    "zarrita/errors",
  ],
  crc32c: [
    "js/crc32c",
    "js/checksum-mismatch",
    "js/option-verify",
    "js/streams",
    "js/transform-streams",
    "js/invalid-argument",
    "zarrita/checksums",
    "zarrita/numcodecs",
    "zarrita/options",
  ],
  array: ["array/*", "verify/*"],
  store: ["array/*", "verify/*", "shards/*"],
  shard: [
    "array/requests",
    "array/damage",
    "array/rewritten",
    "shards/metadata",
    "shards/requests",
    "shards/damage",
    "shards/reading",
    "shards/checksums",
    "shards/open-shard",
    "shards/open-shard-aborted",
    "shards/open-shard-answers",
    "shards/open-shard-transposed",
    "verify/layout",
    "js/shards",
    "js/shards-damaged",
  ],
  chain: ["js/*"],
  verify: ["verify/*"],
  wasm: ["js/*", "packaging/start", "packaging/portable"],
  zarrita: ["zarrita/*", "shards/*"],
  numcodecs: ["zarrita/numcodecs", "zarrita/memory"],
  time: ["js/time", "zarrita/registered-types"],
};
for (const file of ["expect", "fill-value", "intrinsics", "message", "metadata", "stride", "typed-array"]) {
  TESTS[file] = ["js/*"];
}

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
    mutate: [`js/${name}.ts`, `js/${name}/**/*.ts`],
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
