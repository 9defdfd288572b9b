/** Merges the summaries of parts. */

import { InvalidArgumentError } from "../errors.js";
import { verdictOf } from "./tally.js";
import type { Part, Summary } from "./types.js";

const WHOLE: Part = { index: 0, count: 1 };

/**
 * Merges the summaries of the parts of one store to that of a larger part, by default of the whole.
 *
 * @returns a summary that is complete if all summaries are, and if they cover the part
 * @throws InvalidArgumentError (no summaries, or of different stores or options, or of parts that overlap)
 * @example
 * ```ts
 * import { mergeSummaries, verifyStore } from "zarr-codecs/verify";
 *
 * const metadata = { zarr_format: 3, node_type: "group" };
 * const store = new Map([["/zarr.json", new TextEncoder().encode(JSON.stringify(metadata))]]);
 * const summaries = [];
 * for (const index of [0, 1]) {
 *   const next = await verifyStore(store, { part: { index, count: 2 } }).next();
 *   if (next.done) summaries.push(next.value);
 * }
 * mergeSummaries(summaries).verdict; // => "sound"
 * mergeSummaries(summaries.slice(1)).complete; // => false
 * ```
 */
export function mergeSummaries(summaries: readonly Summary[], part: Part = WHOLE): Summary {
  const [first, ...others] = summaries;
  if (first === undefined) throw invalid("expected at least one summary");
  if (others.some(({ plan }) => plan !== first.plan))
    throw invalid("they are of different stores or options");
  const complete = summaries.every((summary) => summary.complete) && covers(summaries, part);
  const merged = { ...others.reduce(added, first), part, complete };
  return { ...merged, verdict: verdictOf(merged) };
}

function invalid(problem: string): InvalidArgumentError {
  const argument = "summaries";
  return new InvalidArgumentError(`${argument}: ${problem}`, { argument });
}

function added(a: Summary, b: Summary): Summary {
  return {
    ...a,
    total: a.total + b.total,
    done: a.done + b.done,
    units: a.units + b.units,
    states: addedCounts(a.states, b.states),
    proofs: addedCounts(a.proofs, b.proofs),
    chunks: a.chunks + b.chunks,
    bytes: a.bytes + b.bytes,
    insufficient: a.insufficient + b.insufficient,
    transient: a.transient + b.transient,
    missingNodes: a.missingNodes + b.missingNodes,
  };
}

function addedCounts<K extends string>(a: Readonly<Record<K, number>>, b: Readonly<Record<K, number>>) {
  const sums = Object.entries(a).map(([name, count]) => [name, (count as number) + b[name as K]]);
  return Object.fromEntries(sums) as Record<K, number>;
}

/** Returns whether parts are all of a part: they are apart from each other, and their shares add up to its. */
function covers(summaries: readonly Summary[], whole: Part): boolean {
  const parts = summaries.map(({ part }) => part);
  for (const [i, a] of parts.entries()) {
    if (!isWithin(a, whole)) throw invalid(`part ${a.index} of ${a.count} is not in the merged part`);
    const other = parts.slice(0, i).find((b) => (a.index - b.index) % divisor(a.count, b.count) === 0);
    if (other) throw invalid(`parts ${other.index} of ${other.count} and ${a.index} of ${a.count} overlap`);
  }
  const share = parts.reduce((sum, { count }) => sum + whole.count / count, 0);
  return Math.abs(share - 1) < 1e-9;
}

const isWithin = (part: Part, whole: Part): boolean =>
  part.count % whole.count === 0 && part.index % whole.count === whole.index;

/** The greatest common divisor. */
function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
