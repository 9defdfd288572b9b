/** `zarr-codecs merge`: joins the reports of parts. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Part, Summary, UnitResult } from "zarr-codecs/verify";
import { mergeSummaries } from "../js/verify/merge.js";
import { coverageOf } from "./coverage.js";
import { parse } from "./options.js";
import { JsonlReport, readLines, type SummaryLine } from "./reports/jsonl.js";
import { PeopleReport } from "./reports/people.js";
import { INCOMPLETE, statusOf } from "./status.js";
import { UsageError } from "./usage.js";

/** A report that has come to an end. */
interface Report {
  readonly path: string;
  readonly summary: SummaryLine;
}

/** Runs the command. Returns its exit status. */
export async function merge(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args, { jsonl: { type: "string" }, quiet: { type: "boolean" } });
  if (positionals.length === 0) throw new UsageError("expected reports to merge");
  const { jsonl } = values;
  if (jsonl !== undefined && positionals.some((path) => resolve(path) === resolve(jsonl)))
    throw new UsageError(`${jsonl} is one of the reports`);
  const people = new PeopleReport(jsonl === "-" ? process.stderr : process.stdout, values.quiet === true);
  const target = jsonl === undefined ? undefined : new JsonlReport(jsonl, 0);
  const reports: Report[] = [];
  const problems: string[] = [];
  for (const path of positionals) {
    const summary = readReport(path, (result) => {
      people.add(result);
      target?.results([result]);
    });
    if (summary) reports.push({ path, summary });
    else problems.push(`${path}: has no summary, so its run did not end`);
  }
  problems.push(...problemsOf(reports));
  if (problems.length === 0 || canMerge(reports)) return finish(reports, problems, people, target);
  for (const problem of problems) console.error(problem);
  return INCOMPLETE;
}

/** Whether the summaries of reports can be added up, although they may not be a whole. */
const canMerge = (reports: readonly Report[]): boolean =>
  reports.length > 0 &&
  reports.every(({ summary }) => !isOfAnother(summary, reports[0]?.summary)) &&
  coverageOf(reports.map(({ summary }) => summary.part))?.doubled.length === 0;

function finish(
  reports: readonly Report[],
  problems: readonly string[],
  people: PeopleReport,
  target: JsonlReport | undefined,
): number {
  const totals = mergeSummaries(reports.map(({ summary }) => plain(summary)));
  const seconds = reports.reduce((sum, { summary }) => sum + summary.seconds, 0);
  target?.end({ store: reports[0]?.summary.store ?? "", seconds, ...totals });
  people.end({ totals, seconds });
  for (const problem of problems) console.error(`Problem   ${problem}`);
  return problems.length > 0 ? INCOMPLETE : statusOf(totals);
}

/** Leaves out what reports add to a summary. */
function plain({ store: _store, seconds: _seconds, ...summary }: SummaryLine): Summary {
  return summary;
}

/** Reads the results of a report. Returns its summary, if its run came to an end. */
function readReport(path: string, onResult: (result: UnitResult) => void): SummaryLine | undefined {
  if (!existsSync(path)) throw new UsageError(`${path}: no such file`);
  let summary: SummaryLine | undefined;
  for (const { line } of readLines(path)) {
    if ("state" in line) onResult(line);
    summary = "summary" in line ? line.summary : undefined;
  }
  return summary;
}

/** Returns why reports are not a whole. */
function problemsOf(reports: readonly Report[]): string[] {
  const problems = reports
    .filter(({ summary }) => !summary.complete)
    .map(({ path }) => `${path}: not all of its part was verified; go on with verify --resume ${path}`);
  const different = reports.find(({ summary }) => isOfAnother(summary, reports[0]?.summary));
  if (different) {
    return [
      ...problems,
      `${different.path}: is of another store, or was written with other options, than ${reports[0]?.path}`,
    ];
  }
  return [...problems, ...gapsOf(reports.map(({ summary }) => summary.part))];
}

const isOfAnother = (summary: SummaryLine, first: SummaryLine | undefined): boolean =>
  summary.plan !== first?.plan || summary.store !== first.store;

function gapsOf(parts: readonly Part[]): string[] {
  if (parts.length === 0) return [];
  const coverage = coverageOf(parts);
  if (coverage === undefined)
    return ["the reports are of parts of different numbers of machines (--part I/N)"];
  const { count, missing, doubled } = coverage;
  const name = (indexes: readonly number[]) => indexes.map((index) => `${index}/${count}`).join(", ");
  return [
    ...(missing.length > 0 ? [`missing: part ${name(missing)}`] : []),
    ...(doubled.length > 0 ? [`there twice: part ${name(doubled)}`] : []),
  ];
}
