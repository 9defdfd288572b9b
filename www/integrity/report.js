// What a verification found, as text that can be sent to somebody.

import { byteCount, hex } from "../dom.js";

/** Of very many failures, the first ones tell. */
const MOST_FAILURES = 200;

/**
 * @param {{ source: string, path: string, layout: object, outcomes: object[], labelOf: (number: number) => string }} of
 */
export function reportText({ source, path, layout, outcomes, labelOf }) {
  const failed = outcomes
    .map((outcome, number) => ({ ...outcome, number }))
    .filter(({ state }) => state === "failed");
  const count = (state) => outcomes.filter((outcome) => outcome.state === state).length;
  const bytes = outcomes.reduce((sum, outcome) => sum + (outcome.bytes ?? 0), 0);
  const notes = new Set(outcomes.map(({ note }) => note).filter(Boolean));
  return [
    `Integrity of ${path} in ${source}`,
    `${layout.chunks} chunks: ${count("verified")} verified, ${failed.length} failed, ${count("missing")} missing, ${count("unchecked")} not checked; ${byteCount(bytes)}`,
    ...notes,
    ...failed
      .slice(0, MOST_FAILURES)
      .map((failure) => `failed: ${labelOf(failure.number)}: ${failureText(failure)}`),
    ...(failed.length > MOST_FAILURES ? [`and ${failed.length - MOST_FAILURES} more`] : []),
    `${new Date().toISOString()}, zarr-codecs`,
  ].join("\n");
}

const failureText = ({ error }) =>
  error.code === "checksum_mismatch"
    ? `stored ${hex(error.stored)}, computed ${hex(error.computed)} over ${error.byteLength} bytes`
    : `${error.name}: ${error.message}`;
