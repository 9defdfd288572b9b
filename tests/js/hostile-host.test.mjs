// What `hostile-cases.mjs` and `hostile-hosts.mjs` do, in Node.

import { test } from "node:test";
import vm from "node:vm";
import { Worker } from "node:worker_threads";
import { register } from "zarr-codecs/register";
import * as zarrita from "zarrita";
import * as cases from "./hostile-cases.mjs";
import { expectWorks } from "./hostile-helpers.mjs";
import * as hosts from "./hostile-hosts.mjs";

const context = vm.createContext({});

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

const host = {
  ...{ startWriter, milliseconds: 300, zarrita, register },
  evaluate: (code) => vm.runInContext(code, context),
};
for (const [name, run] of Object.entries({ ...cases, ...hosts })) {
  test(name, async () => {
    await run(host);
    expectWorks();
  });
}
