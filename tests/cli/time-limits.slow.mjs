// Slow, and about time: a server stalls until the limits of the command have passed.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { CHECKED, manyChunks, readReport, run, temporary, verify } from "./helpers.mjs";
import { serve } from "./web-server.mjs";

test("a server that stalls: --timeout, and --max-duration end the run", async (t) => {
  const files = new Map([["zarr.json", Buffer.from(JSON.stringify(manyChunks(40)))]]);
  for (let i = 0; i < 40; i++) files.set(`c/${i}`, CHECKED);
  const { url } = await serve(
    t,
    (key) => files.get(key),
    ({ key }) => key.startsWith("c/3"),
  );
  const timed = await verify(url, ["--timeout", "3s", "--retries", "0"]);
  assert.deepEqual(
    [timed.status, timed.summary.states.unreadable, timed.results[0].error.code],
    [2, 11, "timeout"],
  );
  const report = join(temporary(t), "report.jsonl");
  const args = ["verify", url, "--jsonl", report, "--max-duration", "1500ms", "--concurrency", "1"];
  const { status, stdout, stderr } = await run(args);
  assert.equal(status, 2);
  assert.match(stdout + stderr, /after 1\.5 s, as --max-duration says; go on with --resume/);
  assert.ok(readReport(report).summary === undefined || readReport(report).summary.complete === false);
});
