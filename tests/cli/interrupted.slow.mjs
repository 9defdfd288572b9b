// Slow and racy: stores of 40,000 files, so that threads run out of memory, and signals and kill -9 arrive, while a run is under
// way. Disturbed runs end as an undisturbed run does, or can be resumed.

import assert from "node:assert/strict";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  CHECKED,
  ended,
  manyChunks,
  plain,
  readReport,
  run,
  short,
  start,
  temporary,
  verify,
} from "./helpers.mjs";

const CHUNKS = 40_000;

/** Writes a store of many chunks, hard links to one file, of which these are damaged. */
function writeStore(folder, damaged) {
  const store = join(folder, "store");
  mkdirSync(join(store, "c"), { recursive: true });
  writeFileSync(join(store, "zarr.json"), JSON.stringify(manyChunks(CHUNKS)));
  writeFileSync(join(folder, "sound"), CHECKED);
  const wrong = Buffer.from(CHECKED).fill(0, 2, 3);
  for (let i = 0; i < CHUNKS; i++) {
    if (damaged.includes(i)) writeFileSync(join(store, `c/${i}`), wrong);
    else linkSync(join(folder, "sound"), join(store, `c/${i}`));
  }
  return store;
}

const placesOf = (damaged) => damaged.map((i) => `c/${i} damaged none checksum_mismatch`).sort();

/** Every thread loads this first. It uses up the memory of a thread once some of its results have arrived, so many times. */
const HOG = `
const { appendFileSync, existsSync, statSync } = require("node:fs");
const { isMainThread, parentPort } = require("node:worker_threads");
const { CRASHES, MOST_CRASHES } = process.env;
if (!isMainThread) {
  parentPort.once("message", () => {
    if (existsSync(CRASHES) && statSync(CRASHES).size >= Number(MOST_CRASHES)) return;
    appendFileSync(CRASHES, "x");
    for (const hog = []; ; ) hog.push(new Array(1000).fill(hog.length));
  });
}`;

/** Lets threads run out of memory. */
function hungry(folder, crashes) {
  const script = join(folder, "hog.cjs");
  writeFileSync(script, HOG);
  return {
    NODE_OPTIONS: `--require ${script} --max-old-space-size=64`,
    CRASHES: join(folder, "crashes"),
    MOST_CRASHES: `${crashes}`,
  };
}

test("threads that run out of memory are started again where they were", async (t) => {
  const folder = temporary(t);
  const damaged = [3, 77, 15_000, CHUNKS - 1];
  const store = writeStore(folder, damaged);
  const undisturbed = await verify(store, ["--workers", "1"]);
  assert.deepEqual(undisturbed.results.map(short).sort(), placesOf(damaged));
  const env = hungry(folder, 2);
  const { status, results, summary, stderr } = await verify(store, ["--workers", "2"], { env });
  assert.equal(statSync(env.CRASHES).size, 2);
  assert.equal(stderr.match(/a worker thread ended \(.*memory.*\) and is started again/g)?.length, 2, stderr);
  assert.deepEqual(results.map(short).sort(), placesOf(damaged));
  assert.deepEqual([status, plain(summary)], [1, plain(undisturbed.summary)]);
});

test("a thread that runs out of memory again and again ends the run, which can be resumed", async (t) => {
  const folder = temporary(t);
  const store = writeStore(folder, []);
  const report = join(folder, "report.jsonl");
  const args = ["verify", store, "--workers", "1", "--resume", report];
  const crashed = await run(args, { env: hungry(folder, Number.POSITIVE_INFINITY) });
  assert.equal(crashed.status, 2);
  assert.match(
    crashed.stdout,
    /Stopped {3}a worker thread ended repeatedly: .*memory.*; go on with --resume/,
  );
  const { summary } = readReport(report);
  assert.deepEqual([summary.verdict, summary.complete], ["incomplete", false]);
  assert.ok(summary.done > 0 && summary.done < CHUNKS, `${summary.done}`);
  const { status } = await run(args);
  assert.deepEqual([status, readReport(report).summary.done], [0, CHUNKS]);
});

const hasBegun = (report) => existsSync(report) && readFileSync(report, "utf8").includes('"progress"');

/** Sends a signal to a run that has verified something. Begins again where the run was faster than the signal. */
async function endedBy(signal, args, report) {
  for (let attempt = 0; attempt < 5; attempt++) {
    rmSync(report, { force: true });
    const child = start(args);
    const end = ended(child);
    while (child.exitCode === null && !hasBegun(report)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    child.kill(signal);
    const result = await end;
    const { summary } = readReport(report);
    if (!summary.complete) return { ...result, summary };
  }
  assert.fail(`every run ended before ${signal} reached it`);
}

test("signals end a run with a valid report, which can be resumed", async (t) => {
  const folder = temporary(t);
  const sound = writeStore(folder, []);
  // Units are verified in the same order each time: these come last.
  const { results } = await verify(sound, ["--workers", "1", "--all"]);
  const damaged = results.slice(-3).map(({ chunk: [i] }) => i);
  const store = writeStore(join(folder, "damaged"), damaged);
  const whole = await verify(store, ["--workers", "1"]);
  assert.deepEqual(whole.results.map(short).sort(), placesOf(damaged));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    const report = join(folder, `${signal}.jsonl`);
    const args = ["verify", store, "--workers", "2", "--resume", report];
    const { status, stdout, summary } = await endedBy(signal, args, report);
    assert.deepEqual([status, summary.verdict], [2, "incomplete"], signal);
    assert.ok(stdout.includes(`Stopped   ${signal}; go on with --resume ${report}`), stdout);
    assert.equal((await run(args)).status, 1);
    const resumed = readReport(report);
    assert.deepEqual(resumed.results.map(short).sort(), placesOf(damaged));
    assert.deepEqual(plain(resumed.summary), plain(whole.summary));
  }
});

const sizeOf = (path) => (existsSync(path) ? statSync(path).size : 0);

/** Kills a run after some milliseconds, or once its report has become longer. */
async function killed(args, report, delay) {
  const before = sizeOf(report);
  const child = start(args);
  const end = ended(child);
  const isDue = () =>
    sizeOf(report) > before + 300 && readFileSync(report, "utf8").slice(before).includes('"progress"');
  const begin = performance.now();
  while (child.exitCode === null && !(delay ? performance.now() - begin > delay : isDue())) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  child.kill("SIGKILL");
  const { signal } = await end;
  return signal === "SIGKILL";
}

/** Cuts off the end of a report, as if its process had ended while it wrote a line. */
const tear = (report) => truncateSync(report, Math.max(0, statSync(report).size - 5));

test("kill -9 at any time, and --resume: the same as one run", async (t) => {
  const folder = temporary(t);
  const damaged = [3, 77, 1500, 2999];
  const store = writeStore(folder, damaged);
  const report = join(folder, "report.jsonl");
  const args = ["verify", store, "--resume", report, "--workers", "2"];
  // Begins again where the run was faster.
  for (let attempt = 0; !(await killed(args, report)); attempt++) {
    assert.ok(attempt < 5, "every run ended before it was killed");
    rmSync(report);
  }
  tear(report);
  let kills = 1;
  // While it starts, while it reads the report, and once there is more progress.
  for (const delay of [30, 120, undefined]) {
    if (!(await killed(args, report, delay))) break;
    kills++;
    if (kills % 2 === 1) tear(report);
  }
  assert.ok(kills >= 2, `the run ended after ${kills} kills`);
  const { status } = await run([...args, "--quiet"]);
  const { results, summary } = readReport(report);
  assert.equal(status, 1);
  assert.deepEqual(results.map(short).sort(), placesOf(damaged));
  const whole = await verify(store, ["--workers", "1"]);
  assert.deepEqual(plain(summary), plain(whole.summary));
  // A report that is complete is not begun again.
  const again = await run([...args]);
  assert.equal(again.status, 1);
  assert.match(again.stdout, /DAMAGED: 4 units/);
  const other = await run([...args, "--require", "checksum"]);
  assert.equal(other.status, 2);
  assert.match(other.stderr, /cannot be resumed, its require is/);
});
