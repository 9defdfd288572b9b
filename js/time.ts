/**
 * NumPy's times: what the integers of `numpy.datetime64` and `numpy.timedelta64` count.
 *
 * Specification: [numpy.datetime64](https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/numpy.datetime64).
 */

import { describe, either, invalidArgument } from "./errors.js";

/** The configuration of `numpy.datetime64` or `numpy.timedelta64`: the unit, and how many of it an integer counts. */
export interface TimeConfiguration {
  readonly unit: string;
  readonly scale_factor: number;
}

/**
 * "Not a time", the value for a missing one.
 *
 * @example
 * ```ts
 * import { NAT, toDate } from "zarr-codecs";
 *
 * toDate(NAT, { unit: "s", scale_factor: 1 }).getTime(); // => Number.NaN
 * ```
 */
export const NAT: bigint = -(2n ** 63n);

/** The lengths of units in attoseconds. */
const ATTOSECONDS: Readonly<Record<string, bigint>> = {
  W: 604_800n * 10n ** 18n,
  D: 86_400n * 10n ** 18n,
  h: 3600n * 10n ** 18n,
  m: 60n * 10n ** 18n,
  s: 10n ** 18n,
  ms: 10n ** 15n,
  us: 10n ** 12n,
  μs: 10n ** 12n,
  ns: 10n ** 9n,
  ps: 10n ** 6n,
  fs: 10n ** 3n,
  as: 1n,
};
const MILLISECOND = 10n ** 15n;

/** The calendar's units in months. */
const MONTHS: Readonly<Record<string, bigint>> = { Y: 12n, M: 1n };

/**
 * Converts a `numpy.datetime64` to a `Date`, rounded down to milliseconds. Returns an invalid one for {@link NAT} and for times
 * out of its range.
 *
 * @param configuration that of the data type
 * @throws InvalidArgumentError (the unit is "generic")
 * @example
 * ```ts
 * import { toDate } from "zarr-codecs";
 *
 * toDate(1_750_000_000_123_456_789n, { unit: "ns", scale_factor: 1 }).toISOString(); // => "2025-06-15T15:06:40.123Z"
 * ```
 */
export function toDate(value: bigint, configuration: TimeConfiguration): Date {
  if (value === NAT) return new Date(Number.NaN);
  const months = stepOf(configuration, MONTHS);
  if (months !== undefined) return firstOfMonth(Number(expectInteger(value) * months));
  const attoseconds = expectInteger(value) * attosecondsOf(configuration);
  return new Date(Number(floorDivide(attoseconds, MILLISECOND)));
}

/**
 * Converts a `Date` to a `numpy.datetime64`, rounded down; an invalid one to {@link NAT}.
 *
 * @param configuration that of the data type
 * @throws InvalidArgumentError (the unit is "generic", or counts more than 64 bits hold: nanoseconds end in 2262)
 * @example
 * ```ts
 * import { fromDate } from "zarr-codecs";
 *
 * fromDate(new Date("1970-01-11"), { unit: "D", scale_factor: 5 }); // => 2n
 * ```
 */
export function fromDate(date: Date, configuration: TimeConfiguration): bigint {
  const time = date.getTime();
  if (Number.isNaN(time)) return NAT;
  const months = stepOf(configuration, MONTHS);
  const count =
    months === undefined
      ? floorDivide(BigInt(time) * MILLISECOND, attosecondsOf(configuration))
      : floorDivide(BigInt((date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()), months);
  if (count > NAT && BigInt.asIntN(64, count) === count) return count;
  const { unit, scale_factor } = configuration;
  throw invalidArgument(
    "date",
    `a time that is a 64-bit number of ${scale_factor} ${unit}`,
    date.toISOString(),
  );
}

/**
 * Converts a `numpy.timedelta64` to milliseconds; {@link NAT} to NaN.
 *
 * @param configuration that of the data type
 * @throws InvalidArgumentError (the unit has no fixed length: years, months or "generic")
 * @example
 * ```ts
 * import { toMilliseconds } from "zarr-codecs";
 *
 * toMilliseconds(90n, { unit: "s", scale_factor: 1 }); // => 90_000
 * ```
 */
export function toMilliseconds(value: bigint, configuration: TimeConfiguration): number {
  const attoseconds = expectInteger(value) * attosecondsOf(configuration);
  return value === NAT ? Number.NaN : Number(attoseconds) / Number(MILLISECOND);
}

/** Returns what an integer counts, if the unit is one of these. */
function stepOf(
  { unit, scale_factor }: TimeConfiguration,
  units: Readonly<Record<string, bigint>>,
): bigint | undefined {
  if (!Number.isSafeInteger(scale_factor) || scale_factor < 1) {
    throw invalidArgument("configuration.scale_factor", "a positive integer", describe(scale_factor));
  }
  return Object.hasOwn(units, unit) ? (units[unit] as bigint) * BigInt(scale_factor) : undefined;
}

/** Returns what an integer counts, in attoseconds. */
function attosecondsOf(configuration: TimeConfiguration): bigint {
  const step = stepOf(configuration, ATTOSECONDS);
  if (step !== undefined) return step;
  const units = either(Object.keys(ATTOSECONDS).map(describe));
  throw invalidArgument("configuration.unit", units, describe(configuration.unit));
}

function expectInteger(value: bigint): bigint {
  if (typeof value === "bigint") return value;
  throw invalidArgument("value", "a BigInt", describe(value));
}

function firstOfMonth(months: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(1970 + Math.floor(months / 12), ((months % 12) + 12) % 12);
  return date;
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}
