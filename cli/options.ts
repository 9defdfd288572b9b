/** Reads the options of `verify`. */

import { realpathSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import type { Part, Sample, VerifyOptions } from "zarr-codecs/verify";
import { readPart } from "./part.js";
import { localPath, storeKind } from "./stores/open.js";
import type { StoreSettings } from "./stores/store.js";
import { UsageError } from "./usage.js";

/** What decides which units are verified, and when they are sound. A run that is resumed has the same. */
export type Plan = Pick<VerifyOptions, "require" | "missing" | "sample"> & {
  readonly part: Part;
  readonly all: boolean;
};

/** How requests are sent. */
export type Limits = Pick<VerifyOptions, "concurrency" | "retries" | "timeout">;

/** The options of `verify`. */
export interface VerifyRequest {
  readonly location: string;
  readonly plan: Plan;
  readonly limits: Limits;
  readonly settings: StoreSettings;
  readonly workers: number;
  /** In milliseconds. */
  readonly maxDuration: number | undefined;
  readonly resume: string | undefined;
  /** A path, or `-`. */
  readonly jsonl: string | undefined;
  readonly junit: string | undefined;
  readonly quiet: boolean;
  /** Whether to list the keys of the store, if it can. */
  readonly list: boolean;
}

const MOST_WORKERS = 8;
const SAFE_WORKERS = 256;

const OPTIONS = {
  require: { type: "string" },
  missing: { type: "string" },
  part: { type: "string" },
  sample: { type: "string" },
  seed: { type: "string" },
  "max-duration": { type: "string" },
  resume: { type: "string" },
  concurrency: { type: "string" },
  workers: { type: "string" },
  retries: { type: "string" },
  timeout: { type: "string" },
  anonymous: { type: "boolean", default: false },
  jsonl: { type: "string" },
  junit: { type: "string" },
  all: { type: "boolean", default: false },
  quiet: { type: "boolean", default: false },
  "no-list": { type: "boolean", default: false },
} as const;

/** Reads the arguments of `verify`. @throws UsageError */
export function readVerifyRequest(args: readonly string[]): VerifyRequest {
  const { values, positionals } = parse(args, OPTIONS);
  const location = onePositional(positionals, "store");
  const isRemote = ["http", "s3"].includes(storeKind(location));
  const jsonl = values.jsonl ?? values.resume;
  for (const report of [jsonl, values.junit]) refuseInside(location, isRemote, report);
  return {
    location,
    plan: {
      require: oneOf("--require", values.require, ["checksum", "decoded", "length", "present"]),
      missing: oneOf("--missing", values.missing, ["allow", "warn", "fail"]),
      sample: readSample(values.sample, values.seed),
      part: readPart(values.part) ?? { index: 0, count: 1 },
      all: values.all,
    },
    limits: {
      concurrency: integer("--concurrency", values.concurrency, 1),
      retries: integer("--retries", values.retries, 0),
      timeout: duration("--timeout", values.timeout),
    },
    settings: { anonymous: values.anonymous },
    workers: Math.min(integer("--workers", values.workers, 1) ?? defaultWorkers(isRemote), SAFE_WORKERS),
    maxDuration: duration("--max-duration", values["max-duration"]),
    resume: values.resume,
    jsonl,
    junit: values.junit,
    quiet: values.quiet,
    list: !values["no-list"],
  };
}

/** Parses arguments. @throws UsageError */
export function parse<T extends NonNullable<ParseArgsConfig["options"]>>(
  args: readonly string[],
  options: T,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // The hint after the first sentence is about arguments that begin with a dash, which is rarely meant.
    throw new UsageError((error as Error).message.split(". ")[0]);
  }
}

/** Expects a single argument that is no option. @throws UsageError */
export function onePositional([first, ...others]: readonly string[], what: string): string {
  if (!first) throw new UsageError(`expected a ${what}`);
  if (others.length > 0) throw new UsageError(`expected one ${what}, got also ${others.join(" ")}`);
  return first;
}

/** Requests wait for the network rather than for a processor. */
const defaultWorkers = (isRemote: boolean) => (isRemote ? 1 : Math.min(availableParallelism(), MOST_WORKERS));

function oneOf<T extends string>(
  name: string,
  value: string | undefined,
  allowed: readonly T[],
): T | undefined {
  if (value === undefined || allowed.includes(value as T)) return value as T | undefined;
  throw new UsageError(`${name}: expected ${allowed.join(", ")}, got ${value}`);
}

function integer(name: string, value: string | undefined, least: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least) return number;
  throw new UsageError(`${name}: expected an integer of at least ${least}, got ${value}`);
}

function readSample(percent: string | undefined, seed: string | undefined): Required<Sample> | undefined {
  if (percent === undefined) {
    if (seed !== undefined) throw new UsageError("--seed: expected --sample with it");
    return undefined;
  }
  const number = Number(percent.replace(/%$/, ""));
  if (!(number > 0 && number <= 100)) {
    throw new UsageError(`--sample: expected a percentage above 0, as in 5%, got ${percent}`);
  }
  return { percent: number, seed: integer("--seed", seed, 0) ?? 0 };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The longest time of a timer: 24 days. */
const LONGEST = 2 ** 31 - 1;

/** Reads a time such as `1h30m` as milliseconds; a number alone is one of seconds. @throws UsageError */
function duration(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const isTime = /^(\d+(\.\d+)?(ms|[smhd]))+$|^\d+$/.test(value);
  const parts = isTime ? [...value.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])?/g)] : [];
  const sum = parts.reduce(
    (sum, [, number, unit = "s"]) => sum + Number(number) * (UNITS[unit] as number),
    0,
  );
  if (sum > 0) return Math.min(Math.ceil(sum), LONGEST);
  throw new UsageError(`${name}: expected a time above 0, as in 2h, 90m or 30s, got ${value}`);
}

/** Rejects a report inside the store, which is never written to. @throws UsageError */
function refuseInside(location: string, isRemote: boolean, report: string | undefined): void {
  if (isRemote || report === undefined || report === "-") return;
  const path = relative(realPathOf(localPath(location)), realPathOf(report));
  if (path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path)) return;
  throw new UsageError(`${report}: expected a report outside of the store, which is never written to`);
}

/** Returns where something is, or will be, behind symbolic links. */
function realPathOf(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync(absolute);
  } catch {
    const folder = dirname(absolute);
    return folder === absolute ? absolute : join(realPathOf(folder), basename(absolute));
  }
}
