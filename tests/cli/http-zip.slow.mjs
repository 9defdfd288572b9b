// Zip files on web servers, read by ranges.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { run, short, verify } from "./helpers.mjs";
import { serve } from "./web-server.mjs";

/** A store that zarr-python wrote, with 18 shards. */
const CELLS = fileURLToPath(new URL("../../www/data/cells.ome.zarr", import.meta.url));
const SHARD = "0/c/0/0/0/0";

const files = Object.fromEntries(
  readdirSync(CELLS, { recursive: true })
    .filter((path) => statSync(join(CELLS, path)).isFile())
    .map((path) => [path, readFileSync(join(CELLS, path))]),
);

/** A zip file of the store, in which a byte of a shard is another one if asked for. */
function zipped(level, isDamaged = false) {
  const copy = Buffer.from(files[SHARD]);
  if (isDamaged) copy[100] ^= 16;
  return Buffer.from(zipSync({ ...files, [SHARD]: copy }, { level }));
}

const served = (t, bytes, answer) =>
  serve(t, (key) => (key === "cells.ozx" || key === "cells.zip" ? bytes : undefined), answer);

test("a zip file on a web server is read by ranges", async (t) => {
  for (const level of [0, 6]) {
    const sound = await served(t, zipped(level));
    const { status, summary, results } = await verify(`${sound.url}/cells.ozx?token=secret`);
    assert.deepEqual([status, summary.verdict, summary.proofs.checksum], [0, "sound", 18]);
    assert.deepEqual(results.map(short), []);
    assert.ok(sound.requests.every(({ range, query }) => range !== undefined && query === "?token=secret"));
    assert.doesNotMatch(summary.store, /secret/);
    const damaged = await served(t, zipped(level, true));
    const bad = await verify(`${damaged.url}/cells.zip`);
    assert.equal(bad.status, 1);
    assert.match(
      bad.results.map(short).join(),
      new RegExp(`^${SHARD} \\[.*\\] damaged none checksum_mismatch$`),
    );
  }
});

test("the bytes of a zip file that were damaged after it was made: its CRC-32 tells", async (t) => {
  const bytes = zipped(0);
  // In the last shard, which ends before the next local header.
  const at = bytes.indexOf("PK\x03\x04", bytes.indexOf(SHARD) + 500, "latin1") - 1;
  bytes[at] ^= 1;
  const { url } = await served(t, bytes);
  const { status, results } = await verify(`${url}/cells.zip`);
  assert.equal(status, 1);
  assert.deepEqual(
    results.map(({ key, state }) => [key, state]),
    [[SHARD, "damaged"]],
  );
});

test("failures while a zip file is opened and read are tried again", async (t) => {
  const failed = new Set();
  const { url } = await served(t, zipped(0), ({ request, response }) => {
    const { range } = request.headers;
    if (failed.has(range)) return false;
    failed.add(range);
    response.writeHead(503).end();
    return true;
  });
  const { status, summary } = await verify(`${url}/cells.zip`);
  assert.deepEqual([status, summary.proofs.checksum], [0, 18]);
  assert.ok(failed.size > 18);
});

test("a server without ranges, a file that is none, and one that is not there", async (t) => {
  const whole = await served(t, zipped(0), ({ bytes, response }) => {
    if (bytes === undefined) return false;
    response.writeHead(200, { "content-length": bytes.length }).end(bytes);
    return true;
  });
  const text = await served(t, Buffer.from("<!doctype html>".repeat(20)));
  const denied = await served(t, zipped(0), ({ response }) => response.writeHead(403).end());
  for (const [location, message] of [
    [`${whole.url}/cells.zip`, /the server sends whole files only \(no ranges\).*download it/],
    [`${text.url}/cells.zip`, /is not a zip file that can be read: End of central directory/],
    [`${text.url}/other.zip`, /other\.zip: no such file/],
    [`${denied.url}/cells.zip`, /cells\.zip: the server answered 403 \(Forbidden\): no access/],
  ]) {
    const { status, stderr } = await run(["verify", location]);
    assert.equal(status, 2);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /\n {4}at /);
  }
});

test("a zip file that is replaced while it is read is unreadable, not damaged", async (t) => {
  let answers = 0;
  const { url } = await served(t, zipped(0), ({ response }) => {
    response.setHeader("etag", ++answers < 8 ? '"first"' : '"second"');
    return false;
  });
  const { status, summary, results } = await verify(`${url}/cells.zip`, [
    "--retries",
    "0",
    "--concurrency",
    "1",
  ]);
  assert.deepEqual([status, summary.states.damaged], [2, 0]);
  assert.ok(summary.states.unreadable > 0);
  assert.match(results[0].error.message, /has changed since it was opened/);
});
