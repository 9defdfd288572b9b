// Signals, while a server stalls. `interrupted.slow.mjs` sends them while chunks are verified.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ended, manyChunks, start } from "./helpers.mjs";
import { serve } from "./web-server.mjs";

test("a signal ends a run at once, although a server stalls", async (t) => {
  const metadata = Buffer.from(JSON.stringify(manyChunks(40)));
  /** How many requests are in flight. */
  const concurrency = 16;
  let stalled = 0;
  let confirm;
  const allStalled = new Promise((resolve) => {
    confirm = resolve;
  });
  const { url } = await serve(
    t,
    (key) => (key === "zarr.json" ? metadata : undefined),
    ({ key }) => {
      if (!key.startsWith("c/")) return false;
      stalled++;
      if (stalled === concurrency) confirm();
      return true;
    },
  );
  const child = start(["verify", url, "--concurrency", `${concurrency}`]);
  const end = ended(child);
  await allStalled;
  child.kill("SIGTERM");
  const { status, stderr } = await end;
  assert.equal(status, 2);
  assert.match(stderr, /nothing was verified: SIGTERM/);
  // No request was given up after its 60 seconds, and tried again.
  assert.equal(stalled, concurrency);
});
