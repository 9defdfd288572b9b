/** A run of `verify`: gathers what the shares report, and writes it. */

import type { Summary, UnitResult } from "zarr-codecs/verify";
import { mergeSummaries } from "../js/verify/merge.js";
import type { VerifyRequest } from "./options.js";
import { JsonlReport, type RunLine } from "./reports/jsonl.js";
import { JunitReport } from "./reports/junit.js";
import { PeopleReport } from "./reports/people.js";
import { createProgress, type Progress, SILENT } from "./reports/progress.js";
import { CHANGED } from "./shares/messages.js";
import { ShareError } from "./shares/pool.js";

/** Progress is written after this share of the time that has passed, so that little is lost and little is written. */
const PROGRESS_SHARE = 1 / 20;
const SHORTEST_INTERVAL = 200;
const LONGEST_INTERVAL = 10_000;

/** Gathers results and summaries. */
export class Run {
  readonly #request: VerifyRequest;
  readonly #line: RunLine;
  #start: number | undefined;
  readonly #people: PeopleReport;
  readonly #progress: Progress;
  readonly #junit: JunitReport | undefined;
  readonly #summaries = new Map<number, Summary>();
  #jsonl: JsonlReport | undefined;
  /** By shares, the results that have been reported and are not written yet. */
  readonly #unwritten = new Map<number, UnitResult[]>();
  #written = performance.now();

  constructor(request: VerifyRequest, line: RunLine) {
    const { jsonl, junit, quiet } = request;
    this.#request = request;
    this.#line = line;
    // Standard output is either for people or for programs.
    this.#people = new PeopleReport(jsonl === "-" ? process.stderr : process.stdout, quiet);
    this.#progress = quiet ? SILENT : createProgress();
    this.#junit = junit === undefined ? undefined : new JunitReport(junit);
  }

  /** Opens the report. @param keep how many bytes of an earlier one are kept */
  open(keep: number): void {
    const { jsonl } = this.#request;
    if (jsonl === undefined) return;
    this.#jsonl = new JsonlReport(jsonl, keep);
    if (keep === 0) this.#jsonl.begin(this.#line);
  }

  /** Notes when the first thread has begun: what is measured is how fast the store is read, not how fast threads start. */
  begin(): void {
    this.#start ??= performance.now();
  }

  /** Takes results that an earlier report already has. */
  addEarlier(results: readonly UnitResult[]): void {
    for (const result of results) this.#show(result);
  }

  /** Takes the last summaries of an earlier report. */
  continue(summaries: readonly Summary[]): void {
    for (const summary of summaries) this.#summaries.set(summary.part.index, summary);
  }

  /** Takes results, and the summary of their share that counts them. @throws ShareError (it is of another run) */
  add(results: readonly UnitResult[], summary: Summary): void {
    for (const { plan } of this.#summaries.values()) if (plan !== summary.plan) throw new ShareError(CHANGED);
    this.#progress.clear();
    for (const result of results) this.#show(result);
    const { index } = summary.part;
    this.#summaries.set(index, summary);
    if (this.#jsonl) this.#keep(index, results);
    this.#progress.update(this.totals());
    this.#writeProgress(false);
  }

  /** Prints a line between results. */
  warn(message: string): void {
    this.#progress.clear();
    process.stderr.write(`${message}\n`);
  }

  /** Joins the summaries of all shares. */
  totals(): Summary {
    return mergeSummaries([...this.#summaries.values()], this.#request.plan.part);
  }

  /** Whether any share has reported. */
  get hasReported(): boolean {
    return this.#summaries.size > 0;
  }

  /** Gives the terminal back, where the reports cannot be ended. */
  abandon(): void {
    this.#progress.end();
  }

  /** Writes all reports to their ends. */
  end(limits: readonly string[], stopped: string | undefined): Summary {
    const { jsonl } = this.#request;
    const { store } = this.#line;
    const totals = this.totals();
    const seconds = this.#elapsed / 1000;
    this.#progress.end();
    this.#writeProgress(true);
    this.#jsonl?.end({ store, seconds: Math.round(seconds * 1000) / 1000, ...totals });
    this.#junit?.end(store, totals, seconds);
    this.#people.end({ totals, seconds, limits, stopped, jsonl: jsonl === "-" ? "the report" : jsonl });
    return totals;
  }

  /** For how many milliseconds it has verified. */
  get #elapsed(): number {
    return this.#start === undefined ? 0 : performance.now() - this.#start;
  }

  #show(result: UnitResult): void {
    this.#people.add(result);
    this.#junit?.add(result);
  }

  /** Keeps results of a share until they are written. */
  #keep(index: number, results: readonly UnitResult[]): void {
    const unwritten = this.#unwritten.get(index) ?? [];
    for (const result of results) unwritten.push(result);
    this.#unwritten.set(index, unwritten);
  }

  #writeProgress(isLast: boolean): void {
    const now = performance.now();
    const interval = Math.min(Math.max(SHORTEST_INTERVAL, this.#elapsed * PROGRESS_SHARE), LONGEST_INTERVAL);
    if (!isLast && now - this.#written < interval) return;
    const written = Array.from(
      this.#unwritten,
      ([index, results]) => [results, this.#summaries.get(index) as Summary] as const,
    );
    if (written.length > 0) this.#jsonl?.progress(written);
    this.#unwritten.clear();
    this.#written = now;
  }
}
