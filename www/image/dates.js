// The dates that integers of `numpy.datetime64` count.

/** The lengths of units in attoseconds. @type {Record<string, bigint>} */
const ATTOSECONDS = {
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

/** The calendar's units in months. @type {Record<string, number>} */
const MONTHS = { Y: 12, M: 1 };

/**
 * Converts a `numpy.datetime64` to a date, rounded down to milliseconds; invalid outside the range of dates.
 *
 * @param {bigint} value
 * @param {{ unit: string, scale_factor: number }} configuration that of the data type
 */
export function toDate(value, { unit, scale_factor }) {
  if (Object.hasOwn(MONTHS, unit)) {
    const months = Number(value) * scale_factor * MONTHS[unit];
    const date = new Date(0);
    date.setUTCFullYear(1970 + Math.floor(months / 12), ((months % 12) + 12) % 12);
    return date;
  }
  const attoseconds = value * BigInt(scale_factor) * ATTOSECONDS[unit];
  const milliseconds = attoseconds / MILLISECOND - (attoseconds % MILLISECOND < 0n ? 1n : 0n);
  return new Date(Number(milliseconds));
}
