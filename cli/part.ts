/** Which share of a store this machine verifies. */

import type { Part } from "zarr-codecs/verify";
import { UsageError } from "./usage.js";

const { env } = process;

/** A scheduler that numbers the machines of a job, and the variables in which it says so. */
interface Scheduler {
  readonly index: string;
  readonly count: string;
  /** Where indexes need not begin at 0 and be contiguous: the first, the last, and their distance. */
  readonly first?: string;
  readonly last?: string;
  readonly step?: string;
}

const SCHEDULERS: readonly Scheduler[] = [
  {
    index: "SLURM_ARRAY_TASK_ID",
    count: "SLURM_ARRAY_TASK_COUNT",
    first: "SLURM_ARRAY_TASK_MIN",
    last: "SLURM_ARRAY_TASK_MAX",
    step: "SLURM_ARRAY_TASK_STEP",
  },
  { index: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE" },
  // Kubernetes sets the index alone. The other one is for manifests.
  { index: "JOB_COMPLETION_INDEX", count: "JOB_COMPLETIONS" },
];

/** Reads the part from the option, or from the environment; undefined for all of the store. @throws UsageError */
export function readPart(option: string | undefined): Part | undefined {
  if (option === undefined) return partOfJob(undefined);
  const [, index, count] = /^(\d+|auto)\/(\d+)$/.exec(option) ?? [];
  if (index === undefined) throw new UsageError(`--part: expected I/N as in 0/8, or auto/N, got ${option}`);
  if (index !== "auto") return checked(Number(index), Number(count), "--part");
  const part = partOfJob(Number(count));
  if (part) return part;
  const variables = SCHEDULERS.map((scheduler) => scheduler.index).join(", ");
  throw new UsageError(`--part ${option}: none of ${variables} is set`);
}

/** @param count the number of parts that the user gave, of which the index is one even if only some machines run again. */
function partOfJob(count: number | undefined): Part | undefined {
  const scheduler = SCHEDULERS.find(({ index }) => env[index]);
  if (scheduler === undefined) return undefined;
  const { index } = scheduler;
  if (count !== undefined) return checked(numberIn(index), count, index);
  if (env[scheduler.count]) return numbered(scheduler);
  throw new UsageError(
    `${index} is set, but not the number of parts: use --part auto/N or set ${scheduler.count} ` +
      "(--part 0/1 verifies the whole store)",
  );
}

function numbered({ index, count, first, last, step }: Scheduler): Part {
  const parts = numberIn(count);
  const start = numberIn(first, 0);
  const distance = numberIn(step, 1);
  const end = numberIn(last, start + (parts - 1) * distance);
  if (end !== start + (parts - 1) * distance) {
    throw new UsageError(
      `${index}: the array of jobs has gaps, so use --part auto/N with the number of all parts`,
    );
  }
  return checked((numberIn(index) - start) / distance, parts, index);
}

function numberIn(name: string | undefined, fallback?: number): number {
  const text = name === undefined ? undefined : env[name];
  if (!text && fallback !== undefined) return fallback;
  if (text && /^\d+$/.test(text)) return Number(text);
  throw new UsageError(`${name}: expected an integer, got ${text}`);
}

function checked(index: number, count: number, name: string): Part {
  if (count < 1) throw new UsageError(`${name}: expected at least 1 part, got ${count}`);
  if (index >= 0 && index < count && Number.isInteger(index)) return { index, count };
  throw new UsageError(`${name}: expected a part from 0 to ${count - 1}, got ${index}`);
}
