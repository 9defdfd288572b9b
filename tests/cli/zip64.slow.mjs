// A zip file of more entries than its 16-bit counter can count, which only the directory of Zip64 does.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { CHECKED, manyChunks, short, temporary, verify } from "./helpers.mjs";
import { writeZip } from "./large-zip.mjs";

const CHUNKS = 70_000;

function* chunks() {
  yield ["zarr.json", Buffer.from(JSON.stringify(manyChunks(CHUNKS)))];
  for (let i = 0; i < CHUNKS; i++) {
    if (i === 12_345) continue;
    yield [`c/${i}`, i === 69_999 ? Buffer.from(CHECKED).fill(0, 2, 3) : CHECKED];
  }
  yield ["left/over", CHECKED];
}

test("known damage is found", async (t) => {
  const path = join(temporary(t), "store.zip");
  writeZip(path, chunks());
  const { status, results, summary } = await verify(path, ["--missing", "warn", "--workers", "2"]);
  assert.deepEqual(results.map(short).sort(), [
    "c/12345 missing none",
    "c/69999 damaged none checksum_mismatch",
    "left/over stray none",
  ]);
  assert.deepEqual([status, summary.complete, summary.total], [1, true, CHUNKS]);
});
