/** The thread that verifies a share of a store. */

import { once } from "node:events";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { init, initSync } from "zarr-codecs";
import { type UnitResult, verifyStore } from "zarr-codecs/verify";
import { codecs } from "../codecs.js";
import { openStore } from "../stores/open.js";
import type { OpenedStore } from "../stores/store.js";
import { CHANGED, HANDLED, type Share, type ShareMessage } from "./messages.js";

/** How many messages may wait to be handled. More would gather in memory where reports are written slowly. */
const MOST_WAITING = 4;

async function verifyShare(share: Share): Promise<void> {
  const { location, settings, plan, limits, part, resume } = share;
  const store = await openStore(location, settings);
  limitListing(store, share.nodeKeys);
  let results: UnitResult[] = [];
  const units = verifyStore(store, {
    ...plan,
    ...limits,
    codecs,
    part,
    resume,
    onProgress(summary) {
      post({ kind: "progress", results, summary });
      results = [];
    },
  });
  for (;;) {
    const { done, value } = await units.next();
    if (done) {
      post({ kind: "end", results, summary: value });
      break;
    }
    results.push(value);
    if (waiting >= MOST_WAITING) await handled();
  }
  store.close?.();
}

/**
 * Answers the first listing, by which groups and arrays are found, from what the main thread has listed. The next one is for
 * stray keys, in one share alone.
 */
function limitListing(store: OpenedStore, nodeKeys: readonly string[] | undefined): void {
  const { list } = store;
  if (nodeKeys === undefined || list === undefined) {
    Object.assign(store, { list: undefined });
    return;
  }
  let calls = 0;
  store.list = (options) => (calls++ === 0 ? nodeKeys.map((key) => ({ key })) : list.call(store, options));
}

let waiting = 0;
let resolveHandled: (() => void) | undefined;

parentPort?.on("message", (message) => {
  if (message !== HANDLED) return;
  waiting--;
  resolveHandled?.();
});

function post(message: ShareMessage): void {
  waiting++;
  parentPort?.postMessage(message);
}

/** Waits until a message was handled. */
function handled(): Promise<void> {
  return new Promise((resolve) => {
    resolveHandled = resolve;
  });
}

const [module] = await once(parentPort as MessagePort, "message");
try {
  initSync(module);
} catch {
  await init(); // The portable build, where the module cannot be compiled or has no memory.
}
const [share] = (await once(workerData as MessagePort, "message")) as [Share];
try {
  await verifyShare(share);
} catch (error) {
  const { message, argument } = Object(error) as { message?: string; argument?: string };
  post({ kind: "failure", message: argument === "options.resume" ? CHANGED : (message ?? String(error)) });
}
parentPort?.unref();
