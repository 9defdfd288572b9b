// Results as text: Markdown tables, which are readable in a terminal too.

/**
 * @typedef {import("./cases.js").Case} Case
 * @typedef {{ q1: number, median: number, q3: number }} Quartiles
 * @typedef {{ name: string, seconds: Quartiles }} Ours
 * @typedef {Ours & { ratio: Quartiles }} Other
 * @typedef {{ name: string, size: number, implementations: [Ours, ...Other[]] }} Result
 * @typedef {{ name: string, peer: string, kind: "ratio" | "later", size: number, limit: number, measured: number,
 *   holds: boolean }} CheckedFloor a limit beside what was measured
 */

/** Copies: no peers, but the limit. */
export const LIMITS = ["slice", "Uint8Array.set"];

/** A Markdown table with aligned columns, from rows of cells; the first one is the header. @param {string[][]} rows */
function table([header, ...rows]) {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;
  /** @param {string} cell @param {number} column */
  const pad = (cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]));
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [line(header.map(pad)), line(rule), ...rows.map((row) => line(row.map(pad)))].join("\n");
}

/** Names a size, such as 64 KiB. @param {number} bytes */
export function sizeName(bytes) {
  if (bytes === 0) return "";
  const units = ["B", "KiB", "MiB"];
  const unit = Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${bytes / 1024 ** unit} ${units[unit]}`;
}

/** Formats a duration: three digits, in a unit that fits. @param {number} seconds */
export function duration(seconds) {
  /** @type {[string, number][]} */
  const units = [
    ["s", 1],
    ["ms", 1e3],
    ["µs", 1e6],
    ["ns", 1e9],
  ];
  const [unit, factor] = units.find(([, f]) => seconds * f >= 1) ?? ["ns", 1e9];
  return `${digits(seconds * factor)} ${unit}`;
}

/** Formats a number with three digits, or two below 1. @param {number} number */
export const digits = (number) =>
  number >= 99.5 ? number.toFixed(0) : number.toPrecision(number < 1 ? 2 : 3);

/** @param {number} size @param {Quartiles} seconds */
export const throughput = (size, { median }) => `${digits(size / median / 1e9)} GB/s`;

/** @param {Quartiles} quartiles */
export const spread = ({ q1, median, q3 }) => `${digits(median)} (${digits(q1)}–${digits(q3)})`;

/** The table of one case: our throughput or time; of the others their time / ours. @param {Pick<Case, "inTime">} of @param {Result[]} results */
function caseTable({ inTime }, results) {
  const [{ implementations: names }] = results;
  const header = ["size", ...names.map(({ name }) => name)];
  const rows = results.map(({ size, implementations: [ours, ...others] }) => [
    sizeName(size),
    inTime ? duration(ours.seconds.median) : throughput(size, ours.seconds),
    ...others.map(({ ratio }) => spread(ratio)),
  ]);
  return table([header, ...rows]);
}

/**
 * Returns the results of the cases as tables under their titles.
 *
 * @param {Pick<Case, "name" | "title" | "inTime">[]} cases
 * @param {Result[]} results
 */
export function tables(cases, results) {
  return cases
    .map((wanted) => ({ wanted, results: results.filter(({ name }) => name === wanted.name) }))
    .filter(({ results }) => results.length > 0)
    .map(({ wanted, results }) => `${wanted.title}\n\n${caseTable(wanted, results)}`)
    .join("\n\n");
}

/** Tells where the results are from. @param {{ date: string, host: string, rounds: number }} report */
export function origin({ date, host, rounds }) {
  return `Measured on ${date.slice(0, 10)}: ${host}; ${rounds} rounds.`;
}

/**
 * Returns the floors as a table, those that do not hold first, under the names of the processors.
 *
 * @param {CheckedFloor[]} floors
 * @param {{ runtime: string, processor: string }} report
 * @param {string[]} measuredOn
 */
export function floorTable(floors, { runtime, processor }, measuredOn) {
  const rows = floors
    .toSorted((a, b) => Number(a.holds) - Number(b.holds))
    .map(({ name, peer, kind, size, limit, measured, holds }) => [
      name,
      peer,
      sizeName(size),
      ...(kind === "later"
        ? [`${duration(Math.max(measured, 0))} later`, `≤ ${duration(limit)}`]
        : [digits(measured), `≥ ${limit}`]),
      holds ? "holds" : "FAILS",
    ]);
  const title = `Floors of ${runtime}, measured on ${measuredOn.join(" and ")}; this is ${processor}:`;
  return `${title}\n\n${table([["case", "peer", "size", "peer time / ours", "floor", ""], ...rows])}`;
}
