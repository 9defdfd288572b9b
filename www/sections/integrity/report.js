// The report of a verification, as text to send to others.

import { MEANINGS, STATES, TEXTS } from "../../ui/chunk-states.js";
import { byteCount, hex } from "../../ui/dom.js";
import { withoutTypes } from "../../workers/errors.js";

/** How many problems a report lists. */
const MOST_PROBLEMS = 200;

/** Writes a report. @param {string} source @param {import("./findings.js").Findings} findings */
export function reportText(source, findings) {
  const { path, layout, bytes, problems, found } = findings;
  // What matters most first.
  const present = STATES.toReversed().filter((state) => findings.count(state) > 0);
  const counts = present.map((state) => `${findings.count(state).toLocaleString("en")} ${TEXTS[state].name}`);
  const listed = problems.slice(0, MOST_PROBLEMS);
  return [
    `Integrity of ${path} in ${source}`,
    `${layout.chunks.toLocaleString("en")} chunks: ${counts.join(", ")}; ${byteCount(bytes)}`,
    ...present.flatMap((state) => (MEANINGS[state] ? `${TEXTS[state].name}: ${MEANINGS[state]}` : [])),
    ...listed.map(
      (problem) =>
        `${TEXTS[STATES[problem.code]].name}: ${findings.placeOf(problem)}: ${reasonOf(problem.error)}`,
    ),
    ...(found > listed.length ? [`and ${(found - listed.length).toLocaleString("en")} more`] : []),
    `${new Date().toISOString()}, zarr-codecs`,
  ].join("\n");
}

/** Says what is wrong. @param {import("zarr-codecs/verify").UnitError | undefined} error */
export function reasonOf(error) {
  if (error === undefined) return "";
  const { diagnosis } = error;
  const message = withoutTypes(error.message);
  return diagnosis && !message.includes(diagnosis.message) ? `${message}; ${diagnosis.message}` : message;
}

/** Formats a checksum of an error. @param {number | undefined} checksum */
export const checksumText = (checksum) => (checksum === undefined ? undefined : hex(checksum));
