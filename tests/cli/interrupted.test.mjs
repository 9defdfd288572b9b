// Runs that are disturbed: threads that run out of memory, and signals. They end as an undisturbed run does, or can be resumed.

import assert from "node:assert/strict";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
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

test("a signal ends a run at once, although a server stalls", async (t) => {
  let stalled = 0;
  const server = createServer(({ url }, response) => {
    if (url === "/zarr.json") response.end(JSON.stringify(manyChunks(40)));
    else if (url.startsWith("/c/")) stalled++;
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close() && server.closeAllConnections());
  const child = start(["verify", `http://127.0.0.1:${server.address().port}`]);
  const end = ended(child);
  while (stalled < 16) await new Promise((resolve) => setTimeout(resolve, 5));
  const before = performance.now();
  child.kill("SIGTERM");
  const { status, stderr } = await end;
  assert.equal(status, 2);
  assert.match(stderr, /nothing was verified: SIGTERM/);
  // A request has 60 seconds, and two more tries.
  assert.ok(performance.now() - before < 20_000);
});
