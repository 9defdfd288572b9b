// `npm run fuzz -- --minutes N [target ...]`: searches for inputs that break the core, N minutes for each target; one by
// default. Uses cargo-fuzz, which learns from coverage, where it and a nightly compiler are installed (`cargo install
// cargo-fuzz`); else the property tests. Then runs fast-check over the packed package for as long, both builds.

import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { packForTests } from "./pack.mjs";
import { ensurePackages, ensureRust, PORTABLE, ROOT, run, runTests } from "./run.mjs";

const TARGETS = ["metadata", "chain", "guard", "shards", "kernels", "diagnosis"];
/** The target that needs the reference implementations, which a C compiler compiles. */
const DECODERS = "decoders";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string", default: "1" }, seed: { type: "string" } },
});
const seconds = Math.round(60 * Number(values.minutes));
const ALL = [...TARGETS, DECODERS, "package"];
const wanted = positionals.length === 0 ? ALL : positionals;
const unknown = wanted.filter((name) => !ALL.includes(name));
if (!(seconds > 0) || unknown.length > 0) {
  console.error(`usage: npm run fuzz -- --minutes N [--seed S] [${ALL.join("|")} ...]`);
  process.exit(2);
}
const seed = values.seed ?? String(randomInt(2 ** 31));
console.log(`seed ${seed}`);
const env = { FUZZ_SECONDS: String(seconds), FUZZ_SEED: seed };

ensureRust();
const hasCargoFuzz = spawnSync("cargo", ["+nightly", "fuzz", "--version"]).status === 0;
for (const target of [...TARGETS, DECODERS].filter((target) => wanted.includes(target))) {
  if (hasCargoFuzz) coverageGuided(target);
  else if (target === DECODERS) compareDecoders();
  else properties(target);
}
if (wanted.includes("package")) {
  ensurePackages();
  await build();
  await packForTests();
  for (const flags of [[], PORTABLE]) runTests(["tests/js/fuzz.test.mjs"], { flags, env });
}

/** Runs a property test, in an optimized build. */
function properties(target) {
  const exactly = ["--", `fuzz::${target}`, "--exact", "--nocapture"];
  run("cargo", ["test", "--locked", "--release", "--test", "rust", ...exactly], { env });
}

/** Compares the decoders with the reference implementations. */
function compareDecoders(...args) {
  const build = ["--locked", "--release", "--target-dir", join(ROOT, "target/fuzz/build")];
  const program = ["--manifest-path", "fuzz/Cargo.toml", "--bin", "compare_decoders"];
  run("cargo", ["run", ...build, ...program, "--", ...args], { env });
}

/** Runs cargo-fuzz on the corpus of the vectors and what it has found before. */
function coverageGuided(target) {
  const [found, corpus] = ["found", "corpus"].map((name) => join(ROOT, "target/fuzz", name, target));
  for (const folder of [found, corpus]) mkdirSync(folder, { recursive: true });
  const exactly = ["--", "fuzz::corpora_are_written", "--exact", "--ignored"];
  if (target === DECODERS) compareDecoders(corpus);
  else {
    run("cargo", ["test", "--locked", "--test", "rust", ...exactly], {
      env: { FUZZ_CORPUS: join(ROOT, "target/fuzz/corpus") },
    });
  }
  const options = [`-max_total_time=${seconds}`, `-seed=${seed}`, "-timeout=10", "-rss_limit_mb=2048"];
  run("cargo", ["+nightly", "fuzz", "run", target, found, corpus, "--", ...options]);
}
