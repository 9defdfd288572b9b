// Shows a report of the command line that was dropped on the page, or chosen.

import { byId, byteCount, facts, h } from "../../ui/dom.js";
import { NotAReport, readReport } from "./jsonl.js";
import { reasonOf } from "./report.js";

/**
 * @typedef {import("./jsonl.js").Report} Report
 * @typedef {import("zarr-codecs/verify").UnitResult} UnitResult
 */

const isReport = (/** @type {File | undefined} */ file) => /\.(jsonl|ndjson)$/i.test(file?.name ?? "");

/** How verdicts read. @type {Record<string, { text: string, className: string }>} */
const VERDICTS = {
  sound: { text: "✓ sound", className: "good" },
  damaged: { text: "✗ damaged", className: "bad" },
  insufficient: { text: "! not all chunks are proven as required", className: "warn" },
  incomplete: { text: "? incomplete", className: "warn" },
};

/** Makes the part of the section that shows reports, and accepts their drops anywhere on the page. */
export function mountReports() {
  const input = h("input", { type: "file", className: "visually-hidden", accept: ".jsonl,.ndjson" });
  const message = h("p", { className: "error", role: "alert", hidden: true });
  const content = h("div", { className: "stack", role: "region", ariaLabel: "Report" });
  const panel = h(
    "div",
    { className: "panel stack reports" },
    h(
      "div",
      { className: "row" },
      h("label", { className: "button" }, "Open a report …", input),
      h("span", {}, "or drop one here: ", h("code", {}, "npx zarr-codecs verify STORE --jsonl report.jsonl")),
    ),
    message,
    content,
  );

  /** @param {File} file */
  async function show(file) {
    message.hidden = true;
    content.replaceChildren(h("p", { className: "hint" }, `Reading ${file.name} …`));
    try {
      content.replaceChildren(...describe(file.name, await readReport(file)));
    } catch (error) {
      content.replaceChildren();
      message.hidden = false;
      message.textContent =
        error instanceof NotAReport
          ? `${file.name} is not a report of “zarr-codecs verify --jsonl”: ${error.message}.`
          : `${file.name} could not be read: ${error.message}`;
    }
    byId("integrity").querySelector(".reports")?.scrollIntoView({ block: "start" });
  }

  input.addEventListener("change", () => {
    const [file] = input.files ?? [];
    if (file) show(file);
    input.value = ""; // The same file can be chosen again after it has changed.
  });
  // Before the section that opens stores handles it.
  document.addEventListener(
    "drop",
    (event) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length !== 1 || !isReport(files[0])) return;
      event.preventDefault();
      show(files[0]);
    },
    { capture: true },
  );
  return panel;
}

/** @param {string} name @param {Report} report @returns {Node[]} */
function describe(name, report) {
  const { summaries, progress, units, found } = report;
  const summary = summaries.at(-1);
  const known = summary ?? progress;
  const { text, className } = VERDICTS[summary?.verdict ?? "incomplete"] ?? VERDICTS.incomplete;
  const part = known && known.part?.count > 1 ? `${known.part.index} of ${known.part.count}` : undefined;
  return [
    h("h3", {}, name),
    h("p", {}, h("b", { className }, summary ? text : "? ends early: it has no summary")),
    facts({
      Store: report.store ?? summary?.store,
      Part: part,
      Sample: known?.sample && `${known.sample.percent} %`,
      Verified: known && `${number(known.done)} of ${number(known.total)} chunks and shards`,
      States: known && countsOf(known.states),
      Proofs: known && countsOf(known.proofs),
      Bytes: known && byteCount(known.bytes ?? 0),
      Time: summary?.seconds === undefined ? undefined : `${number(summary.seconds)} s`,
    }),
    ...(units.length > 0 ? [table(units)] : []),
    ...(found > units.length
      ? [h("p", { className: "hint" }, `and ${number(found - units.length)} more`)]
      : []),
  ];
}

const number = (/** @type {number} */ value) => value.toLocaleString("en", { maximumFractionDigits: 1 });

/** @param {Readonly<Record<string, number>>} counts */
const countsOf = (counts) =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${number(count)} ${name}`)
    .join(", ") || "none";

/** @param {UnitResult[]} units */
function table(units) {
  const headings = ["State", "Key", "Inner chunk", "Reason"].map((text) => h("th", { scope: "col" }, text));
  return h(
    "div",
    { className: "scroll", tabIndex: 0, role: "region", ariaLabel: "Units of the report" },
    h("table", {}, h("thead", {}, h("tr", {}, ...headings)), h("tbody", {}, ...units.map(row))),
  );
}

/** @type {Record<string, string>} */
const SIGNS = { damaged: "✗ damaged", unreadable: "? unreadable", sound: "! wrong once" };

/** @param {UnitResult} unit */
function row({ state, key, inner, error, transient, insufficient, proof }) {
  const isWeak = state === "sound" && !transient && insufficient;
  const className = state === "damaged" ? "bad" : state === "unreadable" || transient ? "warn" : "";
  const reason = error ? reasonOf(error) : isWeak ? `its proof is only “${proof}”` : "";
  return h(
    "tr",
    {},
    h("td", { className }, isWeak ? "sound" : (SIGNS[state] ?? state)),
    h("td", { className: "mono" }, key),
    h("td", { className: "mono" }, inner ? `[${inner.join(", ")}]` : ""),
    h("td", { className: "reason" }, reason),
  );
}
