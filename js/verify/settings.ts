/** The options of verifying a store, and their validation. */

import type { CodecRegistry } from "../core.js";
import { describe, InvalidArgumentError, invalidArgument } from "../errors.js";
import { type Allowed, readOptions } from "../options.js";
import type { Part, Proof, Sample, Summary, VerifyOptions } from "./types.js";

const OPTIONS: Allowed<VerifyOptions> = {
  codecs: undefined,
  require: ["checksum", "decoded", "length", "present"],
  missing: ["allow", "warn", "fail"],
  array: undefined,
  part: undefined,
  sample: undefined,
  concurrency: undefined,
  retries: undefined,
  timeout: undefined,
  signal: undefined,
  stop: undefined,
  all: [true, false, "inner"],
  resume: undefined,
  onProgress: undefined,
};

/** Options with their defaults. */
export interface Settings {
  readonly codecs: CodecRegistry | undefined;
  readonly require: Proof;
  readonly missing: "allow" | "warn" | "fail";
  readonly array: string | undefined;
  readonly part: Part;
  readonly sample: Required<Sample> | undefined;
  readonly concurrency: number;
  readonly retries: number;
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
  readonly stop: AbortSignal | undefined;
  readonly all: boolean | "inner";
  readonly resume: Summary | undefined;
  readonly onProgress: ((summary: Summary) => void) | undefined;
}

/** @throws InvalidArgumentError */
export function readSettings(options: VerifyOptions | undefined): Settings {
  const {
    signal,
    stop,
    part,
    sample,
    concurrency = 16,
    retries = 2,
    timeout = 60_000,
    ...rest
  } = readOptions(options, OPTIONS);
  return {
    ...{ codecs: rest.codecs, require: rest.require ?? "present", missing: rest.missing ?? "allow" },
    ...{ all: rest.all ?? false, resume: rest.resume, onProgress: rest.onProgress },
    array: rest.array,
    part: readPart(part),
    sample: readSample(sample),
    concurrency: expectInteger("concurrency", concurrency, 1),
    retries: expectInteger("retries", retries, 0),
    timeout: expectInteger("timeout", timeout, 1),
    signal: signal as AbortSignal | undefined,
    stop: stop as AbortSignal | undefined,
  };
}

function readPart({ index, count }: Part = { index: 0, count: 1 }): Part {
  expectInteger("part.count", count, 1);
  expectInteger("part.index", index, 0);
  if (index < count) return { index, count };
  throw invalidArgument("options.part.index", `an integer below ${count}`, `${index}`);
}

function readSample(sample: Sample | undefined): Required<Sample> | undefined {
  if (sample === undefined) return undefined;
  const { percent, seed = 0 } = sample;
  if (!(percent > 0 && percent <= 100)) {
    throw invalidArgument("options.sample.percent", "a number above 0, at most 100", describe(percent));
  }
  return { percent, seed: expectInteger("sample.seed", seed, Number.MIN_SAFE_INTEGER) };
}

function expectInteger(name: string, value: unknown, least: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
  throw invalidArgument(`options.${name}`, `an integer of at least ${least}`, describe(value));
}

/** Checks that a summary is of the run that continues it. @throws InvalidArgumentError */
export function expectResumable(resume: Summary, plan: string, { index, count }: Part): void {
  if (resume.plan === plan && resume.part.index === index && resume.part.count === count) return;
  const what =
    resume.plan === plan ? "another part" : "another store, or of one that has changed, or other options";
  const argument = "options.resume";
  throw new InvalidArgumentError(`${argument} is the summary of ${what}`, { argument });
}
