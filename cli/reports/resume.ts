/** Where an earlier report ends. */

import { copyFileSync, existsSync } from "node:fs";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Summary, UnitResult } from "zarr-codecs/verify";
import type { Plan } from "../options.js";
import { UsageError } from "../usage.js";
import { type RunLine, readLines } from "./jsonl.js";

/** What an earlier report says is done. */
export interface Earlier {
  readonly shares: number;
  /** The last summary of each share that has one. */
  readonly summaries: readonly Summary[];
  /** The bytes of the report that are valid. */
  readonly length: number;
}

/**
 * Reads an earlier report; undefined where there is none, or where nothing was done.
 *
 * @param onResults is called with the results that the report keeps
 * @throws UsageError where it is a report of something else
 */
export function readEarlier(
  path: string,
  run: Pick<RunLine, "store" | "plan">,
  onResults: (results: readonly UnitResult[]) => void,
): Earlier | undefined {
  if (!existsSync(path)) return undefined;
  const summaries = new Map<number, Summary>();
  let shares = 0;
  let length = 0;
  let results: UnitResult[] = [];
  for (const { line, end } of readLines(path)) {
    if (shares === 0 && !("run" in line))
      throw new UsageError(`${path} is not the report of a run, which could be resumed`);
    if ("run" in line) {
      checkSame(path, line.run, run);
      shares = line.run.shares;
    } else if ("progress" in line) {
      summaries.set(line.progress.part.index, line.progress);
      onResults(results);
      results = [];
      length = end;
    } else if ("state" in line) {
      results.push(line);
    }
  }
  if (summaries.size === 0) return undefined;
  return { shares, summaries: [...summaries.values()], length };
}

/** Prepares the report that continues an earlier one. Returns how many of its bytes are kept. */
export function continueReport(from: string, to: string, { length }: Earlier): number {
  if (to === "-") return 0;
  if (resolve(from) !== resolve(to)) copyFileSync(from, to);
  return length;
}

function checkSame(path: string, earlier: RunLine, run: Pick<RunLine, "store" | "plan">): void {
  const plain = (plan: Plan) => JSON.parse(JSON.stringify(plan));
  for (const [name, value] of Object.entries({ store: run.store, ...plain(run.plan) })) {
    const before = name === "store" ? earlier.store : earlier.plan[name as keyof Plan];
    if (isDeepStrictEqual(before, value)) continue;
    throw new UsageError(
      `${path}: cannot be resumed, its ${name} is ${JSON.stringify(before)}, now ${JSON.stringify(value)}`,
    );
  }
}
