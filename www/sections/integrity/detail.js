// What is known of one chunk, in words.

import { MEANINGS, STATES, TEXTS } from "../../ui/chunk-states.js";
import { byteCount, facts, h } from "../../ui/dom.js";
import { checksumText, reasonOf } from "./report.js";

/**
 * Describes a chunk, and those that share its cell.
 *
 * @param {import("./findings.js").Findings} findings
 * @param {number} number
 * @param {number} first chunk of the cell
 * @param {number} count of chunks in the cell
 * @returns {Node[]}
 */
export function describe(findings, number, first, count) {
  const state = findings.stateAt(number);
  const { name, sign, className } = TEXTS[state];
  const { shard, error } = findings.problemAt(number) ?? {};
  const { length, offset } = /** @type {{ length?: number, offset?: number }} */ (error?.range ?? {});
  const byteLength = findings.lengths[number];
  const { stored, computed } =
    error ?? (state === "checksum" ? findings.checksums.get(number) : undefined) ?? {};
  return [
    h("h3", { className: "mono" }, findings.labelOf(number)),
    h("p", { className }, sign + name),
    facts({
      Meaning: MEANINGS[state],
      Where: shard && (error?.message.includes("shard index") ? "the index of its shard" : "its whole shard"),
      Error: error && reasonOf(error),
      "Stored checksum": checksumText(stored),
      Computed: checksumText(computed),
      Status: error?.status === undefined ? undefined : String(error.status),
      Offset: offset?.toLocaleString("en"),
      Bytes: (byteLength || length)?.toLocaleString("en"),
      "In this cell": count > 1 ? sharing(findings, first, count) : undefined,
    }),
  ];
}

/** Counts the chunks of a cell by state. @param {import("./findings.js").Findings} findings @param {number} first @param {number} count */
function sharing({ states }, first, count) {
  const counts = new Array(STATES.length).fill(0);
  for (const code of states.subarray(first, first + count)) counts[code] += 1;
  return STATES.flatMap((state, code) =>
    counts[code] > 0 ? `${counts[code]} ${TEXTS[state].name}` : [],
  ).join(", ");
}

/** Says how far a verification is. @param {import("./findings.js").Findings} findings */
export const progressText = ({ done, bytes, layout }) =>
  `${done.toLocaleString("en")} of ${layout.chunks.toLocaleString("en")} chunks, ${byteCount(bytes)}`;
