// Reports that cannot be written, or go to pipes: never mistaken for damage, and noticed early.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { find } from "../../scripts/setup/steps.mjs";
import {
  CHECKED,
  COMMAND,
  ended,
  manyChunks,
  parseReport,
  readReport,
  run,
  start,
  temporary,
  writeFiles,
} from "./helpers.mjs";

const SMALL = [
  ["zarr.json", Buffer.from(JSON.stringify(manyChunks(400)))],
  ...Array.from({ length: 400 }, (_, i) => [`c/${i}`, CHECKED]),
];

const noFull = !existsSync("/dev/full") && "needs /dev/full";

test("a full disk ends the run with status 2, and says so", { skip: noFull }, async (t) => {
  const store = writeFiles(temporary(t), SMALL);
  for (const args of [
    ["--jsonl", "/dev/full"],
    ["--jsonl", "/dev/full", "--all"],
    ["--junit", "/dev/full"],
  ]) {
    const { status, stderr } = await run(["verify", store, "--workers", "1", ...args]);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /^zarr-codecs: \/dev\/full: the report cannot be written: ENOSPC/m);
    assert.doesNotMatch(stderr, /\n {4}at /);
  }
});

test("a disk that becomes full in the middle of a run", { skip: noFull }, async (t) => {
  const folder = temporary(t);
  const store = writeFiles(join(folder, "store"), SMALL);
  const report = join(folder, "report.jsonl");
  // The limit of the size of files, in KiB: the signal is ignored, so that writing fails.
  const script = `trap "" XFSZ; ulimit -f 16; exec "$0" "$@"`;
  const args = ["-c", script, process.execPath, COMMAND, "verify", store, "--all", "--jsonl", report];
  assert.throws(
    () => execFileSync("bash", [...args, "--workers", "1"], { stdio: "pipe", encoding: "utf8" }),
    ({ status, stderr }) => status === 2 && /report cannot be written: EFBIG/.test(stderr),
  );
  assert.ok(readFileSync(report).length > 0);
  const { status } = await run(["verify", store, "--all", "--resume", report, "--quiet"]);
  assert.deepEqual([status, readReport(report).results.length], [0, 400]);
});

const noScript = !find("script") && "needs script of util-linux";

test("a terminal has its cursor again after a failure", { skip: noFull || noScript }, async (t) => {
  const folder = temporary(t);
  const store = writeFiles(join(folder, "store"), SMALL);
  const report = join(folder, "report.jsonl");
  const command = `'${process.execPath}' '${COMMAND}' verify '${store}' --all --workers 1 --jsonl '${report}'`;
  const limited = `trap '' XFSZ; ulimit -f 16; ${command}`;
  const { status, stdout } = spawnSync("script", ["-qec", limited, "/dev/null"], { encoding: "utf8" });
  assert.equal(status, 2, stdout);
  assert.match(stdout, /report cannot be written: EFBIG/);
  const [hidden, shown] = ["\x1b[?25l", "\x1b[?25h"].map((code) => stdout.lastIndexOf(code));
  assert.ok(hidden >= 0 && hidden < shown, stdout);
});

test("a reader that goes away ends the run quietly, with status 2", async (t) => {
  const store = writeFiles(temporary(t), SMALL);
  for (const args of [["--jsonl", "-", "--all"], ["--all"]]) {
    const child = start(["verify", store, ...args]);
    const end = ended(child);
    child.stdout.destroy();
    const { status, stderr } = await end;
    assert.equal(status, 2, stderr);
    assert.doesNotMatch(stderr, /\n {4}at /);
  }
});

test("a report may go to a pipe that has a path", {
  skip: process.platform !== "linux" && "/dev/stdout",
}, async (t) => {
  const store = writeFiles(temporary(t), SMALL);
  const script = 'set -o pipefail; "$0" "$@" | cat';
  const args = [
    "-c",
    script,
    process.execPath,
    COMMAND,
    "verify",
    store,
    "--quiet",
    "--jsonl",
    "/dev/stdout",
  ];
  const stdout = execFileSync("bash", args, { encoding: "utf8" });
  assert.equal(parseReport(stdout).summary.verdict, "sound");
});

test("paths that cannot be written are noticed before the store is verified", async (t) => {
  const folder = temporary(t);
  const store = writeFiles(join(folder, "store"), SMALL);
  for (const option of ["--jsonl", "--junit"]) {
    const { status, stdout, stderr } = await run(["verify", store, option, join(folder, "none/report")]);
    assert.deepEqual([status, stdout], [2, ""]);
    assert.match(stderr, /zarr-codecs: .*none\/report: ENOENT/);
  }
});

test("a folder in the place of a report, and no store, are wrong usage", async (t) => {
  const folder = temporary(t);
  const store = writeFiles(join(folder, "store"), SMALL);
  for (const [args, message] of [
    [["verify", store, "--resume", folder], /expected a report, got a folder/],
    [["merge", folder], /expected a report, got a folder/],
    [["verify", ""], /expected a store/],
  ]) {
    const { status, stderr } = await run(args);
    assert.equal(status, 2);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /\n {4}at /);
  }
});

test("merge does not overwrite a report that it reads", async (t) => {
  const folder = temporary(t);
  const store = writeFiles(join(folder, "store"), SMALL);
  writeFileSync(join(store, "c/5"), CHECKED.subarray(1));
  const report = join(folder, "report.jsonl");
  await run(["verify", store, "--jsonl", report]);
  copyFileSync(report, join(folder, "copy.jsonl"));
  const { status, stderr } = await run(["merge", "report.jsonl", "--jsonl", "./report.jsonl"], {
    cwd: folder,
  });
  assert.deepEqual([status, /is one of the reports/.test(stderr)], [2, true], stderr);
  assert.deepEqual(readFileSync(report), readFileSync(join(folder, "copy.jsonl")));
});
