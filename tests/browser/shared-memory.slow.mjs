// Slow and racy: a thread writes memory while it is read, in Chromium.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "./page.mjs";

test("shared memory that changes during calls", async (t) => {
  const { browser, tab, problems } = await openPage();
  t.after(() => browser.close());
  await tab.evaluate(async () => {
    const { sharedMemoryThatChanges } = await import("/js/shared-memory.mjs");
    const code = `onmessage = ({ data }) => {
      const bytes = new Uint8Array(data);
      postMessage("started");
      for (let i = 0; ; i++) bytes[(Math.random() * bytes.length) | 0] = i;
    };`;
    const startWriter = async (buffer) => {
      const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
      await new Promise((resolve) => {
        worker.onmessage = resolve;
        worker.postMessage(buffer);
      });
      return () => worker.terminate();
    };
    await sharedMemoryThatChanges(startWriter);
  });
  assert.deepEqual(problems, []);
});
