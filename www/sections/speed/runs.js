// Runs of the benchmark: cases, sizes, rounds.

import { CASES, SIZES } from "../../../bench/cases.js";

/**
 * @typedef {{ names: string[], sizes: number[], rounds: number }} Run
 * @typedef {{ name: string, size: number, implementations: string[] }} Agreement
 * @typedef {{ q1: number, median: number, q3: number }} Quartiles
 * @typedef {{ name: string, size: number,
 *   implementations: { name: string, seconds: Quartiles, ratio: Quartiles }[] }} Result
 * @typedef {{ agreement?: Agreement, result?: Result, done?: boolean }} RunEvent what bench/worker.js sends
 */

export const SHORT = {
  names: ["crc32c", "decode-big-4", "decode-big-4-out", "decode-big-crc32c", "decode-big-crc32c-out"],
  sizes: [1 << 10, 64 << 10, 1 << 20],
  rounds: 7,
};

export const FULL = { names: CASES.map(({ name }) => name), sizes: SIZES, rounds: 21 };

/** Roughly how long a case takes at one size, in seconds: mostly warming up, and a part for each round. */
const SECONDS = { warmUp: 0.6, round: 0.01 };

/** Estimates how long a run takes, in seconds. @param {Run} run */
export function estimate({ names, sizes, rounds }) {
  return names.length * sizes.length * (SECONDS.warmUp + rounds * SECONDS.round);
}

/** Counts the steps of a run: each comparison and each result of a round is one. @param {Run} run */
export const stepsOf = ({ names, sizes, rounds }) => names.length * sizes.length * (1 + rounds);

/**
 * Runs cases in a worker. Aborting ends the run at once and rejects with the reason of the signal.
 *
 * @param {Run} run
 * @param {(event: RunEvent) => void} onEvent
 * @param {AbortSignal} signal
 */
export function runInWorker(run, onEvent, signal) {
  const worker = new Worker(new URL("../../../bench/worker.js", import.meta.url), { type: "module" });
  /** @type {Promise<void>} */
  const done = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.done ? resolve() : onEvent(data));
    worker.onerror = ({ message }) => reject(new Error(message || "The worker could not be loaded"));
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  worker.postMessage(run);
  return done.finally(() => worker.terminate());
}
