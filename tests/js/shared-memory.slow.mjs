// Slow and racy: a thread writes memory while it is read.

import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { sharedMemoryThatChanges } from "./shared-memory.mjs";

/** Starts a thread that writes random bytes to shared memory. Returns a function that ends it. */
async function startWriter(buffer) {
  const code = `const { workerData, parentPort } = require("node:worker_threads");
    const bytes = new Uint8Array(workerData);
    parentPort.postMessage("started");
    for (let i = 0; ; i++) bytes[(Math.random() * bytes.length) | 0] = i;`;
  const worker = new Worker(code, { eval: true, workerData: buffer });
  await new Promise((resolve) => worker.once("message", resolve));
  return () => worker.terminate();
}

test("shared memory that changes during calls", () => sharedMemoryThatChanges(startWriter));
