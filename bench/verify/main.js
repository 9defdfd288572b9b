// `npm run bench:verify`: the command on stores in the page cache, and programs that only read or hash the same files.
//
// Fails where a floor does not hold. Options: --rounds 5, --no-floors, --python (one with zarr-python, which is then compared).

import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../../scripts/run.mjs";
import { describeHost } from "../host.js";
import { ensureStore, STORES } from "./stores.js";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    floors: { type: "boolean", default: true },
    python: { type: "string" },
  },
  allowNegative: true,
});

const FOLDER = join(ROOT, "target/bench/verify");
const COMMAND = join(ROOT, "dist/cli/main.js");

/**
 * The least ratios of times: of one worker to two, of zarr-python to two, with which the command starts by default on two cores,
 * and of other programs to one.
 */
const FLOORS = { cat: 0.5, sha256sum: 8, "two workers": 1.6, "zarr-python": 5 };
const LEAST_SMALL_CHUNKS = 20_000;
const MOST_MEBIBYTES = 300;

const large = ensureStore(FOLDER, "large");
const small = ensureStore(FOLDER, "small");

const shell = (command) => () => {
  execFileSync("sh", ["-c", command], { stdio: ["ignore", "ignore", "inherit"] });
};

/** Runs the command. Returns the seconds of its summary: from when its first thread began. */
function verify(store, workers) {
  const { stdout, status } = spawnSync(
    process.execPath,
    [COMMAND, "verify", store, "--workers", workers, "--jsonl", "-", "--quiet"],
    { encoding: "utf8", maxBuffer: 2 ** 26 },
  );
  const { summary } = JSON.parse(stdout.trim().split("\n").at(-1));
  if (status !== 0 || summary.proofs.checksum !== summary.units) throw new Error(`${store} is not sound`);
  return summary.seconds;
}

/** The largest memory of a run, in MiB. */
function memoryOf(store, workers) {
  const { stderr } = spawnSync(
    "/usr/bin/time",
    ["-f", "%M", process.execPath, COMMAND, "verify", store, "--workers", workers, "--quiet"],
    { encoding: "utf8" },
  );
  return Number(stderr.trim().split("\n").at(-1)) / 1024;
}

function seconds(work) {
  const start = performance.now();
  return work() ?? (performance.now() - start) / 1000;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const programs = {
  "one worker": () => verify(large, "1"),
  "two workers": () => verify(large, "2"),
  cat: shell(`find ${large}/c -type f -exec cat {} + > /dev/null`),
  sha256sum: shell(`find ${large}/c -type f -exec sha256sum {} +`),
};
const samples = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
for (const work of Object.values(programs)) seconds(work); // Fills the page cache.
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [name, work] of Object.entries(programs)) samples[name].push(seconds(work));
}
if (values.python) {
  const output = execFileSync(values.python, [join(import.meta.dirname, "peer.py"), large], {
    encoding: "utf8",
  });
  samples["zarr-python"] = output.trim().split("\n").map(Number);
}

const { "one worker": one, "two workers": two, ...others } = samples;
const ratios = { "one worker": 1, "two workers": median(one) / median(two) };
for (const [name, times] of Object.entries(others)) {
  ratios[name] = median(times) / median(name === "zarr-python" ? two : one);
}
const [rows, columns] = STORES.small.grid;
const smallRate = (rows * columns) / median([1, 2, 3].map(() => verify(small, "1")));
const memory = Math.max(memoryOf(large, "2"), memoryOf(small, "2"));

console.log("| program | seconds | ratio | floor |\n| --- | --: | --: | --: |");
for (const [name, times] of Object.entries(samples)) {
  console.log(
    `| ${name} | ${median(times).toFixed(3)} | ${ratios[name].toFixed(2)} | ${FLOORS[name] ?? ""} |`,
  );
}
console.log(`\nSmall chunks: ${Math.round(smallRate)} a second (floor ${LEAST_SMALL_CHUNKS}), one worker.`);
console.log(`Memory: ${Math.round(memory)} MiB (at most ${MOST_MEBIBYTES}), two workers.`);
console.log(
  `${describeHost(`Node ${process.version}`)}. 1 GiB in chunks of 1 MiB; ratio: time / that of one worker (zarr-python: of two).`,
);

const problems = Object.keys(samples).filter((name) => ratios[name] < (FLOORS[name] ?? 0));
if (smallRate < LEAST_SMALL_CHUNKS) problems.push("small chunks");
if (memory > MOST_MEBIBYTES) problems.push("memory");
if (problems.length > 0 && values.floors) {
  console.error(`below the floor: ${problems.join(", ")}`);
  process.exitCode = 1;
}
