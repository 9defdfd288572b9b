/** The report for people: what is wrong, where, and what to do. */

import type { Summary, UnitResult, UnitState } from "zarr-codecs/verify";
import { ADVICE, type Advice, adviceOf, placeOf, reasonsOf } from "./describe.js";
import { count, formatBytes, formatDuration, formatNumber, type Output, paint } from "./text.js";

/** How many results of a state are printed. Reports have all of them. */
const MOST_PRINTED = 20;

const STYLES = {
  sound: "green",
  damaged: "red",
  missing: "yellow",
  unreadable: "magenta",
  stray: "yellow",
} as const;
const STATES: readonly UnitState[] = ["sound", "damaged", "missing", "unreadable", "stray"];
const PROOFS = ["checksum", "decoded", "length", "present"] as const;

/** What is printed at the end. */
export interface Ending {
  readonly totals: Summary;
  readonly seconds?: number | undefined;
  readonly limits?: readonly string[] | undefined;
  /** Why not all was verified. */
  readonly stopped?: string | undefined;
  readonly jsonl?: string | undefined;
}

/** Prints results as they come, and the verdict. */
export class PeopleReport {
  readonly #output: Output;
  readonly #isQuiet: boolean;
  readonly #printed = new Map<string, number>();
  readonly #advice = new Set<Advice>();

  constructor(output: Output, isQuiet: boolean) {
    this.#output = output;
    this.#isQuiet = isQuiet;
  }

  /** Prints a result that is not plainly sound. */
  add(result: UnitResult): void {
    const advice = adviceOf(result);
    if (advice === undefined) return;
    this.#advice.add(advice);
    const label = result.state === "sound" ? (result.transient ? "transient" : "unproven") : result.state;
    const printed = this.#printed.get(label) ?? 0;
    this.#printed.set(label, printed + 1);
    if (printed >= MOST_PRINTED) return;
    const style = result.state === "sound" ? "yellow" : STYLES[result.state];
    this.#print(`${paint(this.#output, [style, "bold"], label.toUpperCase().padEnd(10))} ${placeOf(result)}`);
    for (const reason of reasonsOf(result)) this.#print(`${" ".repeat(11)}${reason}`);
  }

  /** Prints what else there is to say at the end. */
  end(ending: Ending): void {
    const { totals, stopped, limits = [], jsonl } = ending;
    this.#printUnprinted(jsonl);
    if (this.#isQuiet && totals.verdict === "sound") return;
    if (this.#printed.size > 0) this.#print("");
    this.#printCounts(ending);
    if (!this.#isQuiet) for (const limit of limits) this.#print(`Note      ${limit}`);
    this.#print(`Verdict   ${this.#verdict(totals)}`);
    if (stopped) this.#print(`Stopped   ${stopped}`);
    if (this.#advice.size === 0) return;
    this.#print("\nWhat to do");
    for (const advice of this.#advice) this.#print(`  ${ADVICE[advice]}`);
  }

  #printUnprinted(jsonl: string | undefined): void {
    const where = jsonl ? `all are in ${jsonl}` : "--jsonl FILE has all";
    for (const [label, printed] of this.#printed) {
      if (printed > MOST_PRINTED)
        this.#print(`... and ${formatNumber(printed - MOST_PRINTED)} more ${label} (${where})`);
    }
  }

  #printCounts({ totals, seconds }: Ending): void {
    const { states, proofs, total, done, chunks, bytes } = totals;
    const units = done < total ? `${formatNumber(done)} of ${count(total, "unit")}` : count(done, "unit");
    const inner = chunks > done ? ` with ${count(chunks, "chunk")}` : "";
    const speed = seconds ? ` in ${formatDuration(seconds)} (${formatBytes(bytes / seconds)}/s)` : "";
    this.#print(`Verified  ${units}${inner}, ${formatBytes(bytes)}${speed}`);
    const some = <K extends string>(names: readonly K[], counts: Readonly<Record<K, number>>) =>
      names.filter((name) => counts[name] > 0).map((name) => `${formatNumber(counts[name])} ${name}`);
    this.#print(`Found     ${some(STATES, states).join(", ") || "nothing"}`);
    const proven = some(PROOFS, proofs).join(", ");
    if (proven) this.#print(`Proven    ${proven}`);
  }

  #verdict({ verdict, states, missingNodes, insufficient, transient, complete }: Summary): string {
    const parts = {
      sound: transient > 0 ? `SOUND, but ${count(transient, "read")} went wrong at first` : "SOUND",
      damaged: `DAMAGED: ${count(states.damaged + missingNodes, "unit")}`,
      insufficient: `NOT SUFFICIENT: ${count(insufficient, "unit")} below what --require and --missing demand`,
      incomplete: `INCOMPLETE: ${states.unreadable > 0 ? `${count(states.unreadable, "unit")} could not be read` : "not all was verified"}`,
    };
    const style = verdict === "sound" ? "green" : verdict === "incomplete" ? "yellow" : "red";
    const more = verdict !== "incomplete" && !complete ? " (so far: not all was verified)" : "";
    return paint(this.#output, [style, "bold"], parts[verdict] + more);
  }

  #print(line: string): void {
    this.#output.write(`${line}\n`);
  }
}
