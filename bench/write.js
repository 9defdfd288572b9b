// Puts results into the documents, between the lines `<!-- bench:NAME -->` and `<!-- /bench -->`.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../scripts/run.mjs";
import { origin, tables } from "./report.js";

const DOCUMENTS = ["README.md", "bench/README.md"];
const SECTION = /(<!-- bench:(\S+) -->\n).*?(<!-- \/bench -->)/gs;

/** What a section holds: `all` for all cases, or the cases named, divided by commas. */
function contents(wanted, cases, report) {
  const names = wanted.split(",");
  const chosen = cases.filter(({ name }) => wanted === "all" || names.includes(name));
  return `\n${tables(chosen, report.results)}\n\n${origin(report)}\n\n`;
}

/** Fills the sections of all documents. */
export function writeSections(cases, report) {
  for (const document of DOCUMENTS) {
    const path = join(ROOT, document);
    const text = readFileSync(path, "utf8");
    const filled = text.replace(
      SECTION,
      (_, begin, name, end) => begin + contents(name, cases, report) + end,
    );
    if (filled !== text) writeFileSync(path, filled);
  }
}
