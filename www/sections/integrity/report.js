// What a verification found, as text that can be sent to somebody.

import { byteCount, hex } from "../../ui/dom.js";
import { noteOf, STATES, stateOf } from "./states.js";

/** Of very many failures, the first ones tell. */
const MOST_FAILURES = 200;

/**
 * @param {{ source: string, path: string, chunks: number, outcomes: Map<number, object>,
 *   labelOf: (number: number) => string }} of
 */
export function reportText({ source, path, chunks, outcomes, labelOf }) {
  const found = [...outcomes];
  const failed = found.filter(([, outcome]) => stateOf(outcome) === "failed");
  const bytes = found.reduce((sum, [, outcome]) => sum + (outcome.byteLength ?? 0), 0);
  const notes = new Set(found.map(([, outcome]) => noteOf(outcome)).filter(Boolean));
  const counts = Object.entries(countStates(outcomes, chunks)).map(([state, n]) => `${n} ${STATES[state]}`);
  return [
    `Integrity of ${path} in ${source}`,
    `${chunks} chunks: ${counts.join(", ")}; ${byteCount(bytes)}`,
    ...notes,
    ...failed
      .slice(0, MOST_FAILURES)
      .map(([number, failure]) => `failed: ${labelOf(number)}: ${failureText(failure)}`),
    ...(failed.length > MOST_FAILURES ? [`and ${failed.length - MOST_FAILURES} more`] : []),
    `${new Date().toISOString()}, zarr-codecs`,
  ].join("\n");
}

/** How many chunks are in which state. */
export function countStates(outcomes, chunks) {
  const counts = { verified: 0, failed: 0, missing: 0, unchecked: 0 };
  for (const outcome of outcomes.values()) counts[stateOf(outcome)] += 1;
  counts.unchecked = chunks - counts.verified - counts.failed - counts.missing;
  return counts;
}

const failureText = ({ error }) =>
  error.code === "checksum_mismatch"
    ? `stored ${hex(error.stored)}, computed ${hex(error.computed)} over ${error.byteLength} bytes`
    : `${error.name}: ${error.message}`;
