// Slow and racy: a thread grows buffers while they are read.

import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { ChunkLengthError } from "zarr-codecs";
import { assertError, assertSameBytes, chainOf } from "./helpers.mjs";

test("an array that another thread grows during the call is encoded as it was, or rejected", async () => {
  const LENGTH = 100;
  const chain = chainOf({ dataType: "uint8", shape: [LENGTH] });
  const buffers = Array.from(
    { length: 300 },
    () => new SharedArrayBuffer(LENGTH, { maxByteLength: LENGTH + 1 }),
  );
  const turn = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
  const code = `const { workerData: { buffers, turn } } = require("node:worker_threads");
    buffers.forEach((buffer, i) => {
      while (Atomics.load(turn, 0) < i);
      for (let wait = i * 20; wait > 0; wait--) Atomics.load(turn, 0);
      buffer.grow(buffer.maxByteLength);
    });`;
  const worker = new Worker(code, { eval: true, workerData: { buffers, turn } });
  await once(worker, "online");
  const zeros = new Uint8Array(LENGTH);
  const ones = new Uint8Array(LENGTH).fill(1);
  for (const [i, buffer] of buffers.entries()) {
    const view = new Uint8Array(buffer).fill(1);
    Atomics.store(turn, 0, i);
    for (let calls = 1; view.length === LENGTH; calls++) {
      if (calls % 1000 === 0) await new Promise(setImmediate); // Errors of the thread are reported meanwhile.
      chain.encode(zeros);
      try {
        assertSameBytes(chain.encode(view), ones);
      } catch (error) {
        assertError(error, ChunkLengthError, { expected: LENGTH, actual: LENGTH + 1 });
      }
    }
  }
  await worker.terminate();
});
