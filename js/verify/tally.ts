/** Counts what comes of units. */

import type { Proof, Summary, UnitResult, UnitState, Verdict } from "./types.js";

type Numbers = Pick<
  Summary,
  "done" | "units" | "chunks" | "bytes" | "insufficient" | "transient" | "missingNodes"
>;

const NO_STATES: Record<UnitState, number> = { sound: 0, damaged: 0, missing: 0, unreadable: 0, stray: 0 };
const NO_PROOFS: Record<Proof, number> = { checksum: 0, decoded: 0, length: 0, present: 0, none: 0 };

/** The counts of a run. */
export class Tally {
  readonly #counts: { -readonly [name in keyof Numbers]: number };
  readonly #states: Record<UnitState, number>;
  readonly #proofs: Record<Proof, number>;

  /** @param resume the counts to begin with */
  constructor(resume: Summary | undefined) {
    const { done = 0, units = 0, chunks = 0, bytes = 0 } = resume ?? {};
    const { insufficient = 0, transient = 0, missingNodes = 0 } = resume ?? {};
    this.#states = { ...NO_STATES, ...resume?.states };
    this.#proofs = { ...NO_PROOFS, ...resume?.proofs };
    this.#counts = { done, units, chunks, bytes, insufficient, transient, missingNodes };
  }

  get done(): number {
    return this.#counts.done;
  }

  /** Counts a unit by its state. */
  add(state: UnitState, proof: Proof): void {
    this.#counts.units += 1;
    this.#states[state] += 1;
    this.#proofs[proof] += 1;
  }

  /** Counts a chunk or a shard that has been verified. */
  addChecked(chunks: number, byteLength: number): void {
    this.#counts.done += 1;
    this.#counts.chunks += chunks;
    this.#counts.bytes += byteLength;
  }

  /** Counts what the results of one unit say beside their states. */
  addResults(results: readonly UnitResult[]): void {
    if (results.some(({ insufficient }) => insufficient)) this.#counts.insufficient += 1;
    if (results.some(({ transient }) => transient)) this.#counts.transient += 1;
    if (results.some(({ error }) => error?.code === "missing_node")) this.#counts.missingNodes += 1;
  }

  /** Returns the counts so far. */
  summary(facts: RunFacts, complete: boolean): Summary {
    const counts = { ...this.#counts, states: { ...this.#states }, proofs: { ...this.#proofs } };
    return { verdict: verdictOf({ ...counts, complete }), complete, ...facts, ...counts };
  }
}

/** What is known of a run before any unit has been verified. */
export type RunFacts = Pick<Summary, "part" | "sample" | "plan" | "total" | "nodes">;

/** Returns the verdict that counts lead to. */
export function verdictOf({
  states,
  missingNodes,
  insufficient,
  complete,
}: Pick<Summary, "states" | "missingNodes" | "insufficient" | "complete">): Verdict {
  if (states.damaged > 0 || missingNodes > 0) return "damaged";
  if (insufficient > 0) return "insufficient";
  return states.unreadable > 0 || !complete ? "incomplete" : "sound";
}
