/** Threads that are started before there is work for them: that takes longer than opening a store and listing its keys. */

import { readFile } from "node:fs/promises";
import { getHeapStatistics } from "node:v8";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { Share, ThreadMessage } from "./messages.js";

/**
 * How large the heap of a thread may become, in MiB. Where it may become larger than 2 GiB, V8 collects garbage half as often, and
 * two threads need 340 MB in place of 270 MB for 100,000 arrays.
 */
const LARGEST_HEAP = 1024;

/** A thread, and where it waits for its share. */
interface Thread {
  readonly worker: Worker;
  readonly port: MessagePort;
}

export class Threads {
  readonly #waiting = new Set<Thread>();
  /** Compiled once for all threads, which then also share what V8 optimizes; undefined where the host does not compile it. */
  readonly #module = compileModule().catch(() => undefined);

  /** Begins to start so many threads. */
  start(count: number): void {
    for (let i = 0; i < count; i++) {
      const thread = this.#newThread();
      this.#waiting.add(thread);
      thread.worker.once("exit", () => this.#waiting.delete(thread));
    }
  }

  /** Returns a thread that verifies a share: one that waits, or a new one. */
  take(share: Share): Worker {
    const [thread = this.#newThread()] = this.#waiting;
    this.#waiting.delete(thread);
    thread.port.postMessage({ kind: "share", share } satisfies ThreadMessage);
    return thread.worker;
  }

  /** Ends the threads that wait. */
  async end(): Promise<void> {
    await Promise.all(Array.from(this.#waiting, ({ worker }) => worker.terminate()));
  }

  #newThread(): Thread {
    const { port1: port, port2: workerData } = new MessageChannel();
    const url = new URL("./worker.cjs", import.meta.url);
    const allowed = getHeapStatistics().heap_size_limit / 2 ** 20;
    const resourceLimits = { maxOldGenerationSizeMb: Math.min(LARGEST_HEAP, allowed) };
    const worker = new Worker(url, { workerData, transferList: [workerData], resourceLimits });
    // Whoever takes it notices its exit; without a listener its error would end this process.
    worker.on("error", () => {});
    this.#module.then((module) => port.postMessage({ kind: "module", module } satisfies ThreadMessage));
    return { worker, port };
  }
}

async function compileModule(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL("../zarr_codecs.wasm", import.meta.url)));
}
