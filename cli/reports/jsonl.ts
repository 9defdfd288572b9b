/**
 * Writes and reads reports: a line of JSON each.
 *
 * `{"run"}` is the first line. After the results of a while of one share follows `{"progress"}`, a summary that counts exactly
 * the results of that share before it: where a process was killed, the report is valid up to the last of these lines.
 * `{"summary"}` is the last line of a run.
 */

import { closeSync, fstatSync, fsyncSync, openSync, readSync, truncateSync, writeSync } from "node:fs";
import type { Summary, UnitResult } from "zarr-codecs/verify";
import type { Plan } from "../options.js";
import { UsageError } from "../usage.js";

const STANDARD_OUTPUT = 1;

/** What a report is of. */
export interface RunLine {
  readonly store: string;
  readonly plan: Plan;
  /** How many shares the part is divided into, whose summaries follow. */
  readonly shares: number;
  readonly started: string;
}

/** The end of a report. */
export type SummaryLine = Summary & { readonly store: string; readonly seconds: number };

/** A report that cannot be written. */
export class ReportError extends Error {
  override name = "ReportError";
  readonly code: string | undefined;

  constructor(path: string, cause: NodeJS.ErrnoException) {
    super(`${path}: the report cannot be written: ${cause.message}`, { cause });
    this.code = cause.code;
  }
}

/** A report that is being written. */
export class JsonlReport {
  readonly #path: string;
  readonly #file: number;

  /** @param keep how many bytes of an existing report to keep */
  constructor(path: string, keep: number) {
    this.#path = path;
    this.#file = path === "-" ? STANDARD_OUTPUT : openReport(path, keep);
  }

  begin(run: RunLine): void {
    this.#write([{ run }]);
  }

  results(results: readonly UnitResult[]): void {
    this.#write(results);
  }

  /** Writes the results of shares, those of each before the summary that counts them. */
  progress(shares: Iterable<readonly [results: readonly UnitResult[], summary: Summary]>): void {
    this.#write(Array.from(shares, ([results, progress]) => [...results, { progress }]).flat());
  }

  end(summary: SummaryLine): void {
    this.#write([{ summary }]);
    if (this.#file === STANDARD_OUTPUT) return;
    // Pipes and devices need no fsync.
    if (fstatSync(this.#file).isFile()) fsyncSync(this.#file);
    closeSync(this.#file);
  }

  #write(lines: readonly unknown[]): void {
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    for (let done = 0; done < bytes.length; ) done += this.#writeSome(bytes.subarray(done));
  }

  #writeSome(bytes: Uint8Array): number {
    try {
      return writeSync(this.#file, bytes);
    } catch (error) {
      // A pipe that is full.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN")
        throw new ReportError(this.#path, error as NodeJS.ErrnoException);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      return 0;
    }
  }
}

function openReport(path: string, keep: number): number {
  try {
    if (keep === 0) return openSync(path, "w");
    truncateSync(path, keep);
    return openSync(path, "a");
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`);
  }
}

/** A line of a report. */
export type Line =
  | { readonly run: RunLine }
  | { readonly progress: Summary }
  | { readonly summary: SummaryLine }
  | UnitResult;

const BLOCK = 2 ** 20;
const LINE_FEED = 10;

/** Reads the whole lines of a report, and where each ends. A torn line at the end is left out. @throws UsageError */
export function* readLines(path: string): Generator<{ line: Line; end: number }> {
  let end = 0;
  for (const bytes of linesOf(path)) {
    end += bytes.length + 1;
    yield { line: parseLine(bytes, path), end };
  }
}

function parseLine(bytes: Buffer, path: string): Line {
  try {
    const line = JSON.parse(bytes.toString()) as unknown;
    if (typeof line === "object" && line !== null) return line as Line;
  } catch {}
  throw new UsageError(`${path} is not a report of this command: ${bytes.toString().slice(0, 60)}`);
}

function* linesOf(path: string): Generator<Buffer> {
  const file = openExisting(path);
  try {
    let rest = Buffer.alloc(0);
    for (;;) {
      const block = Buffer.alloc(BLOCK);
      const count = readSync(file, block, 0, BLOCK, null);
      if (count === 0) return;
      let bytes = Buffer.concat([rest, block.subarray(0, count)]);
      for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED)) {
        yield bytes.subarray(0, at);
        bytes = bytes.subarray(at + 1);
      }
      rest = bytes;
    }
  } finally {
    closeSync(file);
  }
}

/** Opens a report that was written before. @throws UsageError */
function openExisting(path: string): number {
  try {
    const file = openSync(path, "r");
    if (!fstatSync(file).isDirectory()) return file;
    closeSync(file);
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`);
  }
  throw new UsageError(`${path}: expected a report, got a folder`);
}
