// What can be run: which cases, at which sizes, in how many rounds.

import { CASES, SIZES } from "../../../bench/cases.js";

/** @typedef {{ names: string[], sizes: number[], rounds: number }} Run */

export const SHORT = {
  names: ["crc32c", "decode-big-4", "decode-big-4-out", "decode-big-crc32c", "decode-big-crc32c-out"],
  sizes: [1 << 10, 64 << 10, 1 << 20],
  rounds: 7,
};

export const FULL = { names: CASES.map(({ name }) => name), sizes: SIZES, rounds: 21 };

/** What a case at a size takes, roughly: most of it is warming up, and then a part for each round. */
const SECONDS = { warmUp: 0.6, round: 0.01 };

/** How long a run takes, roughly. */
export function estimate({ names, sizes, rounds }) {
  return names.length * sizes.length * (SECONDS.warmUp + rounds * SECONDS.round);
}

/** The steps of its progress: each agreement and each round is one. */
export const stepsOf = ({ names, sizes, rounds }) => names.length * sizes.length * (1 + rounds);

/**
 * Runs cases in a worker. Cancelled, it ends at once and the promise is rejected with the signal's reason.
 *
 * @param {Run} run
 * @param {(event: { agreement?: object, result?: object }) => void} onEvent as bench/worker.js tells
 * @param {AbortSignal} signal
 */
export function runInWorker(run, onEvent, signal) {
  const worker = new Worker(new URL("../../../bench/worker.js", import.meta.url), { type: "module" });
  const done = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.done ? resolve() : onEvent(data));
    worker.onerror = ({ message }) => reject(new Error(message || "The worker could not be loaded"));
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  worker.postMessage(run);
  return done.finally(() => worker.terminate());
}
