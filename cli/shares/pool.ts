/** Verifies a store in several threads, each a share of its units. */

import type { Worker } from "node:worker_threads";
import type { Part, Summary, UnitResult } from "zarr-codecs/verify";
import { HANDLED, type Share, type ShareMessage } from "./messages.js";
import type { Threads } from "./threads.js";

/** How often a thread that ended on its own, for example without memory, is started again where it was. */
const MOST_CRASHES = 2;

/** The reason why a store cannot be verified. */
export class ShareError extends Error {
  override name = "ShareError";
}

/** What happens while shares are verified. */
export interface ShareEvents {
  /** A thread begins to verify its share. */
  onBegin(): void;
  /** Results, and the summary of their share that counts them. */
  onProgress(results: readonly UnitResult[], summary: Summary): void;
  /** A thread ended on its own and is started again. */
  onCrash(message: string): void;
}

/** Divides a part into shares. */
export function sharesOf({ index, count }: Part, shares: number): Part[] {
  return Array.from({ length: shares }, (_, i) => ({ index: index + i * count, count: count * shares }));
}

/** Verifies shares, some of them at a time. */
export class Pool {
  readonly #threads: Threads;
  readonly #events: ShareEvents;
  readonly #busy = new Set<Worker>();
  #isStopped = false;

  constructor(threads: Threads, events: ShareEvents) {
    this.#threads = threads;
    this.#events = events;
  }

  /** Verifies all shares, or as many as there is time for until {@link stop}. @throws ShareError */
  async run(shares: readonly Share[], workers: number): Promise<void> {
    const queue = [...shares];
    const work = async () => {
      for (let share = queue.shift(); share && !this.#isStopped; share = queue.shift())
        await this.#verify(share);
    };
    try {
      await Promise.all(Array.from({ length: workers }, work));
    } finally {
      await this.stop();
    }
  }

  /** Ends all threads. What they have reported stays as it is. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(Array.from(this.#busy, (thread) => thread.terminate()));
  }

  /** Verifies a share, from the last summary on where its thread crashed. */
  async #verify(share: Share): Promise<void> {
    let resume = share.resume;
    for (let crashes = 0; ; crashes++) {
      const end = await this.#runThread({ ...share, resume }, (summary) => {
        resume = summary;
      });
      if (end === undefined || this.#isStopped) return;
      if (crashes === MOST_CRASHES) throw new ShareError(`a worker thread ended repeatedly: ${end}`);
      this.#events.onCrash(end);
    }
  }

  /** Runs a thread. Returns why it ended, if not because all was done. @throws ShareError */
  async #runThread(share: Share, onSummary: (summary: Summary) => void): Promise<string | undefined> {
    const thread = this.#threads.take(share);
    this.#busy.add(thread);
    let crash: string | undefined = "it exited";
    let failure: string | undefined;
    thread.on("error", (error: Error) => {
      crash = error?.message ?? String(error);
    });
    await new Promise<void>((resolve) => {
      thread.on("message", (message: ShareMessage) => {
        if (this.#isStopped) return;
        if (message.kind === "begun") {
          this.#events.onBegin();
          return;
        }
        if (message.kind === "failure") {
          failure = message.message;
          return;
        }
        thread.postMessage(HANDLED);
        onSummary(message.summary);
        this.#events.onProgress(message.results, message.summary);
        if (message.kind === "progress") return;
        crash = undefined;
        resolve(); // The thread need not be gone for its share to be done.
      });
      thread.on("exit", () => resolve());
    });
    this.#busy.delete(thread);
    if (failure !== undefined) throw new ShareError(failure);
    return crash;
  }
}
