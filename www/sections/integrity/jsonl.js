// Reads a report of the command `zarr-codecs verify`: a line of JSON each.

/**
 * @typedef {import("zarr-codecs/verify").UnitResult} UnitResult
 * @typedef {import("zarr-codecs/verify").Summary} Summary
 * @typedef {Summary & { store?: string, seconds?: number }} ReportSummary
 */

/**
 * What a report says: `units` are the first ones that are worth listing, of `found`. Without a summary it ends early.
 *
 * @typedef {{ store?: string, summaries: ReportSummary[], progress?: Summary, units: UnitResult[], found: number }} Report
 */

/** How many units are kept. */
const MOST_UNITS = 500;
/** How many lines are read before others on this thread get their turn. */
const LINES_PER_TURN = 500;

/** Thrown for a file that is not a report. */
export class NotAReport extends Error {}

/** @param {Blob & { name?: string }} file @returns {Promise<Report>} @throws {NotAReport} */
export async function readReport(file) {
  /** @type {Report} */
  const report = { summaries: [], units: [], found: 0 };
  let number = 0;
  for await (const line of linesOf(file)) {
    number += 1;
    if (line.trim() === "") continue;
    take(report, parse(line, number));
    if (number % LINES_PER_TURN === 0) await new Promise((resolve) => setTimeout(resolve));
  }
  if (number === 0) throw new NotAReport("it is empty");
  if (report.summaries.length === 0 && report.progress === undefined && report.found === 0) {
    throw new NotAReport("it has no summary and no result");
  }
  return report;
}

/** Yields the lines of a file; a last one that is torn, where a process was killed, is left out. @param {Blob} file */
async function* linesOf(file) {
  let rest = "";
  let isFirst = true;
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = /** @type {string} */ (lines.pop());
    isFirst &&= lines.length === 0;
    yield* lines;
  }
  if (rest !== "" && (isFirst || isWhole(rest))) yield rest;
}

/** @param {string} line */
function isWhole(line) {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} line @param {number} number */
function parse(line, number) {
  try {
    return JSON.parse(line);
  } catch {
    throw new NotAReport(`line ${number} is not JSON: ${line.slice(0, 40)}`);
  }
}

/** @param {Report} report @param {any} line */
function take(report, line) {
  const { run, progress, summary, key, state } = Object(line);
  if (isSummary(summary)) report.summaries.push(summary);
  else if (isSummary(progress)) report.progress = progress;
  else if (typeof run === "object" && run !== null) report.store = String(run.store);
  else if (typeof key === "string" && typeof state === "string") takeUnit(report, line);
  else throw new NotAReport(`no line of such a report: ${JSON.stringify(line).slice(0, 40)}`);
}

/** @param {any} value */
const isSummary = (value) => typeof value?.states === "object" && typeof value.total === "number";

/** Keeps a unit unless it is plainly sound, as all are with `--all`. @param {Report} report @param {UnitResult} unit */
function takeUnit(report, unit) {
  if (unit.state === "sound" && !unit.transient && !unit.insufficient) return;
  report.found += 1;
  if (report.units.length < MOST_UNITS) report.units.push(unit);
}
