// Splitting a run: parts and merge, worker threads, and --resume. All give the summary of one run.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  CHECKED,
  manyChunks,
  plain,
  readReport,
  run,
  short,
  temporary,
  verify,
  writeFiles,
} from "./helpers.mjs";

const CHUNKS = 300;
const DAMAGED = [3, 77, 150, 299];

/** Writes a store in which some chunks are damaged. */
function writeStore(folder, chunks = CHUNKS) {
  const files = new Map([["zarr.json", Buffer.from(JSON.stringify(manyChunks(chunks)))]]);
  for (let i = 0; i < chunks; i++) files.set(`c/${i}`, CHECKED);
  for (const i of DAMAGED) files.set(`c/${i}`, Buffer.from(CHECKED).fill(0, 2, 3));
  return writeFiles(join(folder, "store"), files);
}

const EXPECTED = DAMAGED.map((i) => `c/${i} damaged none checksum_mismatch`).sort();

test("one worker, four workers and three parts find the same", async (t) => {
  const folder = temporary(t);
  const store = writeStore(folder);
  const one = await verify(store, ["--workers", "1"]);
  assert.deepEqual(one.results.map(short).sort(), EXPECTED);
  const four = await verify(store, ["--workers", "4"]);
  assert.deepEqual(four.results.map(short).sort(), EXPECTED);
  assert.deepEqual(plain(four.summary), plain(one.summary));
  const reports = [];
  for (const [index, env] of [
    {
      SLURM_ARRAY_TASK_ID: "5",
      SLURM_ARRAY_TASK_MIN: "5",
      SLURM_ARRAY_TASK_MAX: "7",
      SLURM_ARRAY_TASK_COUNT: "3",
    },
    { AWS_BATCH_JOB_ARRAY_INDEX: "1", AWS_BATCH_JOB_ARRAY_SIZE: "3" },
    { JOB_COMPLETION_INDEX: "2", JOB_COMPLETIONS: "3" },
  ].entries()) {
    const report = join(folder, `report-${index}.jsonl`);
    reports.push(report);
    await run(["verify", store, "--jsonl", report], { env });
    assert.deepEqual(readReport(report).summary.part, { index, count: 3 });
  }
  const merged = join(folder, "merged.jsonl");
  const { status, stdout } = await run(["merge", ...reports, "--jsonl", merged]);
  assert.equal(status, 1);
  assert.match(stdout, /DAMAGED: 4 units/);
  assert.deepEqual(plain(readReport(merged).summary), plain(one.summary));
  assert.deepEqual(readReport(merged).results.map(short).sort(), EXPECTED);

  const missing = await run(["merge", reports[0], reports[2]]);
  assert.deepEqual([missing.status, missing.stderr], [2, "Problem   missing: part 1/3\n"]);
  const doubled = await run(["merge", ...reports, reports[1]]);
  assert.deepEqual([doubled.status, doubled.stderr], [2, "there twice: part 1/3\n"]);
  const unfinished = join(folder, "unfinished.jsonl");
  writeFileSync(unfinished, readFileSync(reports[1], "utf8").split("\n").slice(0, -2).join("\n"));
  const torn = await run(["merge", reports[0], unfinished, reports[2]]);
  assert.equal(torn.status, 2);
  assert.match(torn.stderr, /unfinished\.jsonl: has no summary/);
});

test("parts of clusters that do not say how many there are", async (t) => {
  const store = writeStore(temporary(t), 10);
  const kubernetes = { JOB_COMPLETION_INDEX: "3" };
  const unknown = await run(["verify", store], { env: kubernetes });
  assert.equal(unknown.status, 2);
  assert.match(
    unknown.stderr,
    /JOB_COMPLETION_INDEX is set, but not the number of parts: use --part auto\/N/,
  );
  const known = await verify(store, ["--part", "auto/4"], { env: kubernetes });
  assert.deepEqual(known.summary.part, { index: 3, count: 4 });
  const gaps = {
    SLURM_ARRAY_TASK_ID: "7",
    SLURM_ARRAY_TASK_MIN: "3",
    SLURM_ARRAY_TASK_MAX: "7",
    SLURM_ARRAY_TASK_COUNT: "2",
  };
  assert.match((await run(["verify", store], { env: gaps })).stderr, /has gaps, so use --part auto\/N/);
  assert.deepEqual((await verify(store, ["--part", "auto/8"], { env: gaps })).summary.part, {
    index: 7,
    count: 8,
  });
  assert.deepEqual((await verify(store, ["--part", "0/1"], { env: gaps })).summary.part, {
    index: 0,
    count: 1,
  });
  assert.match((await run(["verify", store, "--part", "auto/4"])).stderr, /none of SLURM_ARRAY_TASK_ID/);
});

test("a report that ends anywhere is continued, with every result once", async (t) => {
  const folder = temporary(t);
  const store = writeStore(folder);
  const report = join(folder, "report.jsonl");
  const args = ["verify", store, "--workers", "2", "--resume", report];
  await run(args);
  const { summary } = readReport(report);
  const lines = readFileSync(report, "utf8").split("\n").slice(0, -1);
  assert.ok(lines.filter((line) => line.includes('"progress"')).length >= 2);
  const begins = lines.map((_, i) => lines.slice(0, i).map((line) => `${line}\n`));
  const torn = begins.map((whole, i) => whole.join("") + lines[i].slice(0, -3));
  for (const rest of [...torn, begins.at(-1).join("")]) {
    writeFileSync(report, rest);
    await run(args);
    const continued = readReport(report);
    assert.deepEqual(continued.results.map(short).sort(), EXPECTED, rest);
    assert.deepEqual(plain(continued.summary), plain(summary));
  }
});

test("a sample is the same for a seed, and another for another", async (t) => {
  const store = writeStore(temporary(t), 400);
  const sample = async (seed) =>
    (await verify(store, ["--sample", "10%", "--seed", seed, "--all", "--no-list"])).results.map(
      ({ key }) => key,
    );
  const [first, again, other] = [await sample("1"), await sample("1"), await sample("2")];
  assert.equal(first.length, 40);
  assert.deepEqual(first.sort(), again.sort());
  assert.notDeepEqual(first.sort(), other.sort());
});

test("what cannot be resumed is left as it is: another store, a merged report, another file", async (t) => {
  const folder = temporary(t);
  const store = writeStore(folder, 40);
  const path = (name) => join(folder, `${name}.jsonl`);
  await run(["verify", store, "--workers", "2", "--jsonl", path("whole")]);
  await run(["merge", path("whole"), "--jsonl", path("merged")]);
  const lines = readFileSync(path("whole"), "utf8").split("\n");
  // As of a run that was killed: of one share only is there progress.
  const isLast = (line) => JSON.parse(line).progress?.part.index === 1;
  const end = lines.findIndex(isLast);
  const killed = lines.filter((line, i) => i <= end && !line.includes('"index":0,"count":2')).join("\n");
  for (const [name, content] of [
    ["killed", `${killed}\n`],
    [
      "partly",
      `${lines
        .slice(0, end + 1)
        .join("\n")
        .replaceAll('"complete":true', '"complete":false')}\n`,
    ],
    ["other", '{"mine": 1}\n'],
    ["merged", readFileSync(path("merged"), "utf8")],
  ]) {
    writeFileSync(path(name), content);
    if (name === "killed") writeFileSync(join(store, "zarr.json"), JSON.stringify(manyChunks(50)));
    const { status, stderr } = await run(["verify", store, "--resume", path(name)]);
    assert.equal(status, 2, name);
    const expected = ["killed", "partly"].includes(name)
      ? /zarr-codecs: the store has changed since its report was begun/
      : /is not the report of a run, which could be resumed/;
    assert.match(stderr, expected);
    assert.equal(readFileSync(path(name), "utf8"), content);
  }
});
