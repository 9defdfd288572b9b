/** Summaries of shares and parts, joined to one. */

import type { Part, Proof, Summary, UnitState, Verdict } from "zarr-codecs/verify";

/** A summary without the part that it is of. */
export type Totals = Omit<Summary, "part">;

const STATUS: Readonly<Record<Verdict, number>> = { sound: 0, damaged: 1, insufficient: 1, incomplete: 2 };

/** The exit status that stands for a verdict. */
export const statusOf = ({ verdict }: Totals): number => STATUS[verdict];

/** Adds up summaries of one plan. `isComplete`: whether nothing is missing between them. */
export function joinSummaries(summaries: readonly Summary[], isComplete: boolean): Totals {
  const [first] = summaries;
  if (first === undefined) throw new RangeError("expected at least one summary");
  const sum = (count: (summary: Summary) => number) =>
    summaries.reduce((total, summary) => total + count(summary), 0);
  const totals = {
    complete: isComplete && summaries.every(({ complete }) => complete),
    ...(first.sample && { sample: first.sample }),
    plan: first.plan,
    total: sum(({ total }) => total),
    done: sum(({ done }) => done),
    nodes: Math.max(...summaries.map(({ nodes }) => nodes)),
    units: sum(({ units }) => units),
    states: addCounts<UnitState>(summaries.map(({ states }) => states)),
    proofs: addCounts<Proof>(summaries.map(({ proofs }) => proofs)),
    chunks: sum(({ chunks }) => chunks),
    bytes: sum(({ bytes }) => bytes),
    insufficient: sum(({ insufficient }) => insufficient),
    transient: sum(({ transient }) => transient),
    missingNodes: sum(({ missingNodes }) => missingNodes),
  };
  return { verdict: verdictOf(totals), ...totals };
}

function verdictOf({ states, missingNodes, insufficient, complete }: Omit<Totals, "verdict">): Verdict {
  if (states.damaged > 0 || missingNodes > 0) return "damaged";
  if (insufficient > 0) return "insufficient";
  return complete && states.unreadable === 0 ? "sound" : "incomplete";
}

function addCounts<K extends string>(counts: readonly Readonly<Record<K, number>>[]): Record<K, number> {
  const total = {} as Record<K, number>;
  for (const count of counts) {
    for (const [name, number] of Object.entries(count) as [K, number][]) total[name] = (total[name] ?? 0) + number;
  }
  return total;
}

/** What parts lack to be a whole. */
export interface Coverage {
  readonly count: number;
  readonly missing: readonly number[];
  readonly doubled: readonly number[];
}

/** Compares parts with all parts of their count; undefined where they are of different ones. */
export function coverageOf(parts: readonly Part[]): Coverage | undefined {
  const count = parts[0]?.count ?? 0;
  if (parts.some((part) => part.count !== count)) return undefined;
  const seen = new Set<number>();
  const doubled = new Set<number>();
  for (const { index } of parts) (seen.has(index) ? doubled : seen).add(index);
  const missing = Array.from({ length: count }, (_, index) => index).filter((index) => !seen.has(index));
  return { count, missing, doubled: [...doubled].sort((a, b) => a - b) };
}
