/** The options of verifying a store, and their validation. */

import { describe, InvalidArgumentError, invalidArgument } from "../errors.js";
import { type Allowed, readOptions } from "../options.js";
import type { Part, Sample, Summary, VerifyOptions } from "./types.js";

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
export type Settings = ReturnType<typeof readSettings>;

/** @throws InvalidArgumentError */
export function readSettings(options: VerifyOptions | undefined) {
  const {
    require = "present",
    missing = "allow",
    all = false,
    part,
    sample,
    concurrency = 16,
    retries = 2,
    timeout = 60_000,
    ...others
  } = readOptions(options, OPTIONS);
  return {
    ...others,
    require,
    missing,
    all,
    part: readPart(part),
    sample: readSample(sample),
    concurrency: expectInteger("concurrency", concurrency, 1),
    retries: expectInteger("retries", retries, 0),
    timeout: expectInteger("timeout", timeout, 1),
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
