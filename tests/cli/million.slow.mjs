// Slow, and measures resident memory: stores of very many keys, the right verdict in little memory. In zip files, because folders of them take gigabytes.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CHECKED, manyChunks, short, temporary, verify } from "./helpers.mjs";
import { writeZip } from "./large-zip.mjs";

const CHUNKS = 1_000_000;
const DAMAGED = [77, 500_000, 999_999];
const MISSING = [12_345, 999_998];

/** Writes down the most memory that a process had, in KiB. */
const MEASURE = `
const { writeFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");
if (isMainThread) process.on("exit", () => writeFileSync(process.env.MEMORY, String(process.resourceUsage().maxRSS)));`;

function* chunks() {
  const wrong = Buffer.from(CHECKED).fill(0, 2, 3);
  yield ["zarr.json", Buffer.from(JSON.stringify(manyChunks(CHUNKS)))];
  for (let i = 0; i < CHUNKS; i++) {
    if (!MISSING.includes(i)) yield [`c/${i}`, DAMAGED.includes(i) ? wrong : CHECKED];
  }
  yield [`c/${CHUNKS}`, CHECKED];
  yield ["left/over", CHECKED];
}

/** Verifies a zip file. Returns the most memory that took too, in MB. */
async function measured(t, files, args) {
  const folder = temporary(t);
  const path = join(folder, "store.zip");
  writeZip(path, files);
  const script = join(folder, "measure.cjs");
  writeFileSync(script, MEASURE);
  const env = { NODE_OPTIONS: `--require ${script}`, MEMORY: join(folder, "memory") };
  const result = await verify(path, args, { env });
  const memory = Number(readFileSync(env.MEMORY, "utf8")) / 1000;
  t.diagnostic(`${memory} MB`);
  return { ...result, memory };
}

test("a million keys: known damage is found in less than 300 MB of memory", async (t) => {
  const args = ["--missing", "warn", "--workers", "2"];
  const { status, results, summary, memory } = await measured(t, chunks(), args);
  assert.deepEqual(
    results.map(short).sort(),
    [
      ...DAMAGED.map((i) => `c/${i} damaged none checksum_mismatch`),
      ...MISSING.map((i) => `c/${i} missing none`),
      `c/${CHUNKS} stray none`,
      "left/over stray none",
    ].sort(),
  );
  assert.deepEqual([status, summary.complete, summary.total], [1, true, CHUNKS]);
  assert.deepEqual(summary.states, { sound: 999_995, damaged: 3, missing: 2, unreadable: 0, stray: 2 });
  assert.ok(memory < 300, `${memory} MB`);
});

const ARRAYS = 50_000;

function* arrays() {
  yield ["zarr.json", Buffer.from('{"zarr_format": 3, "node_type": "group"}')];
  const metadata = Buffer.from(JSON.stringify(manyChunks(1)));
  for (let i = 0; i < ARRAYS; i++) {
    yield [`a/${i}/zarr.json`, i === 7 ? Buffer.from("{") : metadata];
    yield [`a/${i}/c/0`, i === 77 ? CHECKED.subarray(1) : CHECKED];
  }
}

test("50,000 arrays: known damage is found in less than 300 MB of memory", async (t) => {
  const { status, results, summary, memory } = await measured(t, arrays(), ["--workers", "2"]);
  assert.deepEqual(results.map(short).sort(), [
    "a/7/zarr.json damaged none invalid_metadata",
    "a/77/c/0 damaged none chunk_length",
  ]);
  assert.deepEqual([status, summary.complete, summary.total], [1, true, ARRAYS - 1]);
  assert.ok(memory < 300, `${memory} MB`);
});
