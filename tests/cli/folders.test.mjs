// Folders with what file systems may have in them: links in circles, pipes, odd names, and what may not be read.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  CHECKED,
  COMMAND,
  filesOf,
  manyChunks,
  run,
  short,
  temporary,
  verify,
  writeFiles,
} from "./helpers.mjs";

const skip = process.platform !== "linux" && "needs Linux";

/** A group of two arrays of 10 chunks each, the second one in a group. */
function writeStore(folder) {
  const files = filesOf([]);
  for (const name of ["x", "y/z"]) {
    files.set(`${name}/zarr.json`, Buffer.from(JSON.stringify(manyChunks(10))));
    for (let i = 0; i < 10; i++) files.set(`${name}/c/${i}`, CHECKED);
  }
  return writeFiles(join(folder, "store"), files.set("y/zarr.json", files.get("zarr.json")));
}

test("an array that consolidated metadata do not name is verified", async (t) => {
  const store = writeStore(temporary(t));
  const group = JSON.parse(readFileSync(join(store, "zarr.json"), "utf8"));
  const metadata = { x: manyChunks(10), y: { zarr_format: 3, node_type: "group" } };
  const consolidated = { kind: "inline", must_understand: false, metadata };
  writeFileSync(join(store, "zarr.json"), JSON.stringify({ ...group, consolidated_metadata: consolidated }));
  writeFileSync(join(store, "y/z/c/7"), CHECKED.subarray(1));
  const { status, results, summary } = await verify(store);
  assert.deepEqual(results.map(short), ["y/z/c/7 damaged none chunk_length"]);
  assert.deepEqual([status, summary.total], [1, 20]);
});

test("a link in a circle is unreadable as a chunk, and stray elsewhere", { skip }, async (t) => {
  const store = writeStore(temporary(t));
  rmSync(join(store, "x/c/3"));
  symlinkSync("3", join(store, "x/c/3"));
  symlinkSync("circle", join(store, "y/circle"));
  const { status, summary, results } = await verify(store, ["--retries", "0"]);
  assert.deepEqual([status, summary.complete], [2, true]);
  assert.deepEqual(results.map(short).sort(), ["x/c/3 unreadable none unreadable", "y/circle stray none"]);
});

test("a named pipe is an empty file, which is not waited for", { skip }, async (t) => {
  const store = writeStore(temporary(t));
  rmSync(join(store, "x/c/3"));
  for (const path of ["x/c/3", "y/pipe"]) execFileSync("mkfifo", [join(store, path)]);
  const { status, results } = await verify(store);
  assert.equal(status, 1);
  assert.deepEqual(results.map(short).sort(), ["x/c/3 damaged none chunk_length", "y/pipe stray none"]);
});

test("names that are not UTF-8, and others that no chunk has, are stray", { skip }, async (t) => {
  const store = writeStore(temporary(t));
  const names = ["00", "1.5", " 1", "+1", "1e0", "10", "back\\slash", "new\nline", "ü %2f"];
  for (const name of names) writeFileSync(join(store, "x/c", name), CHECKED);
  writeFileSync(Buffer.concat([Buffer.from(`${store}/x/`), Buffer.from([0xff, 0xfe])]), "");
  const { status, results } = await verify(store);
  const expected = [...names.map((name) => `x/c/${name} stray none`), "x/\ufffd\ufffd stray none"];
  assert.equal(status, 0);
  assert.deepEqual(results.map(short).sort(), expected.sort());
});

test("a folder in the place of a chunk, and a file in that of a folder, are no chunks", async (t) => {
  const store = writeStore(temporary(t));
  for (const path of ["x/c/3", "y/z/c"]) rmSync(join(store, path), { recursive: true });
  mkdirSync(join(store, "x/c/3"));
  writeFileSync(join(store, "y/z/c"), CHECKED);
  const { status, summary, results } = await verify(store);
  assert.deepEqual([status, summary.states.missing], [0, 11]);
  assert.deepEqual(results.map(short), ["y/z/c stray none"]);
});

test("a store without metadata at its root is noted", async (t) => {
  const store = writeStore(temporary(t));
  rmSync(join(store, "zarr.json"));
  const { status, summary, stderr } = await verify(store);
  assert.deepEqual([status, summary.proofs.checksum], [0, 20]);
  assert.match(stderr, /There is no zarr\.json at the root/);
});

test("a report is not written into the store, by whatever path", { skip }, async (t) => {
  const folder = temporary(t);
  const store = writeStore(folder);
  symlinkSync(store, join(folder, "link"));
  symlinkSync(join(store, "y"), join(folder, "other"));
  for (const [location, report] of [
    ["link", "store/report.jsonl"],
    ["store", "link/report.jsonl"],
    ["store", "other/none/report.jsonl"],
    ["store", "store/..report.jsonl"],
  ]) {
    const { status, stderr } = await run(["verify", location, "--jsonl", report], { cwd: folder });
    assert.equal(status, 2, report);
    assert.match(stderr, /expected a report outside of the store/);
  }
  assert.equal((await run(["verify", "store", "--jsonl", "..report.jsonl"], { cwd: folder })).status, 0);
});

// Permissions do not hold for root, who can be another user.
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const canRun = spawnSync(process.execPath, [COMMAND, "--help"], user).status === 0;

const skipDenied = skip || (!canRun && "needs files that others may read");

test("files that may not be read are unreadable, and others are verified", {
  skip: skipDenied,
}, async (t) => {
  const folder = temporary(t);
  chmodSync(folder, 0o755);
  const store = writeStore(folder);
  chmodSync(join(store, "x/c/3"), 0);
  const { status, results, summary } = await verify(store, ["--retries", "0"], user);
  assert.deepEqual([status, summary.states.sound], [2, 19]);
  assert.deepEqual(results.map(short), ["x/c/3 unreadable none unreadable"]);
});

test("folders that may not be read are unreadable, and others are verified", {
  skip: skipDenied,
}, async (t) => {
  const folder = temporary(t);
  chmodSync(folder, 0o755);
  const store = writeStore(folder);
  mkdirSync(join(store, "lost+found"));
  const closed = ["x/c", "lost+found"].map((path) => join(store, path));
  for (const path of closed) chmodSync(path, 0);
  const run = await verify(store, ["--retries", "0", "--workers", "1"], user);
  for (const path of closed) chmodSync(path, 0o700);
  const { status, summary, results, stderr } = run;
  assert.deepEqual([status, summary?.verdict, summary?.complete], [2, "incomplete", true], stderr);
  assert.deepEqual([summary.states.sound, summary.states.unreadable], [10, 12]);
  const folders = results.map(short).filter((result) => /\/ /.test(result));
  assert.deepEqual(folders, ["lost+found/ unreadable none unreadable", "x/c/ unreadable none unreadable"]);
  assert.match(stderr, /UNREADABLE lost\+found\/\n +EACCES: permission denied/);
});
