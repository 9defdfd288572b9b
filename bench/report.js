// @ts-nocheck The page uses its types; the code itself is not type-checked.
// Results as text: Markdown tables, which are readable in a terminal too.

/** Copies: no peers, but the limit. */
export const LIMITS = ["slice", "Uint8Array.set"];

/** A Markdown table with aligned columns, from rows of cells; the first one is the header. */
function table([header, ...rows]) {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const pad = (cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]));
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [line(header.map(pad)), line(rule), ...rows.map((row) => line(row.map(pad)))].join("\n");
}

export function sizeName(bytes) {
  if (bytes === 0) return "";
  const units = ["B", "KiB", "MiB"];
  const unit = Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${bytes / 1024 ** unit} ${units[unit]}`;
}

/** Three digits, in a unit that fits. */
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

export const digits = (number) =>
  number >= 99.5 ? number.toFixed(0) : number.toPrecision(number < 1 ? 2 : 3);

export const throughput = (size, { median }) => `${digits(size / median / 1e9)} GB/s`;

export const spread = ({ q1, median, q3 }) => `${digits(median)} (${digits(q1)}–${digits(q3)})`;

/** The table of one case: our throughput or time; of the others their time / ours. */
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

/** The results of the cases as tables under their titles. */
export function tables(cases, results) {
  return cases
    .map((wanted) => [wanted, results.filter(({ name }) => name === wanted.name)])
    .filter(([, results]) => results.length > 0)
    .map(([wanted, results]) => `${wanted.title}\n\n${caseTable(wanted, results)}`)
    .join("\n\n");
}

/** Where the results are from. */
export function origin({ date, host, rounds }) {
  return `Measured on ${date.slice(0, 10)}: ${host}; ${rounds} rounds.`;
}

/** The floors as a table, those that do not hold first, under the processors they are of. */
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
