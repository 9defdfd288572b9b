/** The thread that verifies a share of a store. */

import { on } from "node:events";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { init, initSync } from "zarr-codecs";
import { type UnitResult, verifyStore } from "zarr-codecs/verify";
import { openStore } from "../stores/open.js";
import type { OpenedStore } from "../stores/store.js";
import { CHANGED, type Share, type ShareMessage, type ThreadMessage } from "./messages.js";

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

parentPort?.on("message", () => {
  waiting--;
  resolveHandled?.();
});

function post(message: Exclude<ShareMessage, { kind: "begun" }>): void {
  waiting++;
  parentPort?.postMessage(message);
}

/** Waits until a message was handled. */
function handled(): Promise<void> {
  return new Promise((resolve) => {
    resolveHandled = resolve;
  });
}

/** Loads the module, and returns the share. They come in either order. */
async function prepare(port: MessagePort): Promise<Share> {
  let share: Share | undefined;
  let isLoaded = false;
  for await (const [message] of on(port, "message") as AsyncIterable<[ThreadMessage]>) {
    if (message.kind === "share") {
      share = message.share;
    } else {
      await load(message.module);
      isLoaded = true;
    }
    if (share && isLoaded) return share;
  }
  throw new Error("the port was closed");
}

async function load(module: WebAssembly.Module | undefined): Promise<void> {
  try {
    initSync(module as WebAssembly.Module);
  } catch {
    await init(); // Without a module, or memory for it, this loads the portable build.
  }
}

async function main(port: MessagePort): Promise<void> {
  const share = await prepare(port);
  parentPort?.postMessage({ kind: "begun" } satisfies ShareMessage);
  try {
    await verifyShare(share);
  } catch (error) {
    const { message, argument } = Object(error) as { message?: string; argument?: string };
    post({ kind: "failure", message: argument === "options.resume" ? CHANGED : (message ?? String(error)) });
  }
  parentPort?.unref();
}

// Thrown where Node ends the thread for it, whatever its options say about promises.
main(workerData as MessagePort).catch((error) =>
  setImmediate(() => {
    throw error;
  }),
);
