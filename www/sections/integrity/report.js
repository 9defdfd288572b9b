// The report of a verification, as text to send to others.

import { byteCount, hex } from "../../ui/dom.js";
import { noteOf, STATES, stateOf } from "./states.js";

/** The order of the counts. @type {import("./states.js").State[]} */
const ORDER = ["verified", "decoded", "failed", "missing", "unchecked"];
/** How many failures a report lists. */
const MOST_FAILURES = 200;

/**
 * @typedef {import("./states.js").Outcome} Outcome
 * @typedef {Map<number, Outcome>} Outcomes by the number of the chunk
 */

/**
 * Writes a report.
 *
 * @param {{ source: string, path: string, chunks: number, outcomes: Outcomes, labelOf: (number: number) => string }} of
 */
export function reportText({ source, path, chunks, outcomes, labelOf }) {
  const found = [...outcomes];
  const failed = found.filter(([, outcome]) => stateOf(outcome) === "failed");
  const bytes = found.reduce((sum, [, outcome]) => sum + (outcome.byteLength ?? 0), 0);
  const notes = new Set(found.map(([, outcome]) => noteOf(outcome)).filter(Boolean));
  const count = countStates(outcomes, chunks);
  const counts = ORDER.map((state) => `${count[state]} ${STATES[state]}`);
  return [
    `Integrity of ${path} in ${source}`,
    `${chunks} chunks: ${counts.join(", ")}; ${byteCount(bytes)}`,
    ...notes,
    ...failed
      .slice(0, MOST_FAILURES)
      .map(([number, failure]) => `failed: ${labelOf(number)}: ${failureText(failure.error)}`),
    ...(failed.length > MOST_FAILURES ? [`and ${failed.length - MOST_FAILURES} more`] : []),
    `${new Date().toISOString()}, zarr-codecs`,
  ].join("\n");
}

/** Counts the chunks in each state. @param {Outcomes} outcomes @param {number} chunks of the array */
export function countStates(outcomes, chunks) {
  const counts = { verified: 0, decoded: 0, failed: 0, missing: 0, unchecked: 0 };
  for (const outcome of outcomes.values()) counts[stateOf(outcome)] += 1;
  counts.unchecked += chunks - outcomes.size;
  return counts;
}

/** @param {Outcome["error"]} error */
function failureText(error) {
  const { stored, computed, byteLength } = error ?? {};
  return stored === undefined || computed === undefined
    ? `${error?.name}: ${error?.message}`
    : `stored ${hex(stored)}, computed ${hex(computed)} over ${byteLength} bytes`;
}
