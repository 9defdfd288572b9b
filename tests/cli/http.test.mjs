// Stores on web servers that fail, stall, truncate, ignore ranges, deny access, or answer everything.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CHECKED, manyChunks, run, short, verify } from "./helpers.mjs";
import { serve } from "./web-server.mjs";

/** A store that zarr-python wrote, with shards. */
const CELLS = fileURLToPath(new URL("../../www/data/cells.ome.zarr", import.meta.url));

const readCells = (key) => {
  try {
    return readFileSync(join(CELLS, key));
  } catch {
    return undefined;
  }
};

const small = new Map([["zarr.json", Buffer.from(JSON.stringify(manyChunks(40)))]]);
for (let i = 0; i < 40; i++) small.set(`c/${i}`, CHECKED);

const readSmall = (key) => small.get(key);

test("shards are read by ranges, a query goes along, and what is not found is said", async (t) => {
  const { url, requests } = await serve(t, readCells);
  const { status, summary, stderr } = await verify(`${url}?token=secret`);
  assert.deepEqual([status, summary.verdict, summary.proofs.checksum], [0, "sound", 18]);
  assert.match(stderr, /A web server does not list its keys: stray keys/);
  assert.ok(requests.every(({ query }) => query === "?token=secret"));
  assert.doesNotMatch(summary.store + stderr, /secret/);
});

test("a server without ranges is read too", async (t) => {
  const { url } = await serve(t, readCells, ({ bytes, response }) => {
    if (bytes === undefined) return false;
    response.writeHead(200, { "content-length": bytes.length }).end(bytes);
    return true;
  });
  const { status, summary } = await verify(url);
  assert.deepEqual([status, summary.proofs.checksum], [0, 18]);
});

test("a server that does not know ranges of the last bytes is asked for others", async (t) => {
  const { url } = await serve(t, readCells, ({ request, response }) => {
    if (!request.headers.range?.startsWith("bytes=-")) return false;
    response.writeHead(416).end();
    return true;
  });
  const { status, summary } = await verify(url, ["--retries", "0"]);
  assert.deepEqual([status, summary.proofs.checksum], [0, 18]);
});

test("failures, answers that end early, and connections that break, are tried again", async (t) => {
  const ways = [
    ({ response }) => response.writeHead(503).end(),
    ({ response, bytes }) => {
      response.writeHead(200, { "content-length": bytes.length });
      response.write(bytes.subarray(0, 5), () => response.destroy());
    },
    ({ request }) => request.socket.destroy(),
  ];
  const { url } = await serve(t, readSmall, (context) => {
    const { key, attempt } = context;
    if (!key.startsWith("c/") || attempt > 1) return false;
    ways[Number(key.slice(2)) % ways.length](context);
    return true;
  });
  const { status, summary, results } = await verify(url, ["--retries", "3"]);
  assert.deepEqual(
    [status, summary.verdict, summary.proofs.checksum],
    [0, "sound", 40],
    JSON.stringify(results[0]),
  );
});

test("bytes that are wrong only at the first read are transient", async (t) => {
  const { url } = await serve(t, readSmall, ({ key, attempt, response }) => {
    if (key !== "c/7" || attempt > 1) return false;
    response.writeHead(200).end(Buffer.from(CHECKED).fill(0, 0, 1));
    return true;
  });
  const { status, summary, results, stderr } = await verify(url);
  assert.deepEqual([status, summary.verdict, summary.transient], [0, "sound", 1]);
  assert.deepEqual(results.map(short), ["c/7 sound checksum checksum_mismatch"]);
  assert.equal(results[0].transient, true);
  assert.match(stderr, /TRANSIENT {2}c\/7/);
});

test("403 is not missing, and not damage", async (t) => {
  const { url } = await serve(t, readSmall, ({ key, response }) => {
    if (key !== "c/7") return false;
    response.writeHead(403).end();
    return true;
  });
  const { status, summary, results, stderr } = await verify(url, ["--retries", "0"]);
  assert.deepEqual([status, summary.verdict, summary.states.unreadable], [2, "incomplete", 1]);
  assert.deepEqual([results[0].key, results[0].error.status], ["c/7", 403]);
  assert.match(stderr, /the server answered 403 \(Forbidden\): no access/);
  assert.match(stderr, /The server denied access\. Check the credentials/);
});

test("a server that answers every key is rejected", async (t) => {
  const { url } = await serve(t, (key) => small.get(key) ?? Buffer.from("<!doctype html>"));
  const { status, stderr } = await run(["verify", url]);
  assert.equal(status, 2);
  assert.match(stderr, /answers 200 for a key that does not exist/);
});

test("the checksums of objects of Google Cloud Storage and S3 prove chunks of any codec", async (t) => {
  const plain = new Map(small).set(
    "zarr.json",
    Buffer.from(JSON.stringify(manyChunks(40, [{ name: "bytes" }]))),
  );
  for (let i = 0; i < 40; i++) plain.set(`c/${i}`, CHECKED.subarray(0, 9));
  const checksum = Buffer.from(CHECKED.subarray(9).toReversed()).toString("base64");
  for (const [name, value] of [
    ["x-goog-hash", `crc32c=${checksum},md5=JfnnlDI7RTiF9RgfG2JNCw==`],
    ["x-amz-checksum-crc32c", checksum],
  ]) {
    const { url } = await serve(
      t,
      (key) => plain.get(key),
      ({ key, response }) => {
        response.setHeader(name, key.startsWith("c/") ? value : "");
        if (key !== "c/9") return false;
        response.writeHead(200).end("123456780");
        return true;
      },
    );
    const { status, results, summary } = await verify(url);
    assert.deepEqual([status, summary.proofs.checksum], [1, 39], name);
    assert.deepEqual(results.map(short), ["c/9 damaged none checksum_mismatch"]);
  }
});
