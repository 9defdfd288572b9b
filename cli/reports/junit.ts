/** The report for CI servers, in the form of JUnit. */

import { closeSync, openSync, writeFileSync } from "node:fs";
import type { Summary, UnitResult } from "zarr-codecs/verify";
import { UsageError } from "../usage.js";
import { placeOf, reasonsOf } from "./describe.js";
import { ReportError } from "./jsonl.js";

/** How many results are kept until the end. */
const MOST_RESULTS = 10_000;

/** Gathers what is not sound, and writes it with one test case for the whole store. */
export class JunitReport {
  readonly #path: string;
  readonly #file: number;
  readonly #results: UnitResult[] = [];
  #left = 0;

  /** Opens the file, so that a path that cannot be written is noticed before hours of work. @throws UsageError */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#file = openSync(path, "w");
    } catch (error) {
      throw new UsageError(`${path}: ${(error as Error).message}`);
    }
  }

  add(result: UnitResult): void {
    if (isFine(result)) return;
    if (this.#results.length < MOST_RESULTS) this.#results.push(result);
    else this.#left++;
  }

  end(store: string, totals: Summary, seconds: number): void {
    const cases = [caseOfStore(store, totals, seconds, this.#left), ...this.#results.map(caseOf)];
    const failures = cases.filter((xml) => xml.includes("<failure ")).length;
    const errors = cases.filter((xml) => xml.includes("<error ")).length;
    const counts = `tests="${cases.length}" failures="${failures}" errors="${errors}" time="${seconds.toFixed(3)}"`;
    const suite = `<testsuite name="${escapeXml(store)}" ${counts}>\n${cases.join("\n")}\n</testsuite>`;
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="zarr-codecs verify" ${counts}>\n${suite}\n</testsuites>\n`;
    try {
      writeFileSync(this.#file, xml);
      closeSync(this.#file);
    } catch (error) {
      throw new ReportError(this.#path, error as Error);
    }
  }
}

const isFine = ({ state, insufficient, transient }: UnitResult): boolean =>
  (state === "sound" || state === "missing") && !insufficient && !transient;

function caseOfStore(store: string, totals: Summary, seconds: number, left: number): string {
  const { verdict, done, total } = totals;
  const name = `<testcase classname="${escapeXml(store)}" name="all chunks" time="${seconds.toFixed(3)}"`;
  if (verdict === "sound") return `${name}/>`;
  const more = left > 0 ? `, ${left} of them not listed here` : "";
  const message = escapeXml(`${verdict}: ${done} of ${total} chunks and shards verified${more}`);
  const tag = verdict === "incomplete" ? "error" : "failure";
  return `${name}><${tag} type="${verdict}" message="${message}"/></testcase>`;
}

function caseOf(result: UnitResult): string {
  const { array, state, insufficient, error } = result;
  const name = `<testcase classname="${escapeXml(array || "/")}" name="${escapeXml(placeOf(result))}"`;
  const [message = state, ...others] = reasonsOf(result);
  const type = escapeXml(error?.code ?? state);
  const body = escapeXml([message, ...others].join("\n"));
  if (state === "unreadable")
    return `${name}><error type="${type}" message="${escapeXml(message)}">${body}</error></testcase>`;
  if (state === "damaged" || insufficient) {
    return `${name}><failure type="${type}" message="${escapeXml(message)}">${body}</failure></testcase>`;
  }
  return `${name}><system-out>${body}</system-out></testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
};

/** Escapes text for XML; leaves out characters that XML does not have. */
const escapeXml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML does not have
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"\n]/g, (character) => ENTITIES[character] as string);
